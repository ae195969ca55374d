// What becomes of a Deployment's ReplicaSet when the Deployment is deleted: it stays, goes after it, or goes before it.
//
//   node examples/delete-propagation/dist/main.js [--kubeconfig FILE] [--namespace NAME]

import { parseArgs } from 'node:util'
import { Clientset, getConfig, isNotFound, setupSignalHandler } from 'kubewright'
import { pollUntilContextTimeout } from 'kubewright/wait'

const { values: flags } = parseArgs({
  options: { kubeconfig: { type: 'string' }, namespace: { type: 'string', default: 'default' } },
})
const signal = setupSignalHandler()

await using clientset = new Clientset(await getConfig({ kubeconfig: flags.kubeconfig, signal }))
const deployments = clientset.appsV1().deployments(flags.namespace)
const replicaSets = clientset.appsV1().replicaSets(flags.namespace)
const soon = { interval: 300, timeout: 60_000, immediate: true, signal }

for (const propagationPolicy of ['Orphan', 'Background', 'Foreground']) {
  const name = `demo-${propagationPolicy.toLowerCase()}`
  const labelSelector = `app=${name}`
  const dependents = async () => (await replicaSets.list({ labelSelector, signal })).items

  await deployments.create(
    {
      metadata: { name },
      spec: {
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { app: name } },
          spec: { containers: [{ name: 'nginx', image: 'nginx:1.27' }] },
        },
      },
    },
    { signal },
  )
  // Once its Pods are there, the garbage collector has heard of the ReplicaSet as well: it could not leave it otherwise.
  await pollUntilContextTimeout(async () => (await dependents()).some(({ status }) => status.replicas > 0), soon)

  const answer = await deployments.delete(name, { propagationPolicy, signal })
  // Something has to be done before it can go: then it is still there, with a finalizer.
  if (answer.kind === 'Deployment') console.log(`${propagationPolicy}: waits for ${answer.metadata.finalizers?.join()}`)
  else console.log(`${propagationPolicy}: gone at once`)
  await pollUntilContextTimeout(async () => {
    try {
      await deployments.get(name, { signal })
      return false
    } catch (err) {
      if (isNotFound(err)) return true
      throw err
    }
  }, soon)

  if (propagationPolicy === 'Background') {
    await pollUntilContextTimeout(async () => (await dependents()).length === 0, soon)
    console.log(`${propagationPolicy}: the ReplicaSet went after it`)
    continue
  }
  const left = await dependents()
  if (left.length === 0) console.log(`${propagationPolicy}: the ReplicaSet went before it`)
  for (const { metadata } of left) {
    console.log(`${propagationPolicy}: the ReplicaSet stays, with ${metadata.ownerReferences?.length ?? 0} owners`)
    await replicaSets.delete(metadata.name, { propagationPolicy: 'Background', signal })
  }
}
