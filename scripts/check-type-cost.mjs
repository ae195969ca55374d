// Holds what the types cost a compiler to a budget: type instantiations of programs that use the library. They are the
// same on every machine; how long they take is measured by `npm run bench -- types`.
import { spawnSync } from 'node:child_process'
import { small, TypeProject, withKinds } from './lib/type-programs.mjs'

/** Programs, and the instantiations over an empty one that each may need: a quarter more than when this was set. */
const budgets = [
  ['a program of ten lines', small, 19_000],
  ['a program that uses 100 kinds', withKinds(100), 54_000],
]

const project = new TypeProject()

/** The instantiations of a program and of the declarations that it sees. */
function instantiations(what, source) {
  const args = [project.tsc, '-p', project.add('program', source), '--extendedDiagnostics']
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: project.folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${what} does not compile:\n${stdout.slice(0, 3000)}`)
  const count = /^Instantiations:\s+(\d+)/m.exec(stdout)?.[1]
  if (count === undefined) throw new Error(`the compiler does not tell the instantiations of ${what}:\n${stdout}`)
  return Number(count)
}

try {
  const empty = instantiations('an empty program', 'export {}\n')
  for (const [what, source, budget] of budgets) {
    const needed = instantiations(what, source) - empty
    console.log(`${what}: ${needed} instantiations of at most ${budget}`)
    if (needed > budget) process.exitCode = 1
  }
} finally {
  project.remove()
}
