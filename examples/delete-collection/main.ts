// Deletes many objects with one call: all Deployments that a label selects.
//
//   node examples/delete-collection/dist/main.js [--kubeconfig FILE] [--namespace NAME]

import { parseArgs } from 'node:util'
import { Clientset, getConfig, setupSignalHandler } from 'kubewright'

const { values: flags } = parseArgs({
  options: { kubeconfig: { type: 'string' }, namespace: { type: 'string', default: 'default' } },
})
const signal = setupSignalHandler()

await using clientset = new Clientset(await getConfig({ kubeconfig: flags.kubeconfig, signal }))
const deployments = clientset.appsV1().deployments(flags.namespace)

const ours = 'example=delete-collection'
for (const [name, color] of Object.entries({ 'demo-1': 'blue', 'demo-2': 'blue', 'demo-3': 'green' })) {
  const labels = { example: 'delete-collection', color }
  await deployments.create(
    {
      metadata: { name, labels },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { app: name } },
          spec: { containers: [{ name: 'nginx', image: 'nginx:1.27' }] },
        },
      },
    },
    { signal },
  )
}

async function print(title: string): Promise<void> {
  const { items } = await deployments.list({ labelSelector: ours, signal })
  console.log(`${title}: ${items.map(({ metadata }) => metadata.name).join(', ') || 'none'}`)
}

await print('created')
// First how to delete, then what: as a list would select it.
await deployments.deleteCollection({ propagationPolicy: 'Background', signal }, { labelSelector: `${ours},color=blue` })
await print('without the blue ones')
await deployments.deleteCollection({ propagationPolicy: 'Background', signal }, { labelSelector: ours })
await print('without any')
