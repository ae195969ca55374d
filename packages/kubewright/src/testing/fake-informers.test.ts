import { describe, expect, it } from 'vitest'
import { metaNamespaceKeyFunc } from '../cache/index.js'
import { DynamicSharedInformerFactory, SharedInformerFactory } from '../informers/index.js'
import { mergePatch } from '../meta/index.js'
import { pod, Widget } from './fake-clientset.test-support.js'
import { FakeClientset } from './index.js'

describe('informers', () => {
  it('list and watch, and miss nothing', async () => {
    const fake = new FakeClientset({ objects: [pod('a')] })
    const factory = new SharedInformerFactory(fake)
    const pods = factory.coreV1().pods()
    const events: string[] = []
    const { promise: done, resolve } = withResolvers()
    pods.informer.addEventHandler({
      onAdd: (object) => void events.push(`add ${metaNamespaceKeyFunc(object)}`),
      onUpdate: (_, object) => void events.push(`update ${object.metadata.labels?.['a']}`),
      onDelete: () => {
        events.push('delete')
        resolve(undefined)
      },
    })
    // Whatever happens between the list and the watch.
    fake.prependWatchReactor('pods', () => {
      fake.tracker.add(pod('between'))
      return undefined
    })
    const controller = new AbortController()
    factory.start({ signal: controller.signal })
    await factory.waitForCacheSync({ signal: controller.signal })
    const client = fake.coreV1().pods('ns')
    await client.patch('a', mergePatch({ metadata: { labels: { a: 'b' } } }))
    await client.delete('a')
    await done
    expect(events.sort()).toEqual(['add ns/a', 'add ns/between', 'delete', 'update b'])
    controller.abort()
    expect(
      fake
        .actions()
        .slice(0, 2)
        .map(({ verb }) => verb),
    ).toEqual(['list', 'watch'])
  })

  it('of custom resources do too', async () => {
    const fake = new FakeClientset({ kinds: [Widget] })
    fake.tracker.add({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w', namespace: 'ns' },
      spec: { size: 1 },
    })
    const factory = new DynamicSharedInformerFactory(fake.dynamicClient)
    const { informer } = factory.forKind(Widget)
    const controller = new AbortController()
    factory.start({ signal: controller.signal })
    await factory.waitForCacheSync({ signal: controller.signal })
    expect(informer.indexer.list().map(({ spec }) => spec.size)).toEqual([1])
    controller.abort()
  })
})

function withResolvers(): { promise: Promise<unknown>; resolve: (value: unknown) => void } {
  let resolve!: (value: unknown) => void
  const promise = new Promise((done) => {
    resolve = done
  })
  return { promise, resolve }
}
