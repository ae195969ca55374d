import { describe, expect, it } from 'vitest'
import { DeltaFIFO, type DeltaFIFOOptions, type Deltas, newest, oldest } from './delta-fifo.js'
import { DeletedFinalStateUnknown, KeyError } from './keys.js'
import { FIFOClosedError } from './pop-gate.js'

interface Thing {
  metadata: { name: string }
  val: unknown
}

const thing = (name: string, val: unknown): Thing => ({ metadata: { name }, val })
const gone = (name: string, val: unknown): DeletedFinalStateUnknown<Thing> =>
  new DeletedFinalStateUnknown(name, val === undefined ? undefined : thing(name, val))

/** What is known behind the queue. */
const known = (...things: Thing[]) => {
  const byName = new Map(things.map((each) => [each.metadata.name, each]))
  return { listKeys: () => [...byName.keys()], getByKey: (key: string) => byName.get(key) }
}

/** All that waits, one entry an object: `name type=value …`. */
async function drain(queue: DeltaFIFO<Thing>): Promise<string[]> {
  const taken: string[] = []
  const text = ({ type, object }: Deltas<Thing>[number]): string => {
    const value = object instanceof DeletedFinalStateUnknown ? `?${(object.obj as Thing)?.val}` : object.val
    return `${type}=${value}`
  }
  while (queue.length > 0) {
    await queue.pop((deltas) => taken.push(`${queue.keyOf(deltas)} ${deltas.map(text).join(' ')}`))
  }
  return taken
}

const make = (options: DeltaFIFOOptions<Thing> = {}): DeltaFIFO<Thing> => new DeltaFIFO<Thing>(options)

