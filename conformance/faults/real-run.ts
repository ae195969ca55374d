// One run on a real server: informers behind a proxy that breaks their connections, while somebody else writes.

import { setTimeout as sleep } from 'node:timers/promises'
import { Clientset, getConfig } from 'kubewright'
import { copyConfig } from 'kubewright/rest'
import { Churn } from './churn.js'
import { InformerPair } from './pair.js'
import { Random } from './random.js'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js'

export interface RealRunOptions {
  seed: number
  kubeconfig: string
  /** What may be done to the server itself. @defaultValue nothing: others use it too */
  server?: { restartApiServer(): Promise<void>; compact(): Promise<void> } | undefined
}

export interface RealRunResult {
  problems: string[]
  trace: string[]
  writes: number
  /** Connections that were made through the proxy. */
  connections: number
}

/** How long the end is waited for, in milliseconds. */
const settleMs = 60_000

/** What is done is determined by the seed, when the server sees it is not. */
export async function realRun({ seed, kubeconfig, server }: RealRunOptions): Promise<RealRunResult> {
  const random = new Random(seed)
  const trace: string[] = []
  const problems: string[] = []
  const config = await getConfig({ kubeconfig })
  const { hostname, port } = new URL(config.host)
  const proxy = await startTcpProxy({ host: hostname, port: Number(port) })
  const writer = new Clientset(copyConfig(config, { qps: -1 }))
  const reader = new Clientset(copyConfig(config, { host: `https://${hostname}:${proxy.port}`, qps: -1 }))
  const namespace = `faults-${seed}-${Date.now().toString(36)}`
  await writer
    .coreV1()
    .namespaces()
    .create({ metadata: { name: namespace } })
  const churn = new Churn({ clientset: writer, namespace, random: new Random(seed + 1), names: 40 })
  const pair = new InformerPair({
    clientset: reader,
    namespace,
    random,
    useWatchList: random.percent(60),
    resyncPeriod: random.pick([0, 1000]),
  })
  try {
    const steps = random.int(8, 20)
    const restartAt = server && random.percent(30) ? random.int(1, steps - 1) : -1
    for (let step = 0; step < steps; step++) {
      if (server && step === restartAt) {
        trace.push('restart, after a compaction')
        await server.compact()
        await server.restartApiServer()
      }
      await breakSomething(proxy, random, trace)
      for (let writes = random.int(0, 30); writes > 0; writes--) await churn.write()
      await sleep(random.int(0, 200))
    }
    await proxy.refuse(false)
    proxy.deliver({})
    problems.push(...(await differencesInTheEnd(pair, writer, namespace)))
  } finally {
    await pair.stop()
    await reader.close()
    const deadline = Date.now() + 5000
    while (proxy.open > 0 && Date.now() < deadline) await sleep(20)
    if (proxy.open > 0) problems.push(`${proxy.open} connections are open after the end`)
    await proxy.stop()
    await writer.coreV1().namespaces().delete(namespace)
    await writer.close()
  }
  return { problems, trace, writes: churn.writes, connections: proxy.accepted }
}

async function breakSomething(proxy: TcpProxy, random: Random, trace: string[]): Promise<void> {
  const what = random.pick(['nothing', 'cut', 'cut', 'half open', 'split', 'slow', 'refuse', 'well'])
  trace.push(what)
  switch (what) {
    case 'cut':
      proxy.cut()
      break
    case 'half open':
      // For as long as it would take a machine in between to start anew and send a reset.
      proxy.freeze()
      await sleep(random.int(100, 1000))
      proxy.cut()
      break
    case 'split':
      proxy.deliver({ splitBytes: random.int(1, 50) })
      break
    case 'slow':
      proxy.deliver({ splitBytes: random.int(200, 2000), delayMs: random.int(1, 20) })
      break
    case 'refuse':
      await proxy.refuse(true)
      proxy.cut()
      await sleep(random.int(100, 1000))
      await proxy.refuse(false)
      break
    case 'well':
      proxy.deliver({})
      break
    case 'nothing':
  }
}

/** Waits until there are no differences; those that are left when time is up. */
export async function differencesInTheEnd(
  pair: InformerPair,
  clientset: Clientset,
  namespace: string,
): Promise<string[]> {
  const deadline = Date.now() + settleMs
  for (;;) {
    const { items } = await clientset.coreV1().configMaps(namespace).list()
    const differences = pair.differences(items)
    if (differences.length === 0 || Date.now() > deadline) return differences
    await sleep(100)
  }
}
