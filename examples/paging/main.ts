// Goes through all ConfigMaps of a namespace, however many, in pages: neither the server nor this program holds them all.
//
//   node examples/paging/dist/main.js [--kubeconfig FILE] [--namespace NAME] [--page-size N]

import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildConfigFromFlags, Clientset, setupSignalHandler } from 'kubewright'
import { pager } from 'kubewright/pager'

const { values: flags } = parseArgs({
  options: {
    kubeconfig: { type: 'string', default: join(homedir(), '.kube', 'config') },
    namespace: { type: 'string', default: 'default' },
    'page-size': { type: 'string', default: '500' },
  },
})
const signal = setupSignalHandler()

await using clientset = new Clientset(await buildConfigFromFlags('', flags.kubeconfig, { signal }))
const configMaps = pager(clientset.coreV1().configMaps(flags.namespace), { pageSize: Number(flags['page-size']) })

// Item by item: while one is looked at, the next pages are read already.
let items = 0
let characters = 0
for await (const { data } of configMaps.items({ signal })) {
  items++
  for (const value of Object.values(data ?? {})) characters += value.length
}
console.log(`items=${items} characters=${characters}`)

// Page by page, which also says how far one is.
for await (const page of configMaps.pages({ signal })) {
  console.log(`page of ${page.items.length}, ${page.metadata.remainingItemCount ?? 0} to come`)
}
