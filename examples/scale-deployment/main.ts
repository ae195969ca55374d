// Sets the replicas of a Deployment: reads it, changes it, writes it back.
//
//   node examples/scale-deployment/dist/main.js [--kubeconfig FILE] [--namespace NAME] [--replicas N] DEPLOYMENT

import { parseArgs } from 'node:util'
import { Clientset, getConfig, isConflict, setupSignalHandler } from 'kubewright'

const {
  values: flags,
  positionals: [name = 'demo-deployment'],
} = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    namespace: { type: 'string', default: 'default' },
    replicas: { type: 'string', default: '3' },
  },
  allowPositionals: true,
})
const signal = setupSignalHandler()

await using clientset = new Clientset(await getConfig({ kubeconfig: flags.kubeconfig, signal }))
const deployments = clientset.appsV1().deployments(flags.namespace)

const deployment = await deployments.get(name, { signal })
const before = deployment.spec.replicas
deployment.spec.replicas = Number(flags.replicas)
try {
  const { spec } = await deployments.update(deployment, { signal })
  console.log(`deployment ${name} scaled from ${before} to ${spec.replicas}`)
} catch (err) {
  // It was changed since it was read. Programs that are not asked by somebody try again: see deployment-crud.
  if (!isConflict(err)) throw err
  console.error(`somebody else changed deployment ${name} in the meantime; try again`)
  process.exitCode = 1
}
