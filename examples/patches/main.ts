// One change of a Deployment, sent as each kind of patch: computed from the object before and after the change, or stated by
// who owns it. The server merges; nothing that is not in the patch is touched.
//
//   node examples/patches/dist/main.js [--kubeconfig FILE] [--namespace NAME]

import { parseArgs } from 'node:util'
import {
  Clientset,
  deepCopy,
  getConfig,
  jsonPatch,
  mergePatch,
  setupSignalHandler,
  strategicMergePatch,
} from 'kubewright'
import type { Deployment } from 'kubewright/api/apps/v1'
import { extract } from 'kubewright/managedfields'
import { createJsonPatch, createMergePatch, createTwoWayStrategicMergePatch } from 'kubewright/patch'
import { DeploymentSchema } from 'kubewright/schema/apps/v1'

const { values: flags } = parseArgs({
  options: { kubeconfig: { type: 'string' }, namespace: { type: 'string', default: 'default' } },
})
const signal = setupSignalHandler()

await using clientset = new Clientset(await getConfig({ kubeconfig: flags.kubeconfig, signal }))
const deployments = clientset.appsV1().deployments(flags.namespace)

const name = 'demo-patches'
const operator = { fieldManager: 'operator', signal }
let live = await deployments.apply(
  {
    metadata: { name },
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: {
          containers: [
            { name: 'web', image: 'nginx:1.27' },
            { name: 'log', image: 'busybox:1.37' },
          ],
        },
      },
    },
  },
  operator,
)

/** The object with another image of its first container. */
function withImage(old: Deployment, image: string): Deployment {
  const changed = deepCopy(old)
  const [web] = changed.spec.template.spec.containers
  if (web) web.image = image
  return changed
}

function print(title: string, patch: unknown): void {
  console.log(`${title}: ${JSON.stringify(patch)}`)
}

// A JSON patch: steps. It has its place in a list by number, so `test` may be wise.
const steps = createJsonPatch(live, withImage(live, 'nginx:1.28'))
print('JSON patch', steps)
live = await deployments.patch(name, jsonPatch(steps), { signal })

// A merge patch: lists are replaced whole, so both containers are in it. For any kind.
const merge = createMergePatch(live, withImage(live, 'nginx:1.29'))
const { spec } = merge as Partial<Deployment>
print(
  'merge patch, its containers',
  spec?.template.spec.containers.map((container) => container.name),
)
live = await deployments.patch(name, mergePatch(merge), { signal })

// A strategic merge patch: lists merge by the kind's keys, here the container's name. For built-in kinds.
const strategic = createTwoWayStrategicMergePatch(live, withImage(live, 'nginx:1.30'), DeploymentSchema)
print('strategic merge patch', strategic)
live = await deployments.patch(name, strategicMergePatch(strategic), { signal })

// Apply: all that one manager wants. What it has applied is read out of the object, changed, and applied again.
const mine = extract(live, 'operator', DeploymentSchema)
mine.spec = { ...mine.spec, replicas: 1 }
print('apply', mine.spec.replicas)
live = await deployments.apply(mine, operator)

console.log(`image=${live.spec.template.spec.containers[0]?.image} replicas=${live.spec.replicas}`)
await deployments.delete(name, { signal })
