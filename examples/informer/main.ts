// Deployments kept in memory: an informer follows them, its handlers are told of changes, its lister reads the cache.
//
//   node examples/informer/dist/main.js [--kubeconfig FILE] [--namespace NAME] [--resync SECONDS]

import { parseArgs } from 'node:util'
import {
  Clientset,
  deletionHandlingMetaNamespaceKeyFunc,
  getConfig,
  metaNamespaceKeyFunc,
  SharedInformerFactory,
  setupSignalHandler,
} from 'kubewright'

const { values: flags } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    namespace: { type: 'string', default: '' }, // all
    resync: { type: 'string', default: '30' },
  },
})
const signal = setupSignalHandler()

await using clientset = new Clientset(await getConfig({ kubeconfig: flags.kubeconfig, signal }))
const factory = new SharedInformerFactory(clientset, {
  resyncPeriod: Number(flags.resync) * 1000,
  namespace: flags.namespace,
})
const { informer, lister } = factory.appsV1().deployments()

// Handlers are called one after the other, so they stay light; real work goes to a queue, as in min-replicas.
informer.addEventHandler({
  onAdd: (deployment, isInInitialList) =>
    console.log(`add ${metaNamespaceKeyFunc(deployment)}${isInInitialList ? ' (was there)' : ''}`),
  onUpdate: (before, after) => {
    const key = metaNamespaceKeyFunc(after)
    if (before === after)
      console.log(`resync ${key}`) // a reminder from the cache; nothing was asked of the server
    else if (before.metadata.generation === after.metadata.generation) console.log(`status ${key}`)
    else console.log(`update ${key} replicas ${before.spec.replicas} -> ${after.spec.replicas}`)
  },
  // The last state of the object; or, when the deletion itself was missed, a DeletedFinalStateUnknown. Both have a key.
  onDelete: (last) => console.log(`delete ${deletionHandlingMetaNamespaceKeyFunc(last)}`),
})

factory.start({ signal }) // runs the informers that were asked for until now
const synced = await factory.waitForCacheSync({ signal }) // early only on Ctrl-C; asError then names what is not synced

// Reads ask the cache, not the server, so they wait for nothing. What they give is shared: deepCopy what you change.
if (!synced.asError()) {
  for (const { metadata, spec } of lister.list()) {
    console.log(`cached ${metadata.namespace}/${metadata.name} replicas=${spec.replicas ?? 1}`)
  }
  console.log(`${lister.list().length} deployments cached`)
}

await factory.shutdown() // resolves when the informers have ended, which they do on Ctrl-C
