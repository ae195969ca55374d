import { expect, it } from 'vitest'
import { type ChangeSink, processDelta } from './deltas.js'
import type { IndexerOptions } from './indexer.js'
import { DeletedFinalStateUnknown, deletionHandlingMetaNamespaceKeyFunc, type KeyFunc } from './keys.js'
import { RealFIFO } from './real-fifo.js'
import { object, type TestObject } from './server.test-support.js'
import { Store } from './store.js'

/**
 * A queue before a store. `drain` applies what waits, and returns what was told of it: `add a@1`, `update a@1->2`,
 * `delete a@3`, `missed a@3`, each followed by the version that the store had of the object by then.
 */
function setup<T = TestObject>({
  known = [],
  keyFunc = deletionHandlingMetaNamespaceKeyFunc,
  transform,
  ...options
}: IndexerOptions<T> & { known?: T[]; keyFunc?: KeyFunc; transform?: (obj: T) => T } = {}) {
  const store = new Store<T>({ ...options, keyFunc })
  const fifo = new RealFIFO<T>({ keyFunc, transform })
  store.replace(known, '')
  const told: string[] = []
  const version = (obj: unknown): string => (obj as Partial<TestObject> | undefined)?.metadata?.resourceVersion ?? '-'
  const note = (what: string, obj: unknown): void => {
    const key = keyFunc(obj as TestObject)
    const of = obj instanceof DeletedFinalStateUnknown ? obj.obj : obj
    told.push(`${what} ${key.replace('ns/', '')}@${version(of)}, stored ${version(store.getByKey(key))}`)
  }
  const sink: ChangeSink<T> = {
    onAdd: (obj, isInInitialList) => note(isInInitialList ? 'add (initial)' : 'add', obj),
    onAddAll: (objs, isInInitialList) => {
      for (const obj of objs) sink.onAdd(obj, isInInitialList)
    },
    onUpdate: (old, obj) => note(`update ${version(old)}`, obj),
    onDelete: (obj) => note(obj instanceof DeletedFinalStateUnknown ? 'missed' : 'delete', obj),
  }
  const drain = async (): Promise<string[]> => {
    while (fifo.length > 0) {
      await fifo.pop((delta, isInInitialList) =>
        processDelta(delta, store, sink, { isInInitialList, breathe: () => undefined }),
      )
    }
    return told.splice(0)
  }
  return { store, fifo, drain }
}

it.each<{ what: string; before: TestObject[]; list: TestObject[]; version: string; want: string[] }>([
  {
    what: 'an object, into an empty cache',
    before: [],
    list: [object('pod-1', '1')],
    version: '1',
    want: ['add (initial) pod-1@1, stored 1'],
  },
  {
    what: 'nothing: all is deleted',
    before: [object('pod-1', '1'), object('pod-3', '2')],
    list: [],
    version: '2',
    want: ['missed pod-1@1, stored -', 'missed pod-3@2, stored -'],
  },
  {
    what: 'new, changed and missing objects: what is missing comes first',
    before: [object('pod-1', '1'), object('pod-2', '2', { spec: { value: '1' } }), object('pod-3', '3')],
    list: [object('pod-1', '4'), object('pod-2', '5', { spec: { value: '2' } }), object('pod-4', '6')],
    version: '6',
    want: [
      'missed pod-3@3, stored -',
      'update 1 pod-1@4, stored 4',
      'update 2 pod-2@5, stored 5',
      'add pod-4@6, stored 6',
    ],
  },
])('a list brings $what', async ({ before, list, version, want }) => {
  const { store, fifo, drain } = setup()
  for (const obj of before) fifo.add(obj)
  await drain()
  fifo.replace(list, version)
  expect(await drain()).toEqual(want)
  expect([store.list(), store.lastStoreSyncResourceVersion()]).toEqual([list, version])
})

const foo = object('foo', '2')
const newerFoo = object('foo', '3')

it.each<{ what: string; write: (fifo: RealFIFO<TestObject>) => void; want: string[] }>([
  {
    what: 'was added',
    write: (fifo) => [fifo.add(foo), fifo.replace([], '0')],
    want: ['add foo@2, stored 2', 'missed foo@2, stored -'],
  },
  {
    what: 'was deleted already',
    write: (fifo) => [fifo.add(foo), fifo.delete(foo), fifo.replace([], '0')],
    want: ['add foo@2, stored 2', 'delete foo@2, stored -'],
  },
  {
    what: 'was in lists before',
    write: (fifo) => [fifo.add(foo), fifo.replace([foo], '0'), fifo.replace([foo], '0'), fifo.replace([], '0')],
    want: ['add foo@2, stored 2', 'update 2 foo@2, stored 2', 'update 2 foo@2, stored 2', 'missed foo@2, stored -'],
  },
  {
    what: 'is missing from several lists',
    write: (fifo) => [fifo.add(foo), fifo.replace([], '0'), fifo.replace([], '1')],
    want: ['add foo@2, stored 2', 'missed foo@2, stored -'],
  },
  {
    what: 'was added, deleted and added again',
    write: (fifo) => [fifo.add(foo), fifo.delete(foo), fifo.add(newerFoo), fifo.replace([], '0')],
    want: ['add foo@2, stored 2', 'delete foo@2, stored -', 'add foo@3, stored 3', 'missed foo@3, stored -'],
  },
  {
    what: 'is not there, and a bookmark came',
    write: (fifo) => [fifo.bookmark('123'), fifo.replace([], '0')],
    want: [],
  },
])('what a list lacks is deleted once: it $what', async ({ write, want }) => {
  const { fifo, drain } = setup()
  write(fifo)
  expect(await drain()).toEqual(want)
})

