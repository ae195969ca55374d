// Informers that come and go: a ConfigMap says which resources are followed, and may change its mind at any time. Their objects are
// kept as bytes, as only their keys are read.
//
//   node examples/hold-informers/dist/main.js [--kubeconfig FILE] [--namespace NAME] [--configmap NAME]
//
// In the ConfigMap, `data.resources` has names as `kubectl get` takes them, with their version: `secrets.v1. deployments.v1.apps`.

import { parseArgs } from 'node:util'
import {
  Clientset,
  DynamicClient,
  DynamicSharedInformerFactory,
  deletionHandlingMetaNamespaceKeyFunc,
  getConfig,
  SharedIndexInformer,
  setupSignalHandler,
} from 'kubewright'
import { parseResourceArg } from 'kubewright/meta'

const { values: flags } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    namespace: { type: 'string', default: 'default' },
    configmap: { type: 'string', default: 'followed' },
  },
})
const signal = setupSignalHandler()

const config = await getConfig({ kubeconfig: flags.kubeconfig, signal })
await using clientset = new Clientset(config)
const { namespace } = flags
const factory = new DynamicSharedInformerFactory(new DynamicClient(config), { namespace })

/** What is followed now, by the resource's name. */
const held = new Map<string, ReturnType<typeof follow>>()

function follow(name: string) {
  const { groupVersionResource } = parseResourceArg(name)
  if (!groupVersionResource) throw new Error(`${name} has no version: write secrets.v1. or deployments.v1.apps`)
  // Runs from here on. Whoever else acquires the same resource shares it: one cache, one watch.
  const handle = factory.acquire(groupVersionResource, { store: 'bytes', drop: ['metadata.managedFields'], signal })
  handle.addEventHandler({
    onAdd: (ref) => console.log(`${name} + ${ref.key}`), // decodes nothing
    onDelete: (ref) => console.log(`${name} - ${deletionHandlingMetaNamespaceKeyFunc(ref)}`),
  })
  return handle
}

function followOnly(wanted: readonly string[]): void {
  for (const name of wanted) if (!held.has(name)) held.set(name, follow(name))
  for (const [name, handle] of held) {
    if (wanted.includes(name)) continue
    held.delete(name)
    // The last to let go: its watch is closed, and its cache is gone, when this resolves.
    void handle.release().then(() => console.log(`${name} is not followed any more`))
  }
}

const choice = new SharedIndexInformer(clientset.coreV1().configMaps(namespace), {
  fieldSelector: `metadata.name=${flags.configmap}`,
})
const wantedOf = (text = ''): string[] => text.split(/\s+/).filter((name) => name !== '')
choice.addEventHandler({
  onAdd: ({ data }) => followOnly(wantedOf(data?.['resources'])),
  onUpdate: (_, { data }) => followOnly(wantedOf(data?.['resources'])),
  onDelete: () => followOnly([]),
})
await choice.run({ signal }) // until Ctrl-C
await factory.shutdown() // what is still held was released by the signal
