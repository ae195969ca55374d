import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/fake-clock.js'
import { noLogger } from '../rest/index.js'
import { DeletedFinalStateUnknown } from './keys.js'
import { type Notification, PendingNotifications } from './pending-notifications.js'
import { FakeWatch, list, object, Script, type TestObject } from './server.test-support.js'
import { type HandlerOptions, SharedIndexInformer } from './shared-informer.js'

const [a1, a2, a3, b1] = [object('a', '1'), object('a', '2'), object('a', '3'), object('b', '1')]
const add = (obj: TestObject, isInInitialList = false) => ({ type: 'add', obj, isInInitialList }) as const
const update = (oldObj: TestObject, obj: TestObject) => ({ type: 'update', oldObj, obj }) as const
const remove = (obj: TestObject | DeletedFinalStateUnknown<TestObject>) => ({ type: 'delete', obj }) as const

function filled(limit: number, notifications: readonly Notification<TestObject>[]) {
  let initialDropped = 0
  const pending = new PendingNotifications<TestObject>({ limit, onInitialDropped: () => initialDropped++ })
  for (const notification of notifications) pending.push(notification)
  return {
    pending,
    drain: () => {
      const drained: Notification<TestObject>[] = []
      while (pending.length > 0) drained.push(pending.pop())
      return drained
    },
    get initialDropped() {
      return initialDropped
    },
  }
}

const unknown = (obj: TestObject) => new DeletedFinalStateUnknown<TestObject>('ns/a', obj)
const lost = new DeletedFinalStateUnknown<TestObject>('ns/a', undefined)

describe('above the limit, notifications of one object become one:', () => {
  it.each<[string, Notification<TestObject>[], Notification<TestObject>[]]>([
    ['an add and updates', [add(a1), update(a1, a2), update(a2, a3)], [add(a3)]],
    ['updates', [update(a1, a2), update(a2, a3)], [update(a1, a3)]],
    ['updates and a deletion', [update(a1, a2), remove(a2)], [remove(unknown(a1))]],
    ['updates, a deletion and another object', [update(a1, a2), remove(a2), add(a3)], [update(a1, a3)]],
    ['an add and a deletion', [add(a1), remove(a1)], []],
    ['a deletion and another object of that name', [remove(a1), add(a2)], [update(a1, a2)]],
    ['a missed deletion and another object', [remove(unknown(a1)), add(a2)], [update(a1, a2)]],
    ['a deletion of nobody knows what, and another object', [remove(lost), add(a2)], [add(a2)]],
    ['a deletion, another object, and its deletion', [remove(a1), add(a2), remove(a2)], [remove(unknown(a1))]],
    ['two deletions', [remove(a1), remove(a2)], [remove(a1)]],
    ['a resync of what was changed', [update(a1, a2), update(a2, a2)], [update(a1, a2)]],
  ])('%s', (_, notifications, expected) => {
    // The first one is of another object, which the limit lets wait.
    const { drain, pending } = filled(1, [add(b1), ...notifications])
    const drained = drain()
    expect(drained).toEqual([add(b1), ...expected])
    expect(pending.coalesced).toBe(notifications.length - expected.length)
    expect(filled(100, [add(b1), ...notifications]).drain()).toEqual([add(b1), ...notifications])
  })

  it('in the place of the oldest, and no more once all are delivered', () => {
    const { pending, drain } = filled(2, [update(a1, a2), add(b1), update(a2, a3)])
    expect(drain()).toEqual([update(a1, a3), add(b1)])
    pending.push(update(a1, a2))
    pending.push(update(a2, a3))
    expect(pending.length).toBe(2)
  })

  it('also where the oldest of all come to nothing', () => {
    expect(filled(2, [add(a1), remove(a1), add(b1)]).drain()).toEqual([add(b1)])
    const { pending, drain } = filled(3, [add(a1), remove(a1), add(b1), remove(b1)])
    expect(drain()).toEqual([])
    pending.push(add(a2))
    expect(drain()).toEqual([add(a2)])
  })

  it('of which those of the initial list are accounted for', () => {
    expect(filled(1, [add(a1, true), update(a1, a2)]).initialDropped).toBe(0)
    const gone = filled(1, [add(b1), add(a1, true), remove(a1)])
    expect([gone.initialDropped, gone.drain()]).toEqual([1, [add(b1)]])
    expect(filled(1, [remove(a1), add(a2, true)]).initialDropped).toBe(1)
  })
})

