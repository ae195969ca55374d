// What a server has: which resources can be watched, what a short name such as `deploy` stands for, and how many replicas
// an object of that resource has. The kind is known only when the program runs.
//
//   node examples/find-kinds/dist/main.js [RESOURCE] [NAME] [--kubeconfig FILE] [--namespace NAME]

import { parseArgs } from 'node:util'
import { Clientset, getConfig, isNotFound, setupSignalHandler } from 'kubewright'
import { filteredBy, MemCacheClient, supportsAllVerbs } from 'kubewright/discovery'
import { DeferredDiscoveryRESTMapper, ShortcutExpander } from 'kubewright/restmapper'
import { ScaleClient } from 'kubewright/scale'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { kubeconfig: { type: 'string' }, namespace: { type: 'string', default: 'default' } },
})
const [wanted = 'deploy', name = 'web'] = positionals
const signal = setupSignalHandler()

await using clientset = new Clientset(await getConfig({ kubeconfig: flags.kubeconfig, signal }))
// Asked of the server once, for all that follows.
const discovery = new MemCacheClient(clientset.discovery())

// Where an aggregated API does not answer, `failed` says so; the others are there.
const { resources, failed } = await discovery.serverPreferredResources({ signal })
if (failed) console.error(failed.message)
for (const list of filteredBy(supportsAllVerbs(['list', 'watch']), resources)) {
  console.log(`${list.groupVersion}: ${list.resources.map((resource) => resource.name).join(', ')}`)
}

// The mapper knows plural and singular names; the expander puts them in the place of short ones.
const mapper = new ShortcutExpander(new DeferredDiscoveryRESTMapper(discovery), discovery)
const resource = await mapper.resourceFor({ resource: wanted }, { signal })
const { kind } = await mapper.kindFor(resource, { signal })
console.log(
  `${wanted} is ${resource.resource} of ${resource.group || 'the core group'}/${resource.version}, of kind ${kind}`,
)

const scales = new ScaleClient(clientset.config, { mapper }).scales(flags.namespace)
try {
  const { spec, status } = await scales.get(resource, name, { signal })
  console.log(`${name}: ${status.replicas} of ${spec.replicas ?? 0} replicas`)
} catch (err) {
  if (!isNotFound(err)) throw err
  console.log(`${name}: there is none, or it has no replicas`)
}
