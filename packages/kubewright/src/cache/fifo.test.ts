import { describe, expect, it } from 'vitest'
import { FIFO } from './fifo.js'
import { KeyError } from './keys.js'
import { FIFOClosedError } from './pop-gate.js'

interface Thing {
  metadata: { name: string }
  val: number
}

const thing = (name: string, val: number): Thing => ({ metadata: { name }, val })

async function drain(queue: FIFO<Thing>): Promise<string[]> {
  const taken: string[] = []
  while (queue.length > 0) await queue.pop((obj) => taken.push(`${obj.metadata.name}=${obj.val}`))
  return taken
}

describe('FIFO', () => {
  it('keeps the newest state of each object, in the order of their coming', async () => {
    const queue = new FIFO<Thing>()
    queue.add(thing('foo', 10))
    queue.add(thing('bar', 1))
    queue.update(thing('foo', 15))
    expect(queue.length).toBe(2)
    expect(await drain(queue)).toEqual(['foo=15', 'bar=1'])
  })

  it('forgets what was deleted', async () => {
    const queue = new FIFO<Thing>()
    queue.add(thing('foo', 10))
    queue.add(thing('bar', 1))
    queue.delete(thing('foo', 15))
    expect(await drain(queue)).toEqual(['bar=1'])
  })

  it('replaces what waits', async () => {
    const queue = new FIFO<Thing>()
    queue.add(thing('foo', 10))
    queue.replace([thing('bar', 1), thing('baz', 2), thing('bar', 3)], '15')
    expect(await drain(queue)).toEqual(['bar=3', 'baz=2'])
    expect(() => queue.replace([{} as Thing], '16')).toThrow(KeyError)
  })

  it.each<{ what: string; actions: (queue: FIFO<Thing>) => void; pops?: number; synced: boolean }>([
    { what: 'nothing was written', actions: () => {}, synced: false },
    { what: 'something was added', actions: (q) => q.add(thing('a', 1)), synced: true },
    { what: 'an empty list', actions: (q) => q.replace([], '0'), synced: true },
    { what: 'a list', actions: (q) => q.replace([thing('a', 1), thing('b', 2)], '0'), synced: false },
    {
      what: 'half of it is taken',
      actions: (q) => q.replace([thing('a', 1), thing('b', 2)], '0'),
      pops: 1,
      synced: false,
    },
    {
      what: 'all of it is taken',
      actions: (q) => q.replace([thing('a', 1), thing('b', 2)], '0'),
      pops: 2,
      synced: true,
    },
  ])('is synced or not: $what', async ({ actions, pops = 0, synced }) => {
    const queue = new FIFO<Thing>()
    actions(queue)
    for (let i = 0; i < pops; i++) await queue.pop((_, isInInitialList) => expect(isInInitialList).toBe(true))
    expect(queue.hasSynced()).toBe(synced)
  })

  it('lets nobody jump the queue', async () => {
    const queue = new FIFO<Thing>()
    for (const [name, val] of [
      ['foo', 10],
      ['bar', 1],
      ['foo', 11],
      ['foo', 13],
      ['zab', 30],
    ] as const) {
      queue.add(thing(name, val))
    }
    expect((await queue.pop(() => {})).val).toBe(13)
    queue.add(thing('foo', 14))
    expect(await drain(queue)).toEqual(['bar=1', 'zab=30', 'foo=14'])
  })

  it('holds the order of each of two writers of many', async () => {
    const queue = new FIFO<Thing>()
    for (let i = 1; i <= 500; i++) {
      queue.add(thing(`a${i}`, i))
      queue.add(thing(`b${i}`, i))
    }
    const taken = await drain(queue)
    for (const writer of ['a', 'b']) {
      const own = taken.filter((each) => each.startsWith(writer))
      expect(own).toEqual(Array.from({ length: 500 }, (_, i) => `${writer}${i + 1}=${i + 1}`))
    }
  })

  it('gives one entry to one of several who wait, and the close to the others', async () => {
    const queue = new FIFO<Thing>()
    const waiting = Array.from({ length: 10 }, () => queue.pop(() => {}))
    queue.add(thing('a', 1))
    const results = Promise.allSettled(waiting)
    await Promise.resolve()
    queue.close()
    const states = (await results).map((result) => (result.status === 'fulfilled' ? result.value.val : result.reason))
    expect(states.filter((state) => state === 1)).toHaveLength(1)
    expect(states.filter((state) => state instanceof FIFOClosedError)).toHaveLength(9)
  })

  it('waits, and ends waiting when it is closed', async () => {
    const queue = new FIFO<Thing>()
    const first = queue.pop(() => {})
    queue.add(thing('a', 1))
    expect(await first).toEqual(thing('a', 1))
    const second = queue.pop(() => {})
    queue.close()
    await expect(second).rejects.toThrow(FIFOClosedError)
    expect(queue.isClosed()).toBe(true)
  })
})
