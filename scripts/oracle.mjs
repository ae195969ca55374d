// npm run oracle: asks Go's client-go and ours the same questions, and compares the answers.
//
//   npm run oracle                                       every room, as `npm test` does
//   npm run oracle -- clientcmd --runs 2000 --seed 7     one room (a file in conformance/oracle), more questions

import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { bin, root } from './lib/repository.mjs'

const rooms = readdirSync(`${root}/conformance/oracle`).flatMap((file) => /^(.+)\.test\.ts$/.exec(file)?.[1] ?? [])
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string' }, seed: { type: 'string' } },
})
const unknown = positionals.filter((name) => !rooms.includes(name))
const bad = Object.entries(values).find(([, value]) => !/^\d+$/.test(value))
if (unknown.length > 0 || bad) {
  if (bad) console.error(`--${bad[0]} takes a number, not ${bad[1]}.`)
  else console.error(`There is no room ${unknown.join(', ')}. The rooms: ${rooms.join(', ')}`)
  process.exit(2)
}
const seed = values.seed ?? '1'
console.log(`rooms: ${(positionals.length > 0 ? positionals : rooms).join(', ')}; seed ${seed}`)
// A hang ends, and two thousand questions of the slowest room on a busy machine do not.
const testTimeout = Math.max(60_000, Number(values.runs ?? 0) * 150)
const files = positionals.map((name) => `conformance/oracle/${name}.test.ts`)
const { status } = spawnSync(
  bin('vitest'),
  ['run', '--project', 'oracle', '--testTimeout', String(testTimeout), ...files],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ORACLE_SEED: seed, ...(values.runs && { ORACLE_RUNS: values.runs }) },
  },
)
process.exitCode = status ?? 1