it('whatever changes and whenever it is delivered, each notification goes on from the one before, to the last state', () => {
  const step = fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    what: fc.constantFrom('set', 'set', 'remove', 'remove', 'resync', 'deliver', 'deliver all'),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 6 }), (steps, limit) => {
      const { pending } = filled(limit, [])
      const [cache, told] = [new Map<string, TestObject>(), new Map<string, TestObject>()]
      const deliver = (): void => {
        if (pending.length === 0) return
        const next = pending.pop()
        const isUnknown = next.obj instanceof DeletedFinalStateUnknown
        const obj = (isUnknown ? next.obj.obj : next.obj) as TestObject
        const { name } = obj.metadata
        if (next.type === 'update') expect(next.oldObj).toBe(told.get(name))
        else if (next.type === 'delete') expect(told.get(name)).toBe(obj)
        else expect(told.has(name)).toBe(false)
        if (next.type === 'delete') told.delete(name)
        else told.set(name, obj)
      }
      for (const [i, { name, what }] of steps.entries()) {
        const [old, obj] = [cache.get(name), object(name, String(i))]
        if (what === 'deliver') {
          deliver()
        } else if (what === 'deliver all') {
          while (pending.length > 0) deliver()
        } else if (what === 'set') {
          cache.set(name, obj)
          pending.push(old ? update(old, obj) : add(obj))
        } else if (old) {
          if (what === 'remove') cache.delete(name)
          pending.push(what === 'remove' ? remove(old) : update(old, old))
        }
        expect(pending.length).toBeLessThanOrEqual(Math.max(limit, 4))
      }
      while (pending.length > 0) deliver()
      expect(told).toEqual(cache)
    }),
  )
})

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

describe('a handler that is stuck while ten objects change again and again', () => {
  const names = 10

  async function stuck(changes: number, options: HandlerOptions) {
    const clock = new FakeClock()
    const watch = new FakeWatch()
    const initial = Array.from({ length: names }, (_, i) => object(`o${i}`, '1'))
    const script = new Script({ lists: [list('5', initial)], watches: [watch] })
    const informer = new SharedIndexInformer<TestObject>(script, { clock, logger: noLogger, useWatchList: false })
    let free = (): void => {}
    const last = new Map<string, string | undefined>()
    let told = 0
    const handled = ({
      metadata,
    }: {
      metadata: { name: string; resourceVersion?: string }
    }): Promise<void> | undefined => {
      last.set(metadata.name, metadata.resourceVersion)
      return ++told === 1 ? new Promise((resolve) => (free = resolve)) : undefined
    }
    const registration = informer.addEventHandler({ onAdd: handled, onUpdate: (_, obj) => handled(obj) }, options)
    const controller = new AbortController()
    const running = informer.run(controller)
    stops.push(async () => {
      controller.abort()
      await running
    })
    await clock.advance(0)
    for (let i = 0; i < changes; i++) {
      watch.push({ type: 'MODIFIED', object: object(`o${i % names}`, String(i + 10)) })
      if (i % 1000 === 999) await clock.advance(0)
    }
    while (informer.statistics().lastStoreSyncResourceVersion !== String(changes + 9)) await clock.advance(0)
    const [pending] = informer.statistics().handlers
    free()
    await clock.advance(0)
    const isLast = [...last].every(
      ([name, version]) => informer.indexer.getByKey(`ns/${name}`)?.metadata.resourceVersion === version,
    )
    return {
      pending,
      told,
      isLast,
      synced: registration.hasSynced(),
      size: last.size,
      statistics: informer.statistics().handlers[0],
    }
  }

  it('has after 100,000 changes no more waiting than there are objects, where it has a bound, and ends where they are', async () => {
    const changes = 100_000
    const { pending, told, isLast, synced, size, statistics } = await stuck(changes, { maxPendingNotifications: 1000 })
    expect([pending?.pending, pending?.coalesced]).toEqual([names, changes + names - 1 - names])
    expect([told, size, isLast, synced]).toEqual([names + 1, names, true, true])
    expect(statistics).toMatchObject({ pending: 0, delivered: names + 1 })
  })

  it('is told of each change, where it has none', async () => {
    const changes = 10_000
    const { pending, told, isLast, synced } = await stuck(changes, {})
    expect([pending?.pending, pending?.coalesced]).toEqual([changes + names - 1, 0])
    expect([told, isLast, synced]).toEqual([changes + names, true, true])
  })

  it('has a bound that is a number', () => {
    const informer = new SharedIndexInformer<TestObject>(new Script({}))
    for (const maxPendingNotifications of [0, Number.NaN, -1]) {
      expect(() => informer.addEventHandler({}, { maxPendingNotifications })).toThrow('a number of 1 or more')
    }
  })
})
