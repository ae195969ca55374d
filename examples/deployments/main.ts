// The Deployments of a namespace with their replicas, or one of them by its name.
//
//   node examples/deployments/dist/main.js [--kubeconfig FILE] [--namespace NAME] [DEPLOYMENT]

import { parseArgs } from 'node:util'
import { Clientset, getConfig, isNotFound, setupSignalHandler } from 'kubewright'
import type { Deployment } from 'kubewright/api/apps/v1'

const {
  values: flags,
  positionals: [name],
} = parseArgs({
  options: { kubeconfig: { type: 'string' }, namespace: { type: 'string', default: 'default' } },
  allowPositionals: true,
})
const signal = setupSignalHandler()

await using clientset = new Clientset(await getConfig({ kubeconfig: flags.kubeconfig, signal }))
const deployments = clientset.appsV1().deployments(flags.namespace)

const print = ({ metadata, spec, status }: Deployment): void =>
  console.log(`deployment=${metadata.name} replicas=${spec.replicas ?? 1} ready=${status.readyReplicas ?? 0}`)

if (name === undefined) {
  const { items } = await deployments.list({ signal })
  items.forEach(print)
} else {
  try {
    print(await deployments.get(name, { signal }))
  } catch (err) {
    if (!isNotFound(err)) throw err
    console.error(`there is no deployment ${flags.namespace}/${name}`)
    process.exitCode = 1
  }
}
