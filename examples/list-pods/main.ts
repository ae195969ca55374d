// The Pods of a namespace, with their phase and node.
//
//   node examples/list-pods/dist/main.js [--kubeconfig FILE] [--namespace NAME]

import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildConfigFromFlags, Clientset, setupSignalHandler } from 'kubewright'

const { values: flags } = parseArgs({
  options: {
    kubeconfig: { type: 'string', default: join(homedir(), '.kube', 'config') },
    namespace: { type: 'string', default: 'default' },
  },
})
const signal = setupSignalHandler()

await using clientset = new Clientset(await buildConfigFromFlags('', flags.kubeconfig, { signal }))
const pods = await clientset.coreV1().pods(flags.namespace).list({ signal })
for (const pod of pods.items) {
  console.log(`pod=${pod.metadata.name} phase=${pod.status.phase} node=${pod.spec.nodeName ?? ''}`)
}
