// What the library's types cost a compiler: tsc of a ten-line program over tsc of an empty one, libraries checked too.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { difference, interleaved, report } from './lib/stats.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const tsc = join(root, 'node_modules/typescript/bin/tsc')

const program = `import { Clientset, getConfig } from 'kubewright'
import type { Deployment } from 'kubewright/api/apps/v1'

const clientset = new Clientset(await getConfig())
const deployments = clientset.appsV1().deployments('default')
const small = (d: Deployment): boolean => (d.spec.replicas ?? 1) < 2
for (const deployment of (await deployments.list()).items) {
  if (!small(deployment)) continue
  deployment.spec.replicas = 2
  await deployments.update(deployment)
}
`

const folder = mkdtempSync(join(tmpdir(), 'kubewright-types-'))
try {
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(root, 'packages/kubewright'), join(folder, 'node_modules/kubewright'))
  const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', skipLibCheck: false, types: [] }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')

  /** Seconds to check `source` in a project of its own; throws when it has errors. */
  const compile = (name, source) => {
    writeFileSync(join(folder, `${name}.ts`), source)
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }))
    return () => {
      const from = performance.now()
      const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', `${name}.json`], {
        cwd: folder,
        encoding: 'utf8',
      })
      assert.equal(status, 0, `${name}.ts does not compile:\n${stdout}`)
      return (performance.now() - from) / 1000
    }
  }
  // That a wrong program fails proves that the right one was looked at.
  assert.throws(compile('wrong', program.replace('replicas = 2', "replicas = 'two'")), /not assignable/)

  const [empty, small] = await interleaved(15, compile('empty', 'export {}\n'), compile('small', program))
  report('tsc of a small program, over an empty one', 's', difference(small, empty), 0.15)
} finally {
  rmSync(folder, { recursive: true })
}