it.each<{ what: string; write: (fifo: RealFIFO<TestObject>) => void; want: string[] }>([
  {
    what: 'after a deletion',
    write: (fifo) => [fifo.delete(object('baz', '10')), fifo.replace([object('foo', '6')], '0')],
    want: ['delete baz@10, stored -', 'missed bar@6, stored -', 'update 5 foo@6, stored 6'],
  },
  {
    what: 'after an add',
    write: (fifo) => [fifo.add(object('baz', '10')), fifo.replace([object('foo', '5')], '0')],
    want: [
      'update 7 baz@10, stored 10',
      'missed bar@6, stored -',
      'missed baz@10, stored -',
      'update 5 foo@5, stored 5',
    ],
  },
  {
    what: 'after a deletion and an add',
    write: (fifo) => [
      fifo.delete(object('bar', '6')),
      fifo.add(object('bar', '100')),
      fifo.replace([object('foo', '5')], '0'),
    ],
    want: [
      'delete bar@6, stored -',
      'add bar@100, stored 100',
      'missed baz@7, stored -',
      'missed bar@100, stored -',
      'update 5 foo@5, stored 5',
    ],
  },
  {
    what: 'after another list',
    write: (fifo) => [
      fifo.replace([object('bar', '100'), object('foo', '5')], '0'),
      fifo.replace([object('foo', '5')], '0'),
    ],
    want: [
      'missed baz@7, stored -',
      'update 6 bar@100, stored 100',
      'update 5 foo@5, stored 5',
      'missed bar@100, stored -',
      'update 5 foo@5, stored 5',
    ],
  },
  {
    what: 'after the deletion of an object that it has',
    write: (fifo) => [
      fifo.delete(object('foo', '5')),
      fifo.replace([object('foo', '8'), object('bar', '6'), object('baz', '7')], '0'),
    ],
    want: ['delete foo@5, stored -', 'add foo@8, stored 8', 'update 6 bar@6, stored 6', 'update 7 baz@7, stored 7'],
  },
])('a list is compared with what the cache has by then: $what', async ({ write, want }) => {
  const { fifo, drain } = setup({ known: [object('foo', '5'), object('bar', '6'), object('baz', '7')] })
  write(fifo)
  expect(await drain()).toEqual(want)
})

it.each<{ what: string; write: (fifo: RealFIFO<TestObject>) => void; want: string[] }>([
  { what: 'of what the cache has', write: (fifo) => fifo.resync(), want: ['update 5 foo@5, stored 5'] },
  {
    what: 'not of what was deleted before',
    write: (fifo) => [fifo.delete(object('foo', '10')), fifo.resync()],
    want: ['delete foo@10, stored -'],
  },
  {
    what: 'of the newest state',
    write: (fifo) => [fifo.update(object('foo', '6')), fifo.resync()],
    want: ['update 5 foo@6, stored 6', 'update 6 foo@6, stored 6'],
  },
])('a resync tells $what', async ({ write, want }) => {
  const { fifo, drain } = setup({ known: [object('foo', '5')] })
  write(fifo)
  expect(await drain()).toEqual(want)
})

it('the version of the cache follows lists, changes, deletions and bookmarks, not missed deletions', async () => {
  const { store, fifo, drain } = setup()
  const after = async (write: () => void): Promise<string> => {
    write()
    await drain()
    return store.lastStoreSyncResourceVersion()
  }
  expect(await after(() => fifo.replace([object('pod-1', '1')], '1'))).toBe('1')
  expect(await after(() => fifo.update(object('pod-1', '2')))).toBe('2')
  expect(await after(() => fifo.delete(object('pod-1', '3')))).toBe('3')
  expect(await after(() => fifo.bookmark('7'))).toBe('7')
  expect(await after(() => fifo.delete(new DeletedFinalStateUnknown('ns/x', object('x', '99'))))).toBe('7')
})

it('the version of the cache is that of the last list, where a transform leaves objects without metadata', async () => {
  const { store, fifo, drain } = setup<{ metadata: TestObject['metadata'] } | { name: string }>({
    indexers: {},
    keyFunc: () => 'pod-1',
    transform: (obj) => ('metadata' in obj ? { name: obj.metadata.name } : obj),
  })
  fifo.replace([object('pod-1', '1')], '1')
  expect(await drain()).toEqual(['add (initial) pod-1@-, stored -'])
  fifo.update(object('pod-1', '2'))
  await drain()
  expect([store.list(), store.lastStoreSyncResourceVersion()]).toEqual([[{ name: 'pod-1' }], '1'])
  fifo.replace([object('pod-1', '3')], '3')
  await drain()
  expect(store.lastStoreSyncResourceVersion()).toBe('3')
})
