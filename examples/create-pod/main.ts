// Creates the Pod demo-pod.
//
//   node examples/create-pod/dist/main.js [--kubeconfig FILE] [--namespace NAME]

import { parseArgs } from 'node:util'
import { Clientset, getConfig, isAlreadyExists, setupSignalHandler } from 'kubewright'

const { values: flags } = parseArgs({
  options: { kubeconfig: { type: 'string' }, namespace: { type: 'string', default: 'default' } },
})
const signal = setupSignalHandler()

await using clientset = new Clientset(await getConfig({ kubeconfig: flags.kubeconfig, signal }))
try {
  const pod = await clientset
    .coreV1()
    .pods(flags.namespace)
    .create(
      {
        metadata: { name: 'demo-pod', labels: { app: 'demo' } },
        spec: { containers: [{ name: 'nginx', image: 'nginx:1.27', ports: [{ containerPort: 80 }] }] },
      },
      { signal },
    )
  // What was stored: the defaults are filled in.
  console.log(`created pod ${pod.metadata.namespace}/${pod.metadata.name} restartPolicy=${pod.spec.restartPolicy}`)
} catch (err) {
  if (!isAlreadyExists(err)) throw err
  console.log(`pod ${flags.namespace}/demo-pod is there already`)
}
