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
