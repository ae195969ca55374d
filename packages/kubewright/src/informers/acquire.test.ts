// Informers that run for as long as somebody holds them.

import { getEventListeners } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { collectGarbage } from '../cache/collect-garbage.test-support.js'
import { waitForCacheSync } from '../cache/index.js'
import { FakeWatch, list, object, Script, TestLogger } from '../cache/server.test-support.js'
import { FakeClock } from '../clock/fake-clock.js'
import type { DynamicInterface } from '../dynamic/index.js'
import { Deployment } from '../gen/api/apps/v1.js'
import { Pod } from '../gen/api/core/v1.js'
import type { ClientsetInterface } from '../gen/clientset.js'
import { DynamicSharedInformerFactory, SharedInformerFactory } from './index.js'

const deployments = { group: 'apps', version: 'v1', resource: 'deployments' }

/** A factory, each of whose informers is given a client of its own; `scripts` are those clients. */
function fixture(
  lists: () => ConstructorParameters<typeof Script>[0]['lists'] = () => [list('5', [object('web', '1')])],
) {
  const scripts: Script[] = []
  const client = (): Script => {
    const script = new Script({ lists: lists() ?? [], watches: [new Error('no streaming'), new FakeWatch()] })
    scripts.push(script)
    return script
  }
  const clientset = new Proxy({}, { get: () => () => new Proxy({}, { get: () => client }) }) as ClientsetInterface
  const clock = new FakeClock()
  const factory = new SharedInformerFactory(clientset, { clock, logger: new TestLogger() })
  return { factory, clock, scripts, watchOf: (n: number): FakeWatch => scripts[n]?.watches.at(-1) as FakeWatch }
}

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

describe('acquire', () => {
  it('starts an informer at once, and has one for all who acquire it', async () => {
    const { factory, clock, scripts } = fixture()
    const first = factory.acquire(Deployment)
    const second = factory.acquire(deployments)
    await clock.advance(0)
    await waitForCacheSync({}, first, second)
    expect(second.informer).toBe(first.informer)
    expect(scripts.length).toBe(1)
    expect([first.hasSynced(), first.lister.byNamespace('ns').get('web')?.metadata.name]).toEqual([true, 'web'])
    await Promise.all([first.release(), second.release()])
    expect(clock.pendingTimers).toBe(0)
  })

  it('stops it when the last one lets go, however often each does', async () => {
    const { factory, clock, watchOf } = fixture()
    const [first, second] = [factory.acquire(Deployment), factory.acquire(Deployment)]
    const { informer } = first
    await clock.advance(0)
    await Promise.all([first.release(), first.release(), first.release()])
    expect([informer.isStopped(), watchOf(0).stopped]).toEqual([false, false])
    await second.release()
    expect([informer.isStopped(), watchOf(0).stopped, clock.pendingTimers]).toEqual([true, true, 0])
  })

  it('has a new one, with a new cache, after that', async () => {
    const { factory, clock, scripts } = fixture()
    const first = factory.acquire(Deployment)
    const { informer } = first
    await clock.advance(0)
    await first.release()
    const second = factory.acquire(Deployment)
    expect(second.informer).not.toBe(informer)
    expect(second.informer.indexer.listKeys()).toEqual([])
    await clock.advance(0)
    expect([scripts.length, second.informer.indexer.listKeys()]).toEqual([2, ['ns/web']])
    await second.release()
  })

  it('has a new one at once while the old one is still stopping', async () => {
    const { factory, clock, scripts } = fixture()
    const first = factory.acquire(Deployment)
    const { informer } = first
    let finish = (): void => {}
    first.addEventHandler({ onAdd: () => new Promise<void>((resolve) => (finish = resolve)) })
    await clock.advance(0)
    let released = false
    const releasing = first.release().then(() => (released = true))
    const second = factory.acquire(Deployment)
    await clock.advance(0)
    expect([informer.isStopped(), released, second.informer === informer]).toEqual([true, false, false])
    expect([scripts.length, second.informer.indexer.listKeys()]).toEqual([2, ['ns/web']])
    finish()
    await releasing
    expect([second.informer.isStopped(), factory.acquire(Deployment).informer === second.informer]).toEqual([
      false,
      true,
    ])
    await factory[Symbol.asyncDispose]()
    expect(clock.pendingTimers).toBe(0)
  })

  it('can be undone while the informer syncs', async () => {
    const never = (): [() => Promise<never>] => [() => new Promise<never>(() => {})]
    const { factory, clock, scripts } = fixture(never)
    const handle = factory.acquire(Deployment)
    const [mine, all] = [handle.synced, factory.waitForCacheSync()]
    await clock.advance(0)
    expect(scripts[0]?.lists.length).toBe(1)
    await handle.release()
    await expect(mine).rejects.toThrow('the handle of deployments.v1.apps was released before its informer synced')
    expect([...(await all).synced]).toEqual([])
    expect((await all).err).toBeUndefined()
    expect([handle.hasSynced(), clock.pendingTimers]).toEqual([false, 0])
  })

  it('ends the waiting of one holder only, when that one lets go', async () => {
    let answer: (answered: ReturnType<typeof list>) => void = () => {}
    const { factory, clock } = fixture(() => [() => new Promise((resolve) => (answer = resolve))])
    const [first, second] = [factory.acquire(Deployment), factory.acquire(Deployment)]
    const [mine, theirs] = [first.synced, second.synced]
    await clock.advance(0)
    await first.release()
    await expect(mine).rejects.toThrow('was released before')
    answer(list('5', []))
    await clock.advance(0)
    await theirs
    await second.release()
  })

  it('is of kinds that there are', () => {
    const { factory } = fixture()
    expect(() => factory.acquire({ ...deployments, version: 'v7' })).toThrow('no informer found for apps/v7')
  })
})