describe('DeltaFIFO', () => {
  it('gathers what happens to an object while it waits, and keeps the order of objects', async () => {
    const queue = make()
    queue.add(thing('foo', 10))
    queue.add(thing('bar', 1))
    queue.update(thing('foo', 11))
    queue.update(thing('foo', 13))
    queue.delete(thing('foo', 13))
    queue.add(thing('zab', 30))
    expect(queue.length).toBe(3)
    expect(await drain(queue)).toEqual(['foo Added=10 Updated=11 Updated=13 Deleted=13', 'bar Added=1', 'zab Added=30'])
    queue.add(thing('foo', 14))
    expect(await drain(queue)).toEqual(['foo Added=14'])
  })

  it('merges deletions that follow each other, and prefers a state that was seen', async () => {
    const queue = make()
    queue.add(thing('foo', 1))
    queue.delete(thing('foo', 2))
    queue.delete(gone('foo', 1))
    queue.add(thing('bar', 1))
    queue.delete(gone('bar', 1))
    queue.delete(thing('bar', 2))
    queue.add(thing('baz', 1))
    queue.delete(thing('baz', 2))
    queue.add(thing('baz', 3))
    queue.delete(thing('baz', 4))
    expect(await drain(queue)).toEqual([
      'foo Added=1 Deleted=2',
      'bar Added=1 Deleted=2',
      'baz Added=1 Deleted=2 Added=3 Deleted=4',
    ])
  })

  it('drops the deletion of what is neither waiting nor known', async () => {
    const queue = make({ knownObjects: known(thing('known', 1)) })
    queue.delete(thing('unknown', 1))
    queue.delete(thing('known', 2))
    queue.add(thing('waiting', 1))
    queue.delete(thing('waiting', 1))
    expect(await drain(queue)).toEqual(['known Deleted=2', 'waiting Added=1 Deleted=1'])
    const alone = make()
    alone.delete(thing('unknown', 1))
    expect(alone.length).toBe(0)
  })

  it.each<{ what: string; before: (queue: DeltaFIFO<Thing>) => void; known?: Thing[]; list: Thing[]; want: string[] }>([
    {
      what: 'known, not in the list',
      before: () => {},
      known: [thing('foo', 5), thing('bar', 6), thing('baz', 7)],
      list: [thing('baz', 10), thing('bar', 11)],
      want: ['baz Sync=10', 'bar Sync=11', 'foo Deleted=?5'],
    },
    {
      what: 'deleted in the queue, known',
      before: (queue) => queue.delete(thing('baz', 10)),
      known: [thing('foo', 5), thing('bar', 6), thing('baz', 7)],
      list: [thing('foo', 5)],
      want: ['baz Deleted=10', 'foo Sync=5', 'bar Deleted=?6'],
    },
    {
      what: 'added in the queue, not known: the newest state of the queue',
      before: (queue) => {
        queue.add(thing('baz', 10))
        queue.update(thing('baz', 11))
      },
      known: [thing('foo', 5)],
      list: [thing('foo', 5)],
      want: ['baz Added=10 Updated=11 Deleted=?11', 'foo Sync=5'],
    },
    {
      what: 'known and changed in the queue: the newest state of the queue',
      before: (queue) => queue.update(thing('foo', 6)),
      known: [thing('foo', 5)],
      list: [],
      want: ['foo Updated=6 Deleted=?6'],
    },
    {
      what: 'a deletion that was missed already',
      before: (queue) => {
        queue.add(thing('foo', 10))
        queue.delete(gone('foo', 9))
      },
      list: [],
      want: ['foo Added=10 Deleted=?9'],
    },
    {
      what: 'nothing is known',
      before: (queue) => queue.add(thing('foo', 1)),
      list: [],
      want: ['foo Added=1 Deleted=?1'],
    },
    {
      what: 'there again',
      before: (queue) => queue.add(thing('foo', 1)),
      list: [thing('foo', 2)],
      want: ['foo Added=1 Sync=2'],
    },
  ])('finds what a list lacks: $what', async ({ before, known: objects, list, want }) => {
    const queue = make({ knownObjects: objects && known(...objects) })
    before(queue)
    queue.replace(list, '0')
    expect(await drain(queue)).toEqual(want)
  })

  const foo = thing('foo', 2)
  const newerFoo = thing('foo', 3)

  it.each<{ what: string; write: (queue: DeltaFIFO<Thing>) => void; replaced?: true; want: string }>([
    { what: 'was added', write: (q) => [q.add(foo), q.replace([], '0')], want: 'foo Added=2 Deleted=?2' },
    {
      what: 'was in a list before',
      write: (q) => [q.add(foo), q.replace([foo], '0'), q.replace([], '0')],
      replaced: true,
      want: 'foo Added=2 Replaced=2 Deleted=?2',
    },
    {
      what: 'was deleted already',
      write: (q) => [q.add(foo), q.delete(foo), q.replace([], '0')],
      want: 'foo Added=2 Deleted=2',
    },
    {
      what: 'was in several lists before',
      write: (q) => [q.add(foo), q.replace([foo], '0'), q.replace([foo], '0'), q.replace([], '0')],
      want: 'foo Added=2 Sync=2 Sync=2 Deleted=?2',
    },
    {
      what: 'is missing from several lists',
      write: (q) => [q.add(foo), q.replace([], '0'), q.replace([], '1')],
      want: 'foo Added=2 Deleted=?2',
    },
    {
      what: 'was added, deleted and added again',
      write: (q) => [q.add(foo), q.delete(foo), q.add(newerFoo), q.replace([], '0')],
      want: 'foo Added=2 Deleted=2 Added=3 Deleted=?3',
    },
  ])('deletes once what only the queue has, and a list lacks: it $what', async ({ write, replaced, want }) => {
    for (const knownObjects of [known(), undefined]) {
      const queue = make({ knownObjects, emitDeltaTypeReplaced: replaced })
      write(queue)
      expect(await drain(queue)).toEqual([want])
    }
  })

  it.each<{ what: string; write: (queue: DeltaFIFO<Thing>) => void; known?: null; replaced?: true; want: string[] }>([
    {
      what: 'a deletion waits',
      write: (q) => [q.delete(thing('baz', 10)), q.replace([thing('foo', 5)], '0')],
      want: ['baz Deleted=10', 'foo Sync=5', 'bar Deleted=?6'],
    },
    {
      what: 'an add waits',
      write: (q) => [q.add(thing('baz', 10)), q.replace([thing('foo', 5)], '0')],
      want: ['baz Added=10 Deleted=?10', 'foo Sync=5', 'bar Deleted=?6'],
    },
    {
      what: 'a deletion and an add wait',
      write: (q) => [q.delete(thing('bar', 6)), q.add(thing('bar', 100)), q.replace([thing('foo', 5)], '0')],
      want: ['bar Deleted=6 Added=100 Deleted=?100', 'foo Sync=5', 'baz Deleted=?7'],
    },
    {
      what: 'another list waits',
      write: (q) => [q.replace([thing('bar', 100), thing('foo', 5)], '0'), q.replace([thing('foo', 5)], '0')],
      want: ['bar Sync=100 Deleted=?100', 'foo Sync=5 Sync=5', 'baz Deleted=?7'],
    },
    {
      what: 'nothing is known',
      write: (q) => [q.add(thing('baz', 10)), q.replace([thing('foo', 5)], '0')],
      known: null,
      want: ['baz Added=10 Deleted=?10', 'foo Sync=5'],
    },
    {
      what: 'lists are to be Replaced',
      write: (q) => [q.delete(thing('baz', 10)), q.replace([thing('foo', 6)], '0')],
      replaced: true,
      want: ['baz Deleted=10', 'foo Replaced=6', 'bar Deleted=?6'],
    },
  ])('deletes what is known, and a list lacks: $what', async ({ write, known: none, replaced, want }) => {
    const objects = [thing('foo', 5), thing('bar', 6), thing('baz', 7)]
    const queue = make({ knownObjects: none === null ? undefined : known(...objects), emitDeltaTypeReplaced: replaced })
    write(queue)
    expect(await drain(queue)).toEqual(want)
  })

  it('tells of an object that a list has and that was about to be deleted', async () => {
    const queue = make({ knownObjects: known(thing('foo', 1)) })
    queue.delete(thing('foo', 1))
    queue.replace([thing('foo', 2)], '')
    expect(await drain(queue)).toEqual(['foo Deleted=1 Sync=2'])
  })

  it('queues deletions of what waits or is known', async () => {
    const alone = make()
    alone.add(thing('foo', 10))
    alone.update(thing('bar', 15))
    alone.add(thing('qux', 17))
    alone.delete(thing('qux', 18))
    alone.delete(thing('baz', 20))
    expect(await drain(alone)).toEqual(['foo Added=10', 'bar Updated=15', 'qux Added=17 Deleted=18'])
    const queue = make({ knownObjects: known(thing('foo', 5), thing('bar', 6), thing('baz', 7)) })
    queue.add(thing('foo', 10))
    queue.update(thing('bar', 15))
    queue.delete(thing('baz', 20))
    expect(await drain(queue)).toEqual(['foo Added=10', 'bar Updated=15', 'baz Deleted=20'])
  })

  it('does not resync what is about to be deleted', async () => {
    const queue = make({ knownObjects: known(thing('foo', 5)) })
    queue.delete(thing('foo', 10))
    queue.resync()
    expect(await drain(queue)).toEqual(['foo Deleted=10'])
  })

  it('takes a transformed object for what was deleted and missed', async () => {
    const queue = make({ transform: ({ metadata, val }) => ({ metadata, val: `${val}!` }) })
    queue.add(thing('foo', 10))
    queue.add(thing('bar', 11))
    queue.update(thing('foo', 12))
    queue.delete(thing('foo', 15))
    queue.replace([], '')
    queue.add(thing('bar', 16))
    queue.replace([], '')
    expect(await drain(queue)).toEqual([
      'foo Added=10! Updated=12! Deleted=15!',
      'bar Added=11! Deleted=?11! Added=16! Deleted=?16!',
    ])
  })

  it('says Replaced where it is asked to', async () => {
    const queue = make({ emitDeltaTypeReplaced: true, knownObjects: known(thing('a', 1)) })
    queue.replace([thing('a', 2)], '0')
    expect(await drain(queue)).toEqual(['a Replaced=2'])
    queue.resync()
    expect(await drain(queue)).toEqual(['a Sync=1'])
  })

  it('replaces nothing when an object has no key', () => {
    const queue = make({ knownObjects: known(thing('a', 1)) })
    expect(() => queue.replace([thing('b', 1), { metadata: { name: '' }, val: 1 }], '0')).toThrow(KeyError)
    expect([queue.length, queue.hasSynced()]).toEqual([0, false])
  })

  it('resyncs what is known and waits for nothing', async () => {
    const queue = make({ knownObjects: known(thing('foo', 5), thing('bar', 6)) })
    queue.update(thing('bar', 7))
    queue.resync()
    queue.resync()
    expect(await drain(queue)).toEqual(['bar Updated=7', 'foo Sync=5'])
    const alone = make()
    alone.resync()
    expect(alone.length).toBe(0)
  })

  it('transforms objects once, deleted ones too, but neither missed deletions nor what is known', async () => {
    const calls: unknown[] = []
    const transform = (each: Thing): Thing => {
      calls.push(each.val)
      return thing(each.metadata.name, `${each.val}!`)
    }
    const queue = make({ transform, knownObjects: known(thing('k', 0), thing('l', 0)) })
    queue.add(thing('a', 1))
    queue.delete(thing('a', 2))
    queue.delete(gone('k', 3))
    queue.resync()
    expect(await drain(queue)).toEqual(['a Added=1! Deleted=2!', 'k Deleted=?3', 'l Sync=0'])
    queue.replace([thing('k', 4)], '0')
    queue.replace([thing('l', 5)], '0', { transformed: true })
    expect(await drain(queue)).toEqual(['k Sync=4! Deleted=?4!', 'l Deleted=?0 Sync=5'])
    expect(calls).toEqual([1, 2, 4])
  })

  it.each<{ what: string; actions: (queue: DeltaFIFO<Thing>) => void; pops?: number; synced: boolean }>([
    { what: 'nothing was written', actions: () => {}, synced: false },
    { what: 'something was added', actions: (q) => q.add(thing('a', 1)), synced: true },
    { what: 'something unknown was deleted', actions: (q) => q.delete(thing('a', 1)), synced: true },
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
    { what: 'twice the same', actions: (q) => q.replace([thing('a', 1), thing('a', 2)], '0'), pops: 1, synced: true },
  ])('is synced or not: $what', async ({ actions, pops = 0, synced }) => {
    const queue = make()
    actions(queue)
    for (let i = 0; i < pops; i++) await queue.pop(() => {})
    expect(queue.hasSynced()).toBe(synced)
  })

  it('counts missed deletions as part of the first list', async () => {
    const queue = make({ knownObjects: known(thing('foo', 5), thing('bar', 6), thing('baz', 7)) })
    queue.replace([thing('foo', 5)], '0')
    const keys: string[] = []
    for (let i = 0; i < 3; i++) {
      expect(queue.hasSynced()).toBe(false)
      await queue.pop((deltas, isInInitialList) => keys.push(`${queue.keyOf(deltas)} ${isInInitialList}`))
    }
    expect([keys, queue.hasSynced()]).toEqual([['foo true', 'bar true', 'baz true'], true])
  })

  it('lets nobody jump the queue', async () => {
    const queue = make()
    queue.add(thing('foo', 10))
    queue.add(thing('bar', 1))
    await queue.pop(() => {})
    queue.add(thing('foo', 20))
    expect(await drain(queue)).toEqual(['bar Added=1', 'foo Added=20'])
  })

  it('waits for an object, takes it though its processing fails, and returns it', async () => {
    const queue = make()
    const waiting = queue.pop(() => Promise.reject(new Error('no')))
    queue.add(thing('a', 1))
    await expect(waiting).rejects.toThrow('no')
    expect(queue.length).toBe(0)
    queue.add(thing('b', 1))
    const deltas = await queue.pop(() => {})
    expect([oldest(deltas), newest(deltas)]).toEqual([deltas[0], deltas[0]])
  })

  it('gives one entry to one of several who wait, and the close to the others', async () => {
    const queue = make()
    const waiting = Promise.allSettled(Array.from({ length: 10 }, () => queue.pop(() => {})))
    queue.add(thing('a', 1))
    await Promise.resolve()
    queue.close()
    expect((await waiting).filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('ends waiting when it is closed, after what waits', async () => {
    const queue = make()
    const waiting = queue.pop(() => {})
    queue.close()
    await expect(waiting).rejects.toThrow(FIFOClosedError)
    queue.add(thing('a', 1))
    expect(queue.isClosed()).toBe(true)
    expect(await drain(queue)).toEqual(['a Added=1'])
    await expect(queue.pop(() => {})).rejects.toThrow('DeltaFIFO: manipulating with closed queue')
  })

  it('has keys for objects, missed deletions and what it gave', () => {
    const queue = make()
    expect(queue.keyOf(thing('foo', 1))).toBe('foo')
    expect(queue.keyOf(gone('bar', undefined))).toBe('bar')
    expect(queue.keyOf([{ type: 'Added', object: thing('a', 1) }])).toBe('a')
    expect(() => queue.keyOf([])).toThrow("0 length Deltas object; can't get key")
  })
})
