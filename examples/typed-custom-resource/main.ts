// A custom resource with types: one interface and one descriptor make a client and an informer that know it.
//
//   kubectl apply -f examples/typed-custom-resource/widgets.yaml
//   node examples/typed-custom-resource/dist/main.js [--kubeconfig FILE] [--namespace default]

import { parseArgs } from 'node:util'
import {
  DynamicClient,
  DynamicSharedInformerFactory,
  defineResource,
  getConfig,
  retryOnConflict,
  setupSignalHandler,
} from 'kubewright'
import type { NamespacedObjectMeta } from 'kubewright/api/meta/v1'

interface Widget {
  apiVersion: 'typed.example.com/v1'
  kind: 'Widget'
  metadata: NamespacedObjectMeta
  spec: { size: number; colour?: string }
  status?: { size: number }
}

const Widget = defineResource<Widget>({
  group: 'typed.example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
  subresources: { status: {}, scale: {} }, // so the client has updateStatus, getScale and their like
})

const { values: flags } = parseArgs({
  options: { kubeconfig: { type: 'string' }, namespace: { type: 'string', default: 'default' } },
})
const { namespace } = flags
const signal = setupSignalHandler()
const client = new DynamicClient(await getConfig({ kubeconfig: flags.kubeconfig }))
const widgets = client.resource(Widget).namespace(namespace)

await using factory = new DynamicSharedInformerFactory(client, { namespace })
const { informer, lister } = factory.forKind(Widget)
let isReady = (): void => {}
const ready = new Promise<void>((resolve) => {
  isReady = resolve
})
informer.addEventHandler({
  onAdd: (widget) => console.log(`there is a widget ${widget.metadata.name} of size ${widget.spec.size}`),
  onUpdate: (_, widget) => {
    if (widget.status?.size === widget.spec.size) isReady()
  },
})
factory.start({ signal })
await factory.waitForCacheSync({ signal })

await widgets.create({ metadata: { name: 'demo' }, spec: { size: 1 } }, { signal })

const scale = await widgets.getScale('demo', { signal })
scale.spec.replicas = 3 // the definition says that this is spec.size
await widgets.updateScale('demo', scale, { signal })

await retryOnConflict(async () => {
  const live = await widgets.get('demo', { signal })
  live.status = { size: live.spec.size }
  await widgets.updateStatus(live, { signal })
})

await ready
const cached = lister.byNamespace(namespace).get('demo')
console.log(`the cache has it with ${cached?.status?.size} of ${cached?.spec.size}`)

await widgets.delete('demo', { signal })