describe('a handle', () => {
  it('takes its handlers with it, and no others', async () => {
    const { factory, clock, watchOf } = fixture()
    const [first, second] = [factory.acquire(Deployment), factory.acquire(Deployment)]
    const told: string[] = []
    first.addEventHandler({ onAdd: () => told.push('first') })
    second.addEventHandler({ onAdd: () => told.push('second') })
    await clock.advance(0)
    await first.release()
    watchOf(0).push({ type: 'ADDED', object: object('db', '6') })
    await clock.advance(0)
    expect(told).toEqual(['first', 'second', 'second'])
    await second.release()
  })

  it('waits, when it is released, for a handler that is at work, though the informer goes on', async () => {
    const { factory, clock } = fixture()
    const [first, second] = [factory.acquire(Deployment), factory.acquire(Deployment)]
    let finish = (): void => {}
    first.addEventHandler({ onAdd: () => new Promise<void>((resolve) => (finish = resolve)) })
    await clock.advance(0)
    let released = false
    const releasing = first.release().then(() => (released = true))
    await clock.advance(0)
    expect(released).toBe(false)
    finish()
    await releasing
    await second.release()
  })

  it('is of no use after that', async () => {
    const { factory } = fixture()
    const handle = factory.acquire(Deployment)
    await handle.release()
    const message = 'the handle of deployments.v1.apps was released: acquire another one'
    expect(() => handle.informer).toThrow(message)
    expect(() => handle.lister).toThrow(message)
    expect(() => handle.addEventHandler({})).toThrow(message)
  })

  it('is released by a signal, and leaves nothing at it', async () => {
    const { factory, clock } = fixture()
    const controller = new AbortController()
    const [first, second] = [factory.acquire(Deployment, controller), factory.acquire(Deployment, controller)]
    const { informer } = first
    await first.release()
    expect(getEventListeners(controller.signal, 'abort').length).toBe(1)
    controller.abort(new Error('enough'))
    await second.release()
    expect([informer.isStopped(), clock.pendingTimers]).toEqual([true, 0])
    expect(() => factory.acquire(Deployment, controller)).toThrow('enough')
  })

  it('is released at the end of its block', async () => {
    const { factory, clock } = fixture()
    const informers = []
    {
      await using handle = factory.acquire(Deployment)
      informers.push(handle.informer)
      await clock.advance(0)
    }
    expect(informers[0]?.isStopped()).toBe(true)
    {
      using handle = factory.acquire(Pod)
      informers.push(handle.informer)
    }
    await factory.shutdown()
    expect([informers[1]?.isStopped(), clock.pendingTimers]).toEqual([true, 0])
  })
})

