import { describe, expect, it } from 'vitest'
import { metaNamespaceKeyFunc } from '../cache/index.js'
import { FakeClock } from '../clock/index.js'
import { Pod } from '../gen/api/core/v1.js'
import { DynamicSharedInformerFactory, SharedInformerFactory } from '../informers/index.js'
import { mergePatch } from '../meta/index.js'
import { noLogger } from '../rest/index.js'
import { pod, Widget } from './fake-clientset.test-support.js'
import { FakeClientset, newForbidden, newResourceExpired, newServiceUnavailable, newTooManyRequests } from './index.js'

describe('informers', () => {
  it('list and watch, and miss nothing', async () => {
    const clock = new FakeClock()
    const fake = new FakeClientset({ objects: [pod('a')], clock })
    const factory = new SharedInformerFactory(fake, { clock })
    const pods = factory.coreV1().pods()
    const events: string[] = []
    pods.informer.addEventHandler({
      onAdd: (object) => void events.push(`add ${metaNamespaceKeyFunc(object)}`),
      onUpdate: (_, object) => void events.push(`update ${object.metadata.labels?.['a']}`),
      onDelete: () => void events.push('delete'),
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
    await clock.advance(0)
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

  const failures: [string, () => Promise<never>][] = [
    ['are refused', async () => Promise.reject(newServiceUnavailable('not now'))],
    ['are forbidden', async () => Promise.reject(newForbidden({ group: '', resource: 'pods' }, '', 'not yours'))],
    ['have expired', async () => Promise.reject(newResourceExpired('too old'))],
    ['are too many', async () => Promise.reject(newTooManyRequests('slow down', 30))],
    ['lose their connection', async () => Promise.reject(new Error('the cable is out'))],
    ['hang', () => new Promise(() => {})],
  ]
  it.each(failures)('whose lists %s are stopped, and begun again by another factory', async (_, fail) => {
    const clock = new FakeClock()
    const fake = new FakeClientset({ objects: [pod('a')], clock, config: { logger: noLogger } })
    let broken = true
    fake.prependReactor('list', 'pods', () => (broken ? fail() : undefined))
    const first = new AbortController()
    const stopped = new SharedInformerFactory(fake, { clock })
    const { informer } = stopped.coreV1().pods()
    stopped.start({ signal: first.signal })
    await clock.advance(1000)
    const waiting = stopped.waitForCacheSync()
    first.abort(new Error('stop'))
    expect((await waiting).asError()?.message).toContain('pods.v1')
    await stopped.shutdown()
    expect([informer.hasSynced(), informer.isStopped(), clock.pendingTimers]).toEqual([false, true, 0])

    broken = false
    const second = new AbortController()
    const factory = new SharedInformerFactory(fake, { clock })
    const pods = factory.coreV1().pods()
    factory.start({ signal: second.signal })
    await clock.advance(0)
    expect((await factory.waitForCacheSync()).asError()).toBeUndefined()
    fake.tracker.add(pod('b'))
    await clock.advance(0)
    expect(
      pods.lister
        .pods('ns')
        .list()
        .map(({ metadata }) => metadata.name),
    ).toEqual(['a', 'b'])
    second.abort()
    await factory.shutdown()
    expect(clock.pendingTimers).toBe(0)
  })

  it.each(failures.slice(0, -1))('whose lists %s go on when they succeed, and when watches break', async (_, fail) => {
    const clock = new FakeClock()
    const fake = new FakeClientset({ objects: [pod('a')], clock, config: { logger: noLogger } })
    let failing = 3
    fake.prependReactor('list', 'pods', () => (failing-- > 0 ? fail() : undefined))
    const controller = new AbortController()
    const factory = new SharedInformerFactory(fake, { clock })
    const pods = factory.coreV1().pods()
    factory.start({ signal: controller.signal })
    await clock.advance(120_000)
    expect(pods.informer.hasSynced()).toBe(true)
    failing = 2
    fake.tracker.delete(Pod, 'ns', 'a')
    fake.tracker.interruptWatches(Pod)
    fake.tracker.add(pod('b'))
    await clock.advance(120_000)
    expect(
      pods.lister
        .pods('ns')
        .list()
        .map(({ metadata }) => metadata.name),
    ).toEqual(['b'])
    controller.abort()
    await factory.shutdown()
    expect(clock.pendingTimers).toBe(0)
  })
})
