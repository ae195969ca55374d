// `npm run soak`: half an hour of churn with connections that break. Exit code 1: something was lost, or the heap grew.

import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { startControlPlane } from '../control-plane/index.js'
import { plot } from './plot.js'
import { heapGrowth, soak } from './soak.js'

const usage = `Usage: npm run soak -- [options]

200 writes a second on a real control plane, which is started for it, and two informers whose connection is cut every ten
seconds. Writes bench/soak.svg.

  --minutes N   how long (default: 30)
  --help        show this
`

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { minutes: { type: 'string' }, help: { type: 'boolean' } } })
  if (values.help) return void process.stdout.write(usage)
  const minutes = Number(values.minutes ?? 30)
  if (!(minutes > 0 && minutes <= 10_000)) throw new Error(`--minutes takes a number above 0, not ${values.minutes}`)
  const onProgress = (line: string): void => void process.stderr.write(`${line}\n`)
  await using server = await startControlPlane({ controllers: false, onProgress })
  const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1)
  const { samples, problems, writes, connections } = await soak({
    kubeconfig: server.kubeconfigPath,
    minutes,
    onSample: ({ seconds, heapUsed, external, rss, sockets, objects, writes: done }) =>
      console.log(
        `${seconds.toFixed(0)} s: heap ${mebibytes(heapUsed)}, external ${mebibytes(external)}, RSS ${mebibytes(rss)} MiB; ` +
          `${sockets} sockets, ${objects} objects, ${done} writes`,
      ),
  })
  await writeFile(new URL('../../../bench/soak.svg', import.meta.url), plot(samples))
  const growth = heapGrowth(samples)
  console.log(`${writes} writes, ${connections} connections, heap ${(growth * 100).toFixed(1)} % in the last third`)
  console.log(problems.length === 0 ? 'the caches are what the server has' : problems.join('\n'))
  if (problems.length > 0 || growth > 0.1) process.exitCode = 1
}

main().catch((err: Error) => {
  process.stderr.write(`${err.message}\n`)
  process.exitCode = 2
})
