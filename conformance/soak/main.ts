// `npm run soak`: half an hour of churn with connections that break. Exit code 1: something was lost, or the heap grew.

import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { startControlPlane } from '../control-plane/index.js'
import { plot } from './plot.js'
import { soak, trendOf } from './soak.js'
import type { Trend } from './trend.js'

const usage = `Usage: npm run soak -- [options]

200 writes a second on a real control plane, which is started for it, and two informers whose connection is cut every ten
seconds. Writes bench/soak.svg and its section of bench/RESULTS.md.

  --minutes N   how long (default: 30)
  --help        show this
`

/**
 * What the lines through the samples may gain, as a share of their mean. What is under way on connections is outside the
 * heap, and makes that differ by a quarter from sample to sample.
 */
const mostGrowth = { heapUsed: 0.05, external: 0.25 } as const

/** Not of this program alone: where benchmarks write what they measured. */
interface Results {
  writeSection(title: string, lines: readonly string[]): void
  table(rows: readonly (readonly string[])[]): string[]
}

const fromRoot = (path: string): URL => new URL(`../../../${path}`, import.meta.url)
const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1)
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { minutes: { type: 'string' }, help: { type: 'boolean' } } })
  if (values.help) return void process.stdout.write(usage)
  const minutes = Number(values.minutes ?? 30)
  if (!(minutes > 0 && minutes <= 10_000)) throw new Error(`--minutes takes a number above 0, not ${values.minutes}`)
  const onProgress = (line: string): void => void process.stderr.write(`${line}\n`)
  await using server = await startControlPlane({ controllers: false, onProgress })
  const { samples, problems, writes, connections } = await soak({
    kubeconfig: server.kubeconfigPath,
    minutes,
    onSample: ({ seconds, heapUsed, external, rss, sockets, objects, writes: done }) =>
      console.log(
        `${seconds.toFixed(0)} s: heap ${mebibytes(heapUsed)}, external ${mebibytes(external)}, RSS ${mebibytes(rss)} MiB; ` +
          `${sockets} sockets, ${objects} objects, ${done} writes`,
      ),
  })
  await writeFile(fromRoot('bench/soak.svg'), plot(samples))
  const { writeSection, table } = (await import(fromRoot('bench/lib/results.mjs').href)) as Results
  const warm = samples.slice(Math.floor(samples.length / 3))
  const rows = (['heapUsed', 'external', 'rss'] as const).map((what) => {
    const values = warm.map((sample) => sample[what])
    const { perMinute, uncertainty, growth }: Trend = trendOf(what, samples)
    const limit = what === 'rss' ? '' : percent(mostGrowth[what])
    if (what !== 'rss' && growth > mostGrowth[what]) problems.push(`${what} grew by ${percent(growth)}`)
    return [
      what,
      `${mebibytes(Math.min(...values))} – ${mebibytes(Math.max(...values))} MiB`,
      `${(perMinute / 1024).toFixed(1)} ± ${(uncertainty / 1024).toFixed(1)} KiB a minute`,
      percent(growth),
      limit,
    ]
  })
  const seconds = samples.at(-1)?.seconds ?? Number.NaN
  const summary =
    `${writes} writes in ${minutes} minutes (${(writes / minutes / 60).toFixed(0)} a second), ` +
    `${connections} connections, of which each was cut after ten seconds, and in the end ` +
    `${problems.length === 0 ? 'the caches and all handlers are where the server is' : 'these problems'}.`
  const lines = [
    'Two informers on a real kube-apiserver, one of decoded objects and one of bytes, with three handlers each; memory after a',
    'garbage collection, of the whole program, which also writes.',
    '',
    summary,
    ...problems.map((problem) => `- ${problem}`),
    '',
    ...table([
      [
        '',
        `range after the first ${((warm[0]?.seconds ?? Number.NaN) / 60).toFixed(0)} minutes`,
        'slope, 95 % interval',
        'gain of the line',
        'at most',
      ],
      ...rows,
    ]),
    '',
    `![heap, external memory and RSS over ${(seconds / 60).toFixed(0)} minutes](soak.svg)`,
  ]
  writeSection('Soak', lines)
  console.log(lines.join('\n'))
  if (problems.length > 0) process.exitCode = 1
}

main().catch((err: Error) => {
  process.stderr.write(`${err.message}\n`)
  process.exitCode = 2
})
