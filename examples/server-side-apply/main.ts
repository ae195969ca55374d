// Two programs state what each wants of one Deployment; the server keeps who owns which field, and refuses to let one
// take the other's, unless it insists.
//
//   node examples/server-side-apply/dist/main.js [--kubeconfig FILE] [--namespace NAME]

import { parseArgs } from 'node:util'
import { type ApplyConfiguration, Clientset, getConfig, setupSignalHandler } from 'kubewright'
import type { Deployment, DeploymentInput } from 'kubewright/api/apps/v1'
import { conflictsOf, ownersOf } from 'kubewright/managedfields'

const { values: flags } = parseArgs({
  options: { kubeconfig: { type: 'string' }, namespace: { type: 'string', default: 'default' } },
})
const signal = setupSignalHandler()

await using clientset = new Clientset(await getConfig({ kubeconfig: flags.kubeconfig, signal }))
const deployments = clientset.appsV1().deployments(flags.namespace)

const name = 'demo-apply'
const replicasOf = (deployment: Deployment): string => {
  const owners = ownersOf(deployment, '.spec.replicas').map(({ manager }) => manager)
  return `replicas=${deployment.spec.replicas} of ${owners.join(', ')}`
}

// The operator wants a whole Deployment, which is created.
const whole = (replicas?: number): ApplyConfiguration<DeploymentInput> => ({
  metadata: { name },
  spec: {
    ...(replicas !== undefined && { replicas }),
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] },
    },
  },
})
const operator = { fieldManager: 'operator', signal }
console.log(`operator: ${replicasOf(await deployments.apply(whole(2), operator))}`)

// The scaler wants one field, which the operator owns with another value.
const scaled = { metadata: { name }, spec: { replicas: 5 } }
const scaler = { fieldManager: 'scaler', signal }
try {
  await deployments.apply(scaled, scaler)
} catch (err) {
  const conflicts = conflictsOf(err)
  if (conflicts.length === 0) throw err
  for (const { field, manager } of conflicts) console.log(`scaler: conflict, ${field} is owned by ${manager}`)
}
console.log(`scaler, by force: ${replicasOf(await deployments.apply(scaled, { ...scaler, force: true }))}`)

// Who leaves a field out of what it applies gives it up. So the operator does not undo what the scaler sets.
console.log(`operator, without replicas: ${replicasOf(await deployments.apply(whole(), operator))}`)

await deployments.delete(name, { signal })
