// The life of a Deployment: created, changed, listed and deleted.
//
//   node examples/deployment-crud/dist/main.js [--kubeconfig FILE] [--namespace NAME]

import { parseArgs } from 'node:util'
import { Clientset, getConfig, retryOnConflict, setupSignalHandler } from 'kubewright'
import type { DeploymentInput } from 'kubewright/api/apps/v1'

const { values: flags } = parseArgs({
  options: { kubeconfig: { type: 'string' }, namespace: { type: 'string', default: 'default' } },
})
const signal = setupSignalHandler()

await using clientset = new Clientset(await getConfig({ kubeconfig: flags.kubeconfig, signal }))
const deployments = clientset.appsV1().deployments(flags.namespace)

const name = 'demo-deployment'
const labels = { app: 'demo' }
const wanted: DeploymentInput = {
  metadata: { name, labels },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels }, // the selector has to select them
      spec: {
        containers: [
          { name: 'web', image: 'nginx:1.12', ports: [{ name: 'http', protocol: 'TCP', containerPort: 80 }] },
        ],
      },
    },
  },
}

const created = await deployments.create(wanted, { signal })
console.log(`created deployment ${created.metadata.name}`)

// Controllers write to it too, so it may have changed between reading and writing: then both are done anew.
await retryOnConflict(
  async () => {
    const live = await deployments.get(name, { signal })
    live.spec.replicas = 1
    for (const container of live.spec.template.spec.containers) container.image = 'nginx:1.13'
    await deployments.update(live, { signal })
  },
  { signal },
)
console.log(`updated deployment ${name}`)

const { items } = await deployments.list({ labelSelector: 'app=demo', signal })
for (const { metadata, spec } of items) {
  const images = spec.template.spec.containers.map(({ image }) => image)
  console.log(`  ${metadata.name}: ${spec.replicas} replicas of ${images.join(', ')}`)
}

// Foreground: its ReplicaSets and Pods go first, and it is seen until they are gone.
await deployments.delete(name, { propagationPolicy: 'Foreground', signal })
console.log(`deleted deployment ${name}`)
