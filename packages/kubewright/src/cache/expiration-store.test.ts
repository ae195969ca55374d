import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import { ExpirationStore, newTTLStore, TTLPolicy } from './expiration-store.js'
import { KeyError } from './keys.js'

interface Thing {
  metadata: { name: string }
  val: string
}

const thing = (name: string, val = 'x'): Thing => ({ metadata: { name }, val })

describe('ExpirationStore', () => {
  it('finds what is not older than its time to live', async () => {
    const clock = new FakeClock()
    const store = newTTLStore<Thing>({ ttl: 1000, clock })
    store.add(thing('a'))
    await clock.advance(500)
    store.add(thing('b'))
    await clock.advance(500)
    expect(store.list()).toEqual([thing('a'), thing('b')])
    await clock.advance(1)
    expect([store.getByKey('a'), store.get(thing('b'))]).toEqual([undefined, thing('b')])
    expect(store.listKeys()).toEqual(['b'])
  })

  it('makes an object new that is stored again', async () => {
    const clock = new FakeClock()
    const store = newTTLStore<Thing>({ ttl: 1000, clock })
    store.add(thing('a', 'old'))
    await clock.advance(800)
    store.update(thing('a', 'new'))
    await clock.advance(800)
    expect(store.getByKey('a')).toEqual(thing('a', 'new'))
    await clock.advance(1000)
    store.add(thing('a', 'again'))
    expect(store.list()).toEqual([thing('a', 'again')])
  })

  it('lists keys without looking at their age', async () => {
    const clock = new FakeClock()
    const store = newTTLStore<Thing>({ ttl: 1000, clock })
    store.replace([thing('a'), thing('b')], '1')
    await clock.advance(2000)
    expect([store.listKeys(), clock.pendingTimers]).toEqual([['a', 'b'], 0])
    expect(store.list()).toEqual([])
    expect(store.listKeys()).toEqual([])
  })

  it('keeps for ever what has no time to live', async () => {
    const clock = new FakeClock()
    for (const ttl of [0, -1]) {
      const store = newTTLStore<Thing>({ ttl, clock })
      store.add(thing('a'))
      await clock.advance(1e9)
      expect(store.list()).toHaveLength(1)
    }
  })

  it('asks any policy', () => {
    const store = new ExpirationStore<Thing>({ policy: { isExpired: ({ obj }) => obj.val === 'bad' } })
    store.replace([thing('a'), thing('b', 'bad')], '1')
    expect(store.list()).toEqual([thing('a')])
    store.delete(thing('a'))
    expect(store.listKeys()).toEqual([])
  })

  it('refuses what has no key, and leaves what it has', () => {
    const store = new ExpirationStore<Thing>({ policy: new TTLPolicy({ ttl: 1 }), clock: new FakeClock() })
    store.add(thing('a'))
    for (const write of [store.add, store.update, store.delete, store.get]) {
      expect(() => write.call(store, {} as Thing)).toThrow(KeyError)
    }
    expect(() => store.replace([{} as Thing], '1')).toThrow(KeyError)
    expect(store.listKeys()).toEqual(['a'])
  })
})
