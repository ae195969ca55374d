// On a real server: what one has written is read at once, over an informer that learns of it later, while others write too.

import { type Clientset, mergePatch, SharedInformerFactory } from 'kubewright'
import type { ConfigMap } from 'kubewright/api/core/v1'
import { ReadYourWrites, recordingClient } from 'kubewright/cache'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithControlPlane, testNamespace } from '../control-plane/fixture.js'
import { eventually } from './eventually.js'
import { clientsetFor } from './helpers.js'

describeWithControlPlane('reading what one has written', () => {
  let mine: Clientset
  let theirs: Clientset
  beforeAll(async () => {
    mine = await clientsetFor()
    theirs = await clientsetFor()
  })
  afterAll(async () => {
    await mine.close()
    await theirs.close()
  })

  it('by key and by index, after each of 300 writes, and in the end what the server has', async () => {
    const namespace = await testNamespace()
    await using factory = new SharedInformerFactory(mine, { namespace })
    const { informer } = factory.coreV1().configMaps()
    informer.addIndexers({ app: (obj) => [obj.metadata.labels?.['app'] ?? ''] })
    const stop = new AbortController()
    factory.start({ signal: stop.signal })
    await factory.waitForCacheSync()

    const reads = new ReadYourWrites<ConfigMap>(informer.indexer)
    const client = recordingClient(mine.coreV1().configMaps(namespace), reads)
    const others = theirs.coreV1().configMaps(namespace)
    let ahead = 0
    const version = (name: string) => reads.getByKey(`${namespace}/${name}`)?.metadata.resourceVersion
    const namesOf = (app: string) => reads.byIndex('app', app).map(({ metadata }) => metadata.name)
    for (let i = 0; i < 100; i++) {
      const name = `n${i}`
      const created = await client.create({ metadata: { name, labels: { app: 'new' } } })
      if (informer.indexer.getByKey(`${namespace}/${name}`) === undefined) ahead++
      expect(version(name)).toBe(created.metadata.resourceVersion)
      expect(namesOf('new')).toEqual([name])

      const patched = await client.patch(name, mergePatch({ metadata: { labels: { app: 'old' } } }))
      expect(version(name)).toBe(patched.metadata.resourceVersion)
      expect([namesOf('new'), namesOf('old').includes(name)]).toEqual([[], true])

      // A write that changes nothing is answered with the version that there was.
      await client.patch(name, mergePatch({ metadata: { labels: { app: 'old' } } }))
      expect(version(name)).toBe(patched.metadata.resourceVersion)

      if (i % 3 === 0) {
        await client.delete(name)
        expect([version(name), namesOf('old').includes(name)]).toEqual([undefined, false])
      } else if (i % 3 === 1) {
        await others.patch(name, mergePatch({ metadata: { labels: { app: 'theirs' } } }))
      } else await others.delete(name)
    }
    // Else this would be a test of the informer.
    expect(ahead).toBeGreaterThan(0)
    const there = new Map(
      (await others.list()).items.map(({ metadata }) => [metadata.name, metadata.resourceVersion] as const),
    )
    await eventually(() => reads.pending === 0 && reads.list().length === there.size)
    expect(new Map(reads.list().map(({ metadata }) => [metadata.name, metadata.resourceVersion]))).toEqual(there)
    stop.abort()
  }, 120_000)

  it('a deletion that has to wait for a finalizer, and its end', async () => {
    const namespace = await testNamespace()
    await using factory = new SharedInformerFactory(mine, { namespace })
    const { informer } = factory.coreV1().configMaps()
    const stop = new AbortController()
    factory.start({ signal: stop.signal })
    await factory.waitForCacheSync()
    const reads = new ReadYourWrites<ConfigMap>(informer.indexer)
    const client = recordingClient(mine.coreV1().configMaps(namespace), reads)
    const read = () => reads.getByKey(`${namespace}/kept`)

    await client.create({ metadata: { name: 'kept', finalizers: ['suite.example/hold'] } })
    await client.delete('kept')
    expect(read()?.metadata.deletionTimestamp).toBeDefined()
    await client.patch('kept', mergePatch({ metadata: { finalizers: null } }))
    expect(read()).toBeUndefined()
    await eventually(() => reads.pending === 0)
    expect([read(), reads.list().filter(({ metadata }) => metadata.name === 'kept')]).toEqual([undefined, []])
    stop.abort()
  })
})