describe('a factory with handles out', () => {
  it('waits for them when it is shut down without a signal, and gives out no more', async () => {
    const { factory, clock } = fixture()
    const handle = factory.acquire(Deployment)
    await clock.advance(0)
    let down = false
    const shuttingDown = factory.shutdown().then(() => (down = true))
    await clock.advance(0)
    expect(down).toBe(false)
    expect(() => factory.acquire(Pod)).toThrow('shut down')
    await handle.release()
    await shuttingDown
  })

  it('waits for those that are stopping when it is shut down', async () => {
    const { factory, clock } = fixture()
    const handle = factory.acquire(Deployment)
    let finish = (): void => {}
    handle.informer.addEventHandler({ onAdd: () => new Promise<void>((resolve) => (finish = resolve)) })
    await clock.advance(0)
    void handle.release()
    let down = false
    const shuttingDown = factory.shutdown().then(() => (down = true))
    await clock.advance(0)
    expect(down).toBe(false)
    finish()
    await shuttingDown
  })

  it('stops them with the signal that it was started with, before they were acquired or after', async () => {
    const { factory, clock } = fixture()
    const controller = new AbortController()
    const [before, kept] = [factory.acquire(Pod), factory.appsV1().deployments()]
    factory.start(controller)
    const after = factory.acquire({ group: '', version: 'v1', resource: 'nodes' })
    const informers = [before.informer, after.informer, kept.informer]
    await clock.advance(0)
    expect(informers.map((informer) => informer.hasSynced())).toEqual([true, true, true])
    controller.abort(new Error('over'))
    await factory.shutdown()
    expect(informers.map((informer) => informer.isStopped())).toEqual([true, true, true])
    expect(() => factory.acquire(Pod)).toThrow('over')
    await Promise.all([before.release(), after.release()])
    expect([clock.pendingTimers, getEventListeners(controller.signal, 'abort').length]).toEqual([0, 0])
  })

  it('has a new informer after it was started with another signal', async () => {
    const { factory, clock } = fixture()
    const [first, second] = [new AbortController(), new AbortController()]
    const old = factory.acquire(Deployment)
    let finish = (): void => {}
    old.informer.addEventHandler({ onAdd: () => new Promise<void>((resolve) => (finish = resolve)) })
    factory.start(first)
    await clock.advance(0)
    first.abort()
    factory.start(second)
    const handle = factory.acquire(Deployment)
    await clock.advance(0)
    let released = false
    const releasing = old.release().then(() => (released = true))
    expect(handle.lister.list().length).toBe(1)
    expect(factory.acquire(Deployment).informer).toBe(handle.informer)
    second.abort()
    const shuttingDown = factory.shutdown()
    await clock.advance(0)
    expect(released).toBe(false)
    finish()
    await Promise.all([releasing, shuttingDown])
    expect(clock.pendingTimers).toBe(0)
  })

  it('stops them when it is disposed of', async () => {
    const { factory, clock } = fixture()
    const handle = factory.acquire(Deployment)
    const { informer } = handle
    await clock.advance(0)
    await factory[Symbol.asyncDispose]()
    expect([informer.isStopped(), clock.pendingTimers]).toEqual([true, 0])
    await handle.release()
  })

  it('keeps what an accessor has given out, before or after', async () => {
    const { factory, clock, scripts } = fixture()
    const controller = new AbortController()
    const kept = factory.appsV1().deployments()
    const handle = factory.acquire(Deployment)
    expect(handle.informer).toBe(kept.informer)
    const pods = factory.acquire(Pod)
    const typed = factory.coreV1().pods()
    expect(typed.informer).toBe(pods.informer)
    await clock.advance(0)
    await Promise.all([handle.release(), pods.release()])
    factory.start(controller)
    await clock.advance(0)
    expect([kept.informer.hasSynced(), typed.informer.hasSynced()]).toEqual([true, true])
    expect([kept.informer.isStopped(), typed.informer.isStopped(), scripts.length]).toEqual([false, false, 2])
    controller.abort()
    await factory.shutdown()
  })
})

it('informers come and go, and leave nothing behind', async () => {
  const { factory, clock, scripts } = fixture()
  for (let i = 0; i < 200; i++) {
    const handle = factory.acquire(Deployment)
    handle.addEventHandler({ onAdd: () => {} })
    if (i % 3 > 0) await clock.advance(0)
    if (i % 2 > 0) await handle.release()
    else void handle.release()
  }
  await factory.shutdown()
  expect(scripts.flatMap(({ watches }) => watches).filter(({ stopped }) => !stopped)).toEqual([])
  expect([scripts.length, clock.pendingTimers]).toEqual([200, 0])
})

it('nothing of an informer is held after its release, though its handle is', async () => {
  const { factory, clock, scripts } = fixture()
  const handle = factory.acquire(Deployment)
  handle.addEventHandler({ onAdd: () => {} })
  await clock.advance(0)
  const held = [handle.informer, handle.lister, handle.informer.indexer].map((part) => new WeakRef<object>(part))
  await handle.release()
  // The test's own record of what was asked for has the informer's signals.
  scripts.length = 0
  await collectGarbage()
  expect(held.map((ref) => ref.deref() === undefined)).toEqual([true, true, true])
  expect(() => handle.informer).toThrow('was released')
})

it('informers of custom resources can be held too, as objects and as bytes', async () => {
  const script = new Script({ lists: [list('5', [object('w', '1')])], watches: [new Error('no streaming')] })
  const client = { resource: () => script } as unknown as DynamicInterface
  const clock = new FakeClock()
  const factory = new DynamicSharedInformerFactory(client, { clock, logger: new TestLogger() })
  const widgets = { group: 'example.com', version: 'v1', resource: 'widgets' }
  const handle = factory.acquire(widgets, { store: 'bytes' })
  const keys: string[] = []
  handle.addEventHandler({ onAdd: (ref) => keys.push(ref.key) })
  await clock.advance(0)
  expect([keys, handle.lister.byNamespace('ns').get('w')?.metadata?.name]).toEqual([['ns/w'], 'w'])
  const objects = factory.acquire(widgets)
  expect(objects.informer).not.toBe(handle.informer)
  await Promise.all([handle.release(), objects.release()])
  expect(clock.pendingTimers).toBe(0)
})
