// Hours of a controller's life in short: steady churn on a real server, connections that are cut every few seconds, and
// what two informers, one of decoded objects and one of bytes, take meanwhile.

import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Clientset, getConfig } from 'kubewright'
import { copyConfig } from 'kubewright/rest'
import { Churn } from '../faults/churn.js'
import { InformerPair } from '../faults/pair.js'
import { Random } from '../faults/random.js'
import { differencesInTheEnd } from '../faults/real-run.js'
import { startTcpProxy } from '../faults/tcp-proxy.js'
import { type Trend, trend } from './trend.js'

export interface SoakOptions {
  kubeconfig: string
  minutes: number
  /** Writes. @defaultValue 200 */
  perSecond?: number | undefined
  /** Milliseconds between cuts. @defaultValue 10,000 */
  cutEveryMs?: number | undefined
  /** Milliseconds between samples. @defaultValue a hundredth of the time, 1 s at least */
  sampleEveryMs?: number | undefined
  onSample?: ((sample: Sample) => void) | undefined
}

/** Memory in bytes, after a garbage collection. */
export interface Sample {
  seconds: number
  heapUsed: number
  external: number
  rss: number
  /** Connections through the proxy. */
  sockets: number
  /** Objects in each cache. */
  objects: number
  writes: number
}

export interface SoakResult {
  samples: Sample[]
  /** What was not as on the server in the end. */
  problems: string[]
  writes: number
  connections: number
}

/** How many objects there are at most. */
const names = 500
/** So many writes are under way at once. */
const writers = 8

export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { kubeconfig, minutes, perSecond = 200, cutEveryMs = 10_000, onSample } = options
  const sampleEveryMs = options.sampleEveryMs ?? Math.max(1000, minutes * 600)
  const collectGarbage = exposedGarbageCollection()
  const config = await getConfig({ kubeconfig })
  const { hostname, port } = new URL(config.host)
  const proxy = await startTcpProxy({ host: hostname, port: Number(port) })
  const writer = new Clientset(copyConfig(config, { qps: -1 }))
  const reader = new Clientset(copyConfig(config, { host: `https://${hostname}:${proxy.port}`, qps: -1 }))
  const namespace = `soak-${Date.now().toString(36)}`
  await writer
    .coreV1()
    .namespaces()
    .create({ metadata: { name: namespace } })
  const random = new Random(1)
  const churn = new Churn({ clientset: writer, namespace, random, names })
  const pair = new InformerPair({ clientset: reader, namespace, random, useWatchList: true, resyncPeriod: 0 })
  const start = performance.now()
  const end = start + minutes * 60_000
  const samples: Sample[] = []
  const problems: string[] = []

  const write = async (): Promise<void> => {
    for (let next = start; next < end; next += (1000 * writers) / perSecond) {
      const early = next - performance.now()
      if (early > 0) await sleep(early)
      if (performance.now() >= end) return
      await churn.write()
    }
  }
  const cut = async (): Promise<void> => {
    while (performance.now() + cutEveryMs < end) {
      await sleep(cutEveryMs)
      proxy.cut()
    }
  }
  const sample = async (): Promise<void> => {
    while (performance.now() + sampleEveryMs < end) {
      await sleep(sampleEveryMs)
      collectGarbage()
      const { heapUsed, external, rss } = process.memoryUsage()
      const taken = {
        seconds: (performance.now() - start) / 1000,
        heapUsed,
        external,
        rss,
        sockets: proxy.open,
        objects: pair.decoded.indexer.listKeys().length,
        writes: churn.writes,
      }
      samples.push(taken)
      onSample?.(taken)
    }
  }
  try {
    await Promise.all([...Array.from({ length: writers }, write), cut(), sample()])
    problems.push(...(await differencesInTheEnd(pair, writer, namespace)))
  } finally {
    await pair.stop()
    await reader.close()
    await proxy.stop()
    await writer.coreV1().namespaces().delete(namespace)
    await writer.close()
  }
  return { samples, problems, writes: churn.writes, connections: proxy.accepted }
}

/** How `what` goes on once all is warm: in the last two thirds of the time. */
export function trendOf(what: 'heapUsed' | 'external' | 'rss', samples: readonly Sample[]): Trend {
  const warm = samples.slice(Math.floor(samples.length / 3))
  return trend(warm.map((sample) => ({ seconds: sample.seconds, value: sample[what] })))
}

/** Node's own `gc`, whether or not the program was started with the flag for it. */
function exposedGarbageCollection(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
