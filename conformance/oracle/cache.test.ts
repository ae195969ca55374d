// Keys, indexers and client-go's older queues answer as Go's do, whatever is done with them.

import fc from 'fast-check'
import {
  DeletedFinalStateUnknown,
  DeltaFIFO,
  Heap,
  MutationCache,
  metaNamespaceKeyFunc,
  newIndexer,
  splitMetaNamespaceKey,
} from 'kubewright/cache'
import { noLogger } from 'kubewright/rest'
import { expect, it } from 'vitest'
import { runs, textOf } from './arbitraries.js'
import { answerOf, describeWithOracle } from './describe-with-oracle.js'

interface Cached {
  name: string
  namespace: string
  version: string
  label: string
  unknown: boolean
}

interface Thing {
  metadata: { name: string; namespace?: string; resourceVersion: string; labels: { app?: string } }
}

const thing = ({ name, namespace, version, label }: Cached): Thing => ({
  metadata: {
    name,
    ...(namespace && { namespace }),
    resourceVersion: version,
    labels: label === '' ? {} : { app: label },
  },
})

const given = (cached: Cached): Thing | DeletedFinalStateUnknown<Thing> =>
  cached.unknown
    ? new DeletedFinalStateUnknown<Thing>(metaNamespaceKeyFunc(thing(cached)), thing(cached))
    : thing(cached)

const described = (obj: unknown): string => {
  const { metadata } = obj as Thing
  return `${metadata.namespace ?? ''}/${metadata.name}@${metadata.resourceVersion}`
}

const describedAll = (objs: readonly unknown[]): string[] => objs.map(described).sort()

const cached: fc.Arbitrary<Cached> = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'd'),
  namespace: fc.constantFrom('', 'default', 'other'),
  version: fc.integer({ min: 1, max: 30 }).map(String),
  label: fc.constantFrom('', 'x', 'y', 'cluster'),
  unknown: fc.constant(false),
})
const maybeMissed = fc.tuple(cached, fc.boolean()).map(([one, unknown]) => ({ ...one, unknown }))

/** Steps of any of these kinds; each has all fields, so that Go finds them. */
function stepsOf(ops: Record<string, fc.Arbitrary<Cached>>) {
  const step = fc.oneof(
    ...Object.entries(ops).map(([op, object]) =>
      fc.record({
        op: fc.constant(op),
        object,
        objects: fc.array(cached, { maxLength: 5 }),
        value: fc.nat(50).map(String),
      }),
    ),
  )
  return fc.array(step, { maxLength: 25 })
}

describeWithOracle('keys of a cache', (oracle) => {
  it('are made and taken apart as Go does', async () => {
    const name = textOf('abAB01-._', 8).filter((text) => text !== '')
    await fc.assert(
      fc.asyncProperty(name, textOf('ab-', 4), async (name, namespace) => {
        const one = { name, namespace, version: '1', label: '', unknown: false }
        expect(answerOf(() => metaNamespaceKeyFunc(thing(one)))).toEqual(await oracle.ask('cache.key', one))
      }),
      runs(200),
    )
    await fc.assert(
      fc.asyncProperty(textOf('ab/', 8), async (key) => {
        const ours = answerOf(() => splitMetaNamespaceKey(key))
        expect(ours).toEqual(await oracle.ask('cache.split', { key }))
      }),
      { ...runs(500), examples: [[''], ['/'], ['a/'], ['/a'], ['a/b/c'], ['a/"b/c']] },
    )
  })
})

describeWithOracle('an indexer', (oracle) => {
  it('holds and finds what Go does', async () => {
    const steps = stepsOf({ add: cached, update: cached, delete: maybeMissed, replace: cached, bookmark: cached })
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        const indexer = newIndexer<Thing>({
          indexers: {
            app: ({ metadata }) => [
              ...(metadata.labels.app === undefined ? [] : [metadata.labels.app]),
              ...(metadata.namespace === undefined ? ['cluster'] : []),
            ],
          },
        })
        const ours = steps.map(({ op, object, objects, value }) => {
          if (op === 'add') indexer.add(thing(object))
          else if (op === 'update') indexer.update(thing(object))
          else if (op === 'delete') indexer.delete(given(object))
          else if (op === 'replace') indexer.replace(objects.map(thing), value)
          else indexer.bookmark(value)
          return {
            list: describedAll(indexer.list()),
            keys: indexer.listKeys().sort(),
            byIndex: Object.fromEntries(
              indexer
                .listIndexFuncValues('app')
                .map((each) => [each, [describedAll(indexer.byIndex('app', each)), indexer.indexKeys('app', each)]]),
            ),
            like: describedAll(indexer.index('app', thing(object))),
            version: indexer.lastStoreSyncResourceVersion(),
          }
        })
        expect({ result: ours }).toEqual(await oracle.ask('cache.indexer', steps))
      }),
      runs(300),
    )
  })
})

