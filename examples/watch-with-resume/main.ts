// What happens to the Pods of a namespace, for as long as the program runs: a RetryWatcher goes on where it was when the
// connection breaks or the server ends the watch, and leaves nothing out.
//
//   node examples/watch-with-resume/dist/main.js [--kubeconfig FILE] [--namespace NAME]

import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildConfigFromFlags, Clientset, setupSignalHandler } from 'kubewright'
import { RetryWatcher } from 'kubewright/watch'

const { values: flags } = parseArgs({
  options: {
    kubeconfig: { type: 'string', default: join(homedir(), '.kube', 'config') },
    namespace: { type: 'string', default: 'default' },
  },
})
const signal = setupSignalHandler()

await using clientset = new Clientset(await buildConfigFromFlags('', flags.kubeconfig, { signal }))
const pods = clientset.coreV1().pods(flags.namespace)
try {
  while (!signal.aborted) {
    const { items, metadata } = await pods.list({ signal })
    const { resourceVersion } = metadata
    console.log(`listed ${items.length} pods at version ${resourceVersion}`)
    for await (const event of new RetryWatcher(resourceVersion, pods, { signal })) {
      if (event.type === 'BOOKMARK') continue
      if (event.type === 'ERROR') {
        // 410: away for so long that the server has forgotten the version. What there is now is listed anew.
        if (event.object.code !== 410) throw new Error(event.object.message)
        break
      }
      const { name, resourceVersion: version } = event.object.metadata
      console.log(`event=${event.type} pod=${name} version=${version}`)
    }
  }
} catch (err) {
  if (!signal.aborted) throw err
}
