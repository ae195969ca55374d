// Informers that are held, as objects and as bytes, by all factories, on a real server.

import { type Clientset, DynamicClient, MetadataClient, SharedInformerFactory } from 'kubewright'
import { ConfigMap } from 'kubewright/api/core/v1'
import { newBytesInformer } from 'kubewright/cache'
import { DynamicSharedInformerFactory, MetadataSharedInformerFactory } from 'kubewright/informers'
import { expect, it } from 'vitest'
import { describeWithControlPlane, testNamespace } from '../control-plane/fixture.js'
import { eventually } from './eventually.js'
import { clientsetFor } from './helpers.js'
import { proxiedClientset } from './proxied.js'

const configMaps = { group: '', version: 'v1', resource: 'configmaps' }

describeWithControlPlane('informers that are held', () => {
  it('follow the server until the last one lets go, and leave no connection', async () => {
    const namespace = await testNamespace()
    const { clientset, proxy, close } = await proxiedClientset()
    await using direct = await clientsetFor()
    const client = direct.coreV1().configMaps(namespace)
    const create = (name: string) => client.create({ metadata: { name }, data: { name } })
    await create('first')

    const { config } = clientset
    const namespaced = { namespace }
    const typed = new SharedInformerFactory(clientset, namespaced)
    const dynamic = new DynamicSharedInformerFactory(new DynamicClient(config), namespaced)
    const picking = new DynamicSharedInformerFactory(new DynamicClient(config), namespaced)
    const metadata = new MetadataSharedInformerFactory(new MetadataClient(config), namespaced)
    for (let round = 0; round < 3; round++) {
      const handles = [
        typed.acquire(ConfigMap),
        typed.acquire(ConfigMap, { store: 'bytes' }),
        dynamic.acquire(configMaps, { store: 'bytes' }),
        picking.acquire(ConfigMap, { store: 'bytes', pick: ['data'] }),
        metadata.acquire(configMaps),
        metadata.acquire(configMaps, { store: 'bytes' }),
      ]
      await Promise.all(handles.map((handle) => handle.synced))
      await create(`round-${round}`)
      const names = (handle: (typeof handles)[number]): unknown[] =>
        handle.lister
          .byNamespace(namespace)
          .list()
          .map((obj) => obj.metadata?.name)
      for (const handle of handles) await eventually(() => names(handle).includes(`round-${round}`))
      const [objects, bytes, named, picked, partial, partialBytes] = handles.map((handle) =>
        handle.lister.byNamespace(namespace).get(`round-${round}`),
      )
      expect(objects?.metadata?.managedFields).not.toHaveLength(0)
      expect(bytes).toEqual(objects)
      expect(named).toEqual(objects)
      expect(picked).toMatchObject({ kind: 'ConfigMap', data: { name: `round-${round}` } })
      expect(picked?.metadata).toMatchObject({ uid: objects?.metadata?.uid })
      expect(picked?.metadata?.managedFields).toBeUndefined()
      expect(partial).toMatchObject({ kind: 'PartialObjectMetadata', metadata: objects?.metadata })
      expect(partialBytes).toEqual(partial)
      await Promise.all(handles.map((handle) => handle.release()))
    }
    await clientset.close()
    await eventually(() => proxy.open === 0)
    await close()
  })

  it.each([true, false])('keep the bytes of metadata, streamed: %s', async (useWatchList) => {
    const namespace = await testNamespace()
    await using clientset: Clientset = await clientsetFor()
    await clientset
      .coreV1()
      .configMaps(namespace)
      .create({ metadata: { name: 'first' }, data: { big: 'x' } })
    const client = new MetadataClient(clientset.config).resource(configMaps).namespace(namespace)
    const informer = newBytesInformer({ apiVersion: 'meta.k8s.io/v1' }, client, { useWatchList })
    const controller = new AbortController()
    const running = informer.run(controller)
    await informer.synced
    const ref = informer.indexer.getByKey(`${namespace}/first`)
    expect([ref?.apiVersion, ref?.kind]).toEqual(['meta.k8s.io/v1', 'PartialObjectMetadata'])
    expect(ref?.decode()).toEqual(await client.get('first'))
    controller.abort()
    await running
  })
})
