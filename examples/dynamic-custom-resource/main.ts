// A custom resource, all of it with the dynamic client: its definition, and objects of it that no type describes.
//
//   node examples/dynamic-custom-resource/dist/main.js [--kubeconfig FILE] [--namespace default]

import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { DynamicClient, getConfig, isNotFound, mergePatch, setupSignalHandler } from 'kubewright'
import { nestedInt64, nestedString } from 'kubewright/meta'

const { values: flags } = parseArgs({
  options: { kubeconfig: { type: 'string' }, namespace: { type: 'string', default: 'default' } },
})
const signal = setupSignalHandler()
const client = new DynamicClient(await getConfig({ kubeconfig: flags.kubeconfig }))
const definitions = client.resource({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
})
const backups = client
  .resource({ group: 'dynamic.example.com', version: 'v1', resource: 'backups' })
  .namespace(flags.namespace)

const properties = { spec: { type: 'object', properties: { schedule: { type: 'string' }, keep: { type: 'integer' } } } }
await definitions.create(
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'backups.dynamic.example.com' },
    spec: {
      group: 'dynamic.example.com',
      scope: 'Namespaced',
      names: { plural: 'backups', singular: 'backup', kind: 'Backup' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties } } },
      ],
    },
  },
  { signal },
)
try {
  // A moment passes until the server serves what was defined.
  while (!(await backups.list({ signal }).catch(unlessNotFound))) await sleep(100, undefined, { signal })

  await backups.create(
    {
      apiVersion: 'dynamic.example.com/v1',
      kind: 'Backup',
      metadata: { name: 'nightly' },
      spec: { schedule: '0 3 * * *', keep: 7 },
    },
    { signal },
  )
  const changed = await backups.patch('nightly', mergePatch({ spec: { keep: 14 } }), { signal })
  console.log(`keep ${nestedInt64(changed, 'spec', 'keep')}, at generation ${changed.metadata.generation}`)
  for (const backup of (await backups.list({ signal })).items) {
    console.log(`${backup.kind} ${backup.metadata.name}: ${nestedString(backup, 'spec', 'schedule')}`)
  }
  await backups.delete('nightly', { signal })
  console.log(`${(await backups.list({ signal })).items.length} left`)
} finally {
  await definitions.delete('backups.dynamic.example.com')
}

function unlessNotFound(err: unknown): undefined {
  if (!isNotFound(err)) throw err
}
