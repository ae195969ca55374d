// What the library's types cost a compiler: tsc of programs over tsc of an empty one, libraries checked too.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { small, TypeProject, withKinds } from '../scripts/lib/type-programs.mjs'
import { difference, interleaved, report } from './lib/stats.mjs'

const project = new TypeProject()

/** Seconds to check `source` in a project of its own; throws when it has errors. */
function compile(name, source) {
  const args = [project.tsc, '-p', project.add(name, source)]
  return () => {
    const from = performance.now()
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: project.folder, encoding: 'utf8' })
    assert.equal(status, 0, `${name}.ts does not compile:\n${stdout}`)
    return (performance.now() - from) / 1000
  }
}

try {
  // That a wrong program fails proves that the right one was looked at.
  assert.throws(compile('wrong', small.replace('replicas = 2', "replicas = 'two'")), /not assignable/)

  const [empty, few, many] = await interleaved(
    15,
    compile('empty', 'export {}\n'),
    compile('small', small),
    compile('kinds', withKinds(100)),
  )
  report('tsc of a small program, over an empty one', 's', difference(few, empty), 0.15)
  report('tsc of a program that uses 100 kinds, over an empty one', 's', difference(many, empty), 1)
} finally {
  project.remove()
}
