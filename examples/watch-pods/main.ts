// What happens to the Pods of a namespace, until the server ends the watch: a plain one, without going on after that.
//
//   node examples/watch-pods/dist/main.js [--kubeconfig FILE] [--namespace NAME]

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
try {
  // The Pods that there are come first, as ADDED.
  for await (const event of await clientset.coreV1().pods(flags.namespace).watch({ signal })) {
    console.log(`event=${event.type} kind=${event.object.kind}`)
  }
  console.log('the server ended the watch')
} catch (err) {
  if (!signal.aborted) throw err
}
