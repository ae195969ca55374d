// Metadata clients: what they read of objects, built in and custom, and what the server does for them.

import { type Clientset, DynamicClient, isNotFound, MetadataClient, mergePatch } from 'kubewright'
import { Secret } from 'kubewright/api/core/v1'
import { MetadataSharedInformerFactory } from 'kubewright/informers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithControlPlane, testNamespace } from '../control-plane/fixture.js'
import { eventually } from './eventually.js'
import { clientsetFor } from './helpers.js'
import { suiteWidgets } from './widgets.js'

const secretsResource = { group: '', version: 'v1', resource: 'secrets' }

describeWithControlPlane('a metadata client', () => {
  const { kind: Widget } = suiteWidgets('metadata.suite.kubewright.dev')
  let clientset: Clientset
  let client: MetadataClient
  beforeAll(async () => {
    clientset = await clientsetFor()
    client = new MetadataClient(clientset.config)
  })
  afterAll(() => clientset.close())

  const createSecrets = async (namespace: string, ...names: string[]): Promise<void> => {
    for (const name of names) {
      await clientset
        .coreV1()
        .secrets(namespace)
        .create({ metadata: { name, labels: { app: name, suite: 'metadata' } }, stringData: { password: 'hidden' } })
    }
  }

  it('get, patch and delete', async () => {
    const namespace = await testNamespace()
    await createSecrets(namespace, 'a')
    const secrets = client.resource(Secret).namespace(namespace)
    const read = await secrets.get('a')
    expect(read).toMatchObject({
      apiVersion: 'meta.k8s.io/v1',
      kind: 'PartialObjectMetadata',
      metadata: { name: 'a', namespace, labels: { app: 'a' } },
    })
    expect(Object.keys(read).sort()).toEqual(['apiVersion', 'kind', 'metadata'])
    const patched = await secrets.patch('a', mergePatch({ metadata: { annotations: { seen: 'yes' } } }))
    expect(patched.metadata.annotations).toEqual({ seen: 'yes' })
    expect(Object.keys(patched)).not.toContain('data')
    expect((await clientset.coreV1().secrets(namespace).get('a')).data).toEqual({ password: btoa('hidden') })
    await secrets.delete('a', { preconditions: { uid: read.metadata.uid } })
    await expect(secrets.get('a')).rejects.toSatisfy(isNotFound)
  })

  it('list, watch and deleteCollection', async () => {
    const namespace = await testNamespace()
    await createSecrets(namespace, 'a', 'b', 'c')
    const secrets = client.resource(secretsResource).namespace(namespace)
    const page = await secrets.list({ labelSelector: 'suite=metadata', limit: 2 })
    expect(page.kind).toBe('PartialObjectMetadataList')
    expect(page.metadata.continue).toBeTruthy()
    expect(page.items.map(({ kind, metadata }) => [kind, metadata.name])).toEqual([
      ['PartialObjectMetadata', 'a'],
      ['PartialObjectMetadata', 'b'],
    ])
    expect(JSON.stringify(page)).not.toContain(btoa('hidden'))
    const watch = await secrets.watch({ resourceVersion: page.metadata.resourceVersion, allowWatchBookmarks: true })
    await secrets.deleteCollection({}, { labelSelector: 'app in (a,b)' })
    const seen: unknown[] = []
    for await (const event of watch) {
      if (event.type !== 'DELETED') continue
      seen.push([event.object.kind, event.object.metadata.name, Object.keys(event.object).length])
      if (seen.length === 2) break
    }
    expect(seen).toEqual([
      ['PartialObjectMetadata', 'a', 3],
      ['PartialObjectMetadata', 'b', 3],
    ])
    expect((await secrets.list({ labelSelector: 'suite=metadata' })).items.map((item) => item.metadata.name)).toEqual([
      'c',
    ])
  })

  it('custom resources are read and deleted as well', async () => {
    const namespace = await testNamespace()
    const widgets = new DynamicClient(clientset.config).resource(Widget).namespace(namespace)
    await widgets.create({ metadata: { name: 'w', finalizers: ['suite.kubewright.dev/wait'] }, spec: { size: 1 } })
    const metadata = client.resource(Widget).namespace(namespace)
    expect(Object.keys(await metadata.get('w')).sort()).toEqual(['apiVersion', 'kind', 'metadata'])
    await metadata.delete('w')
    expect((await metadata.get('w')).metadata.deletionTimestamp).toBeTruthy()
    await metadata.patch('w', mergePatch({ metadata: { finalizers: null } }))
    await expect(metadata.get('w')).rejects.toSatisfy(isNotFound)
  })

  it('informers keep metadata only', async () => {
    const namespace = await testNamespace()
    await createSecrets(namespace, 'a')
    await using factory = new MetadataSharedInformerFactory(client, { namespace })
    const { informer, lister } = factory.forKind(Secret)
    const told: string[] = []
    informer.addEventHandler({
      onAdd: ({ metadata }) => told.push(`add ${metadata.name}`),
      onUpdate: (_, { metadata }) => told.push(`update ${metadata.name} ${metadata.labels?.['new']}`),
    })
    factory.start({ signal: new AbortController().signal })
    expect((await factory.waitForCacheSync()).asError()).toBeUndefined()
    await createSecrets(namespace, 'b')
    await client
      .resource(Secret)
      .namespace(namespace)
      .patch('a', mergePatch({ metadata: { labels: { new: 'yes' } } }))
    await eventually(() => told.includes('add b') && told.includes('update a yes'))
    for (const item of lister.list()) expect(Object.keys(item).sort()).toEqual(['apiVersion', 'kind', 'metadata'])
    expect(lister.byNamespace(namespace).get('b')?.kind).toBe('PartialObjectMetadata')
  })
})
