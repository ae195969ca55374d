// `npm run faults`: informers under faults that a seed determines. Exit code 1: a run failed, and can be repeated.

import { createHash } from 'node:crypto'
import { parseArgs } from 'node:util'
import { startControlPlane } from '../control-plane/index.js'
import { informerRun } from './informer-run.js'
import { realRun } from './real-run.js'

const usage = `Usage: npm run faults -- [options]

Informers under seeded faults: over a server in memory and a fake clock, where a seed determines everything.

  --real       on a real control plane, which is started for it: connections break in a proxy, the server starts anew
  --runs N     how many (default: 1000; on a real control plane 50), of the seeds from --seed on
  --seed N     the first seed (default: 1)
  --trace      show what happened in each run, not only in those that fail
  --help       show this
`

/** Of a failed run so many lines are shown, if not all are asked for. */
const shownLines = 60

function numberOf(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  if (!/^\d+$/.test(text)) throw new Error(`--${name} takes a whole number, not ${text}`)
  return Number(text)
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      real: { type: 'boolean' },
      runs: { type: 'string' },
      seed: { type: 'string' },
      trace: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return void process.stdout.write(usage)
  const runs = numberOf('runs', values.runs, values.real ? 50 : 1000)
  const first = numberOf('seed', values.seed, 1)
  const failed = await (values.real ? realRuns : runsInMemory)(first, runs, values.trace ?? false)
  if (failed > 0) process.exitCode = 1
}

/** Returns how many failed. */
async function realRuns(first: number, runs: number, withTrace: boolean): Promise<number> {
  const onProgress = (line: string): void => void process.stderr.write(`${line}\n`)
  await using server = await startControlPlane({ controllers: false, onProgress })
  let failed = 0
  for (let seed = first; seed < first + runs; seed++) {
    const { problems, trace, writes, connections } = await realRun({ seed, kubeconfig: server.kubeconfigPath, server })
    console.log(
      `seed ${seed}: ${writes} writes, ${connections} connections: ${problems.length === 0 ? 'passed' : 'FAILED'}`,
    )
    if (withTrace || problems.length > 0) console.log(`  ${trace.join(', ')}`)
    if (problems.length === 0) continue
    failed++
    console.log(problems.map((problem) => `  - ${problem}`).join('\n'))
    console.log(`  again: npm run faults -- --real --seed ${seed} --runs 1 --trace`)
  }
  console.log(`${runs} runs from seed ${first} on a real server: ${runs - failed} passed, ${failed} failed`)
  return failed
}

/** Returns how many failed. */
async function runsInMemory(first: number, runs: number, withTrace: boolean): Promise<number> {
  let rejections: unknown[] = []
  process.on('unhandledRejection', (reason) => rejections.push(reason))
  const failed: number[] = []
  let requests = 0
  let busiest = 0
  const hash = createHash('sha256')
  const start = performance.now()
  for (let seed = first; seed < first + runs; seed++) {
    const result = await informerRun(seed)
    await new Promise((resolve) => setImmediate(resolve))
    const problems = [...result.problems, ...rejections.map((reason) => `unhandled rejection: ${String(reason)}`)]
    rejections = []
    requests += result.requests
    busiest = Math.max(busiest, result.busiest)
    hash.update(result.hash)
    if (withTrace) console.log(result.trace.join('\n'))
    if (withTrace || runs === 1) console.log(`seed ${seed}: ${result.hash}`)
    if (problems.length === 0) continue
    failed.push(seed)
    if (!withTrace) console.log(result.trace.slice(0, 1).concat('…', result.trace.slice(-shownLines)).join('\n'))
    console.log(`\nseed ${seed} failed:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    console.log(`again, with all of its trace: npm run faults -- --seed ${seed} --runs 1 --trace\n`)
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(
    `${runs} runs from seed ${first} in ${seconds} s: ${runs - failed.length} passed, ${failed.length} failed` +
      `${failed.length > 0 ? ` (seeds ${failed.join(', ')})` : ''}; ${requests} requests, at most ${busiest} in ten seconds; ` +
      `what happened is ${hash.digest('hex').slice(0, 16)}, the same whenever these seeds are run`,
  )
  return failed.length
}

main().catch((err: Error) => {
  process.stderr.write(`${err.message}\n`)
  process.exitCode = 2
})
