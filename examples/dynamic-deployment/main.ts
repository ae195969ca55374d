// A Deployment's life, without its type: create, update, list and delete with the dynamic client.
//
//   node examples/dynamic-deployment/dist/main.js [--kubeconfig FILE] [--namespace default]

import { parseArgs } from 'node:util'
import { DynamicClient, getConfig, retryOnConflict, setupSignalHandler } from 'kubewright'
import { nestedInt64, nestedSlice, nestedString, setNestedField } from 'kubewright/meta'

const { values: flags } = parseArgs({
  options: { kubeconfig: { type: 'string' }, namespace: { type: 'string', default: 'default' } },
})
const signal = setupSignalHandler()
const client = new DynamicClient(await getConfig({ kubeconfig: flags.kubeconfig }))
const deployments = client
  .resource({ group: 'apps', version: 'v1', resource: 'deployments' })
  .namespace(flags.namespace)

console.log('Creating deployment...')
const created = await deployments.create(
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'demo-deployment' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'demo' } },
      template: {
        metadata: { labels: { app: 'demo' } },
        spec: {
          containers: [
            { name: 'web', image: 'nginx:1.12', ports: [{ name: 'http', protocol: 'TCP', containerPort: 80 }] },
          ],
        },
      },
    },
  },
  { signal },
)
console.log(`Created deployment "${created.metadata.name}".`)

console.log('Updating deployment...')
// The deployment's controller writes too: an update that meets a newer version fails, and is done again on that one.
await retryOnConflict(async () => {
  const live = await deployments.get('demo-deployment', { signal })
  const containers = nestedSlice(live, 'spec', 'template', 'spec', 'containers')
  const [container] = containers ?? []
  if (typeof container !== 'object' || container === null) throw new Error('the deployment has no container')
  setNestedField(container, 'nginx:1.13', 'image')
  setNestedField(live, 1, 'spec', 'replicas')
  setNestedField(live, containers, 'spec', 'template', 'spec', 'containers')
  await deployments.update(live, { signal })
})
console.log('Updated deployment: 1 replica of nginx:1.13.')

console.log(`Listing deployments in namespace "${flags.namespace}":`)
for (const item of (await deployments.list({ signal })).items) {
  const image = nestedString((nestedSlice(item, 'spec', 'template', 'spec', 'containers') ?? [])[0] ?? {}, 'image')
  console.log(` * ${item.metadata.name} (${nestedInt64(item, 'spec', 'replicas')} replicas of ${image})`)
}

console.log('Deleting deployment...')
await deployments.delete('demo-deployment', { propagationPolicy: 'Foreground', signal })
console.log('Deleted deployment.')
