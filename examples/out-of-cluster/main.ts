// How many Pods the cluster has, again and again until Ctrl-C, and whether one of them is there: what errors are told by.
//
//   node examples/out-of-cluster/dist/main.js [--kubeconfig FILE] [--pod NAMESPACE/NAME] [--every SECONDS]

import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  ApiError,
  buildConfigFromFlags,
  Clientset,
  isNotFound,
  setupSignalHandler,
  splitMetaNamespaceKey,
} from 'kubewright'
import { until } from 'kubewright/wait'

const { values: flags } = parseArgs({
  options: {
    kubeconfig: { type: 'string', default: join(homedir(), '.kube', 'config') },
    pod: { type: 'string', default: 'default/example-xxxxx' },
    every: { type: 'string', default: '10' },
  },
})
const signal = setupSignalHandler()
const { namespace, name } = splitMetaNamespaceKey(flags.pod)

await using clientset = new Clientset(await buildConfigFromFlags('', flags.kubeconfig, { signal }))

async function look(): Promise<void> {
  const pods = await clientset.coreV1().pods().list({ signal }) // without a namespace: of all
  console.log(`there are ${pods.items.length} pods in the cluster`)
  try {
    await clientset.coreV1().pods(namespace).get(name, { signal })
    console.log(`found pod ${flags.pod}`)
  } catch (err) {
    if (isNotFound(err)) console.log(`pod ${flags.pod} not found`)
    else if (err instanceof ApiError) console.log(`error getting pod ${flags.pod}: ${err.status.message}`)
    else throw err // no answer: the connection failed, or Ctrl-C
  }
}

await until(look, { period: Number(flags.every) * 1000, signal })
