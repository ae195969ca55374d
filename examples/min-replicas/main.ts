// The min-replicas controller: Deployments labelled demo/min-replicas=true that ask for fewer than 2 replicas get 2.
//
//   node examples/min-replicas/dist/main.js [--kubeconfig FILE] [--context NAME]

import { parseArgs } from 'node:util'
import {
  Clientset,
  type DeepReadonly,
  deletionHandlingMetaNamespaceKeyFunc,
  getConfig,
  metaNamespaceKeyFunc,
  RateLimitingQueue,
  retryOnConflict,
  SharedInformerFactory,
  setupSignalHandler,
  splitMetaNamespaceKey,
} from 'kubewright'
import type { Deployment } from 'kubewright/api/apps/v1'

const { values: flags } = parseArgs({ options: { kubeconfig: { type: 'string' }, context: { type: 'string' } } })

const signal = setupSignalHandler() // aborts on SIGINT and SIGTERM; the second one exits
const queue = new RateLimitingQueue<string>({ name: 'min-replicas' }) // client-go's default controller rate limiter
signal.addEventListener('abort', () => queue.shutDown()) // before anything is awaited: an abort is told only once

const config = await getConfig(flags) // KUBECONFIG, else in-cluster, else ~/.kube/config
const clientset = new Clientset(config)
const factory = new SharedInformerFactory(clientset, { resyncPeriod: 10 * 60_000 })
const deployments = factory.appsV1().deployments() // .informer and .lister

// Handlers stay light: they put a key on the queue, which collapses duplicates.
deployments.informer.addEventHandler({
  onAdd: (d) => queue.add(metaNamespaceKeyFunc(d)),
  onUpdate: (_old, d) => queue.add(metaNamespaceKeyFunc(d)),
  onDelete: (d) => queue.add(deletionHandlingMetaNamespaceKeyFunc(d)), // d may be a DeletedFinalStateUnknown
})

const labelled = (d: DeepReadonly<Deployment>): boolean => d.metadata.labels?.['demo/min-replicas'] === 'true'
const replicas = (d: DeepReadonly<Deployment>): number => d.spec.replicas ?? 1

async function reconcile(key: string): Promise<void> {
  const { namespace, name } = splitMetaNamespaceKey(key)
  const cached = deployments.lister.deployments(namespace).get(name) // undefined when gone
  if (!cached) return console.log(`deployment ${key} no longer exists`)
  if (!labelled(cached)) return
  if (replicas(cached) >= 2) return console.log(`deployment ${key} already satisfies replicas=${replicas(cached)}`)
  await retryOnConflict(async () => {
    const live = await clientset.appsV1().deployments(namespace).get(name, { signal })
    const before = replicas(live)
    if (!labelled(live) || before >= 2) return // somebody was faster
    live.spec.replicas = 2
    await clientset.appsV1().deployments(namespace).update(live, { signal })
    console.log(`deployment ${key} scaled from ${before} to 2`)
  })
}

factory.start({ signal })
await factory.waitForCacheSync({ signal })
console.log('controller started')

await Promise.all(
  [1, 2].map(async () => {
    // Ends when the queue is shut down and empty.
    for await (const key of queue) {
      try {
        await reconcile(key)
        queue.forget(key)
      } catch (err) {
        if (!signal.aborted) console.error(`deployment ${key}:`, err)
        queue.addRateLimited(key)
      } finally {
        queue.done(key)
      }
    }
  }),
)