describeWithOracle('a DeltaFIFO', (oracle) => {
  it('gathers what Go does', async () => {
    const nothing = cached
    const steps = stepsOf({
      add: cached,
      update: cached,
      delete: maybeMissed,
      replace: nothing,
      resync: nothing,
      drain: nothing,
    })
    const known = fc.option(fc.array(cached, { maxLength: 4 }), { nil: null })
    await fc.assert(
      fc.asyncProperty(known, fc.boolean(), steps, async (known, replaced, steps) => {
        const store = newIndexer<Thing>({ indexers: {} })
        store.replace((known ?? []).map(thing), '')
        const queue = new DeltaFIFO<Thing>({ knownObjects: known ? store : undefined, emitDeltaTypeReplaced: replaced })
        const ours: object[] = []
        for (const { op, object, objects } of steps) {
          const taken: Record<string, string[]> = {}
          let initial = 0
          if (op === 'add') queue.add(thing(object))
          else if (op === 'update') queue.update(thing(object))
          else if (op === 'delete') queue.delete(given(object))
          else if (op === 'replace') queue.replace(objects.map(thing), '')
          else if (op === 'resync') queue.resync()
          for (let left = op === 'drain' ? queue.length : 0; left > 0; left--) {
            await queue.pop((deltas, isInInitialList) => {
              taken[queue.keyOf(deltas)] = deltas.map(({ type, object }) =>
                object instanceof DeletedFinalStateUnknown
                  ? `${type}? ${described(object.obj)}`
                  : `${type} ${described(object)}`,
              )
              if (isInInitialList) initial++
            })
          }
          ours.push({ taken, initial, synced: queue.hasSynced() })
        }
        expect({ result: ours }).toEqual(await oracle.ask('cache.deltaFIFO', { known, replaced, steps }))
      }),
      runs(500),
    )
  })
})

describeWithOracle('a Heap', (oracle) => {
  it('gives what Go does, in the same order, equals included', async () => {
    const step = fc.record({
      op: fc.constantFrom('add', 'add', 'addIfNotPresent', 'delete', 'pop'),
      key: fc.nat(9).map((n) => `k${n}`),
      value: fc.nat(4),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const heap = new Heap<{ key: string; value: number }>({
          keyFunc: ({ key }) => key,
          lessFunc: (a, b) => a.value < b.value,
        })
        const ours: object[] = []
        for (const { op, ...item } of steps) {
          let result = ''
          if (op === 'add') heap.add(item)
          else if (op === 'addIfNotPresent') heap.addIfNotPresent(item)
          else if (op === 'delete') {
            const answer = answerOf(() => heap.delete(item))
            if ('error' in answer) result = answer.error
          } else if (heap.length > 0) result = (await heap.pop()).key
          ours.push({ result, keys: heap.listKeys().sort() })
        }
        expect({ result: ours }).toEqual(await oracle.ask('cache.heap', steps))
      }),
      runs(300),
    )
  })
})

describeWithOracle('a MutationCache', (oracle) => {
  it('gives the newer of two as Go does', async () => {
    const steps = stepsOf({ update: cached, delete: cached, mutation: cached, get: cached })
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        const indexer = newIndexer<Thing>({ indexers: {} })
        const mutations = new MutationCache<Thing & { apiVersion: string; kind: string }>(indexer as never, {
          logger: noLogger,
        })
        const ours = steps.map(({ op, object }) => {
          if (op === 'update') indexer.update(thing(object))
          else if (op === 'delete') indexer.delete(thing(object))
          else if (op === 'mutation') mutations.mutation(thing(object) as never)
          else {
            const found = mutations.getByKey(metaNamespaceKeyFunc(thing(object)))
            return found === undefined ? '' : described(found)
          }
          return ''
        })
        // With them, Go forgets what it does not have in its cache at the first reading.
        const includeAdds = false
        expect({ result: ours }).toEqual(await oracle.ask('cache.mutationCache', { steps, includeAdds }))
      }),
      runs(300),
    )
  })
})
