import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import { noLogger } from '../rest/index.js'
import type { Indexer } from './indexer.js'
import { DeletedFinalStateUnknown, KeyError } from './keys.js'
import { ReadYourWrites, type ReadYourWritesOptions } from './read-your-writes.js'
import { recordingClient } from './recording-client.js'
import { newIndexer } from './store.js'

interface Thing {
  apiVersion: string
  kind: string
  metadata: {
    name: string
    namespace: string
    uid: string
    resourceVersion: string
    labels: { app: string }
    finalizers?: string[]
    deletionTimestamp?: string
    deletionGracePeriodSeconds?: number
  }
}

type Extra = Partial<Pick<Thing['metadata'], 'finalizers' | 'deletionTimestamp' | 'deletionGracePeriodSeconds'>>

const thing = (
  name: string,
  version: number,
  { uid = name, app = 'x', ...extra }: { uid?: string; app?: string } & Extra = {},
): Thing => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name, namespace: 'default', uid, resourceVersion: String(version), labels: { app }, ...extra },
})

const key = (name: string): string => `default/${name}`
const show = (objs: readonly { metadata: { name: string; resourceVersion: string } }[]): string[] =>
  objs.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).sort()

function setup(options: ReadYourWritesOptions<Thing> = {}) {
  const clock = new FakeClock()
  const cache: Indexer<Thing> = newIndexer<Thing>({ indexers: { app: (obj) => [obj.metadata.labels.app] } })
  const reads = new ReadYourWrites<Thing>(cache, { clock, logger: noLogger, ...options })
  const version = (name: string) => reads.getByKey(key(name))?.metadata.resourceVersion
  return { clock, cache, reads, version }
}

describe('ReadYourWrites', () => {
  it('gives what was written until the cache has come to it', () => {
    const { cache, reads, version } = setup()
    cache.replace([thing('a', 5), thing('b', 6)], '7')
    reads.wrote(thing('a', 10, { app: 'y' }))
    reads.wrote(thing('c', 11))
    expect(show(reads.list())).toEqual(['a@10', 'b@6', 'c@11'])
    expect(show(reads.byIndex('app', 'x'))).toEqual(['b@6', 'c@11'])
    expect(show(reads.byIndex('app', 'y'))).toEqual(['a@10'])
    expect(show(reads.index('app', thing('a', 1)))).toEqual(['b@6', 'c@11'])
    expect(reads.indexKeys('app', 'x')).toEqual([key('b'), key('c')])
    expect(reads.listIndexFuncValues('app').sort()).toEqual(['x', 'y'])
    expect(reads.pending).toBe(2)
    cache.update(thing('a', 10, { app: 'y' }))
    cache.update(thing('b', 12))
    expect([version('a'), version('b'), version('c')]).toEqual(['10', '12', undefined])
    expect(reads.pending).toBe(0)
  })

  it('lets others delete, or create anew, what was written', () => {
    const { cache, reads, version } = setup()
    reads.wrote(thing('a', 10))
    cache.replace([], '9')
    expect(version('a')).toBe('10')
    cache.replace([], '11')
    expect(version('a')).toBeUndefined()
    reads.wrote(thing('a', 20, { uid: 'mine' }))
    cache.add(thing('a', 25, { uid: 'theirs' }))
    expect(version('a')).toBe('25')
  })

  it('drops what was written when a bookmark says that the cache is as far', () => {
    const { cache, reads, version } = setup()
    reads.wrote(thing('a', 10))
    cache.bookmark('10')
    expect([version('a'), reads.pending]).toEqual([undefined, 0])
  })

  it('takes no answer that is older than what is read', () => {
    const { cache, reads, version } = setup()
    cache.add(thing('a', 10))
    reads.wrote(thing('a', 9))
    reads.wrote(thing('a', 10))
    expect(reads.pending).toBe(0)
    reads.wrote(thing('a', 12))
    reads.wrote(thing('a', 11))
    expect(version('a')).toBe('12')
  })

  it('hides what was deleted until the cache has lost it, and shows what others create of that name', () => {
    const { cache, reads, version } = setup()
    cache.add(thing('a', 5, { uid: 'old' }))
    reads.deleted(thing('a', 5, { uid: 'old' }))
    expect([version('a'), reads.list(), reads.byIndex('app', 'x'), reads.indexKeys('app', 'x')]).toEqual([
      undefined,
      [],
      [],
      [],
    ])
    cache.update(thing('a', 6, { uid: 'old' }))
    expect(version('a')).toBeUndefined()
    cache.update(thing('a', 9, { uid: 'new' }))
    expect([version('a'), reads.pending]).toEqual(['9', 0])
  })

  it('hides what was created and deleted before the watch brings either', () => {
    const { cache, reads, version } = setup()
    cache.bookmark('9')
    reads.wrote(thing('a', 10))
    reads.deleted(thing('a', 10))
    expect(version('a')).toBeUndefined()
    cache.add(thing('a', 10))
    expect([version('a'), reads.pending]).toEqual([undefined, 1])
    cache.delete(thing('a', 12))
    expect([version('a'), reads.pending]).toEqual([undefined, 0])
  })

  it('takes no late answer of a deleted object, but one of a new object', () => {
    const { cache, reads, version } = setup()
    cache.add(thing('a', 5))
    reads.deleted(new DeletedFinalStateUnknown(key('a'), thing('a', 5)))
    reads.wrote(thing('a', 6))
    expect(version('a')).toBeUndefined()
    reads.wrote(thing('a', 8, { uid: 'new' }))
    expect(version('a')).toBe('8')
    reads.deleted(thing('a', 6))
    expect(version('a')).toBe('8')
  })

  it('sees the end of an object whose last finalizer was taken away', () => {
    const { cache, reads, version } = setup()
    cache.add(thing('a', 5, { finalizers: ['f'], deletionTimestamp: 'then', deletionGracePeriodSeconds: 0 }))
    reads.wrote(thing('a', 6, { deletionTimestamp: 'then', deletionGracePeriodSeconds: 0 }))
    expect(version('a')).toBeUndefined()
    reads.wrote(thing('p', 7, { deletionTimestamp: 'then', deletionGracePeriodSeconds: 30 }))
    expect(version('p')).toBe('7')
    // The server's answer may have the version that there was before it.
    cache.add(thing('s', 8, { finalizers: ['f'], deletionTimestamp: 'then', deletionGracePeriodSeconds: 0 }))
    reads.wrote(thing('s', 8, { deletionTimestamp: 'then', deletionGracePeriodSeconds: 0 }))
    expect(version('s')).toBeUndefined()
    cache.delete(thing('s', 9))
    cache.add(thing('s', 10, { uid: 'new' }))
    expect(version('s')).toBe('10')
  })

  it('hides what the informer does not select any more, until the cache has come to that', () => {
    const { cache, reads, version } = setup({ filter: (obj) => obj.metadata.labels.app === 'x' })
    cache.add(thing('a', 5))
    reads.wrote(thing('a', 6, { app: 'y' }))
    expect([version('a'), reads.list()]).toEqual([undefined, []])
    cache.update(thing('a', 7))
    expect(version('a')).toBe('7')
  })

  it('shows what was written as the informer would', () => {
    const { reads } = setup({
      transform: (obj) => {
        obj.metadata.labels.app = 'transformed'
        return obj
      },
    })
    const answer = thing('a', 1)
    reads.wrote(answer)
    expect(reads.byIndex('app', 'transformed')).toHaveLength(1)
    expect(answer.metadata.labels.app).toBe('x')
  })

  it('keeps a copy, which no later change of the answer reaches', () => {
    const { reads, version } = setup()
    const answer = thing('a', 1)
    reads.wrote(answer)
    answer.metadata.resourceVersion = 'changed'
    expect(version('a')).toBe('1')
  })

  it('forgets after a time, whatever the watch does', async () => {
    const { clock, cache, reads, version } = setup({ ttl: 1000 })
    cache.add(thing('b', 1))
    reads.wrote(thing('a', 10))
    reads.deleted(thing('b', 1))
    await clock.advance(1000)
    expect([version('a'), version('b')]).toEqual(['10', undefined])
    await clock.advance(1)
    expect([version('a'), version('b'), reads.pending, clock.pendingTimers]).toEqual([undefined, '1', 0, 0])
  })

  it('uses indices that are added later', () => {
    const { cache, reads } = setup()
    reads.wrote(thing('a', 10))
    reads.addIndexers({ name: (obj) => [obj.metadata.name] })
    expect(show(reads.byIndex('name', 'a'))).toEqual(['a@10'])
    expect(Object.keys(reads.getIndexers())).toEqual(['app', 'name'])
    expect(() => reads.byIndex('none', 'a')).toThrow('Index with name none does not exist')
    expect(() => reads.index('none', thing('a', 1))).toThrow('Index with name none does not exist')
    expect(reads.listIndexFuncValues('none')).toEqual([])
    cache.bookmark('10')
    expect(reads.lastStoreSyncResourceVersion()).toBe('10')
  })

  it('does not hold what is past when nobody reads', () => {
    const { cache, reads } = setup()
    for (let i = 1; i <= 10_000; i++) {
      reads.wrote(thing(`a${i}`, i))
      cache.bookmark(String(i))
      // No read: what is past is swept out by itself.
    }
    expect((reads as unknown as { pending: number }).pending).toBe(0)
  })

  it('takes the writing calls of an indexer as told writes, and refuses those that say more', () => {
    const { cache, reads, version } = setup()
    reads.add(thing('a', 1))
    reads.update(thing('a', 2))
    expect([version('a'), reads.get(thing('a', 0))?.metadata.resourceVersion]).toEqual(['2', '2'])
    reads.delete(thing('a', 2))
    expect(version('a')).toBeUndefined()
    expect(cache.listKeys()).toEqual([])
    expect(() => reads.replace()).toThrow(TypeError)
    expect(() => reads.bookmark()).toThrow(TypeError)
    expect(() => reads.wrote({} as Thing)).toThrow(KeyError)
  })

  it('leaves out what it cannot compare', () => {
    const { cache, reads } = setup()
    cache.add(thing('b', 1))
    const odd = thing('a', 1)
    odd.metadata.resourceVersion = 'x'
    reads.wrote(odd)
    expect(reads.pending).toBe(0)
  })

  it('reads each object as it is at the later of where the cache is and of the own last write', () => {
    const name = fc.constantFrom('a', 'b', 'c')
    const app = fc.constantFrom('x', 'y')
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ op: fc.constantFrom('put', 'delete'), name, app, own: fc.boolean() }),
      },
      {
        weight: 3,
        arbitrary: fc.record({ op: fc.constant('follow' as const), relist: fc.boolean(), events: fc.nat(3) }),
      },
      { weight: 1, arbitrary: fc.constant({ op: 'other' as const }) },
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { cache, reads } = setup()
        /** What is stored after each event; the event's version is its index. */
        const history: Map<string, Thing>[] = [new Map()]
        const changed: (string | undefined)[] = [undefined]
        const ownAt = new Map<string, number>()
        let position = 0
        let uids = 0
        cache.replace([], '0')
        const commit = (change: string | undefined, now: Map<string, Thing>): number => {
          history.push(now)
          changed.push(change)
          return history.length - 1
        }
        const follow = (): void => {
          const next = position + 1
          const what = changed[next]
          if (what === undefined) cache.bookmark(String(next))
          else {
            const now = history[next]?.get(what)
            if (now) cache.update(now)
            else cache.delete(thing(what, next, { uid: history[position]?.get(what)?.metadata.uid as string }))
          }
          position = next
        }
        for (const each of steps) {
          const stored = history.at(-1) as Map<string, Thing>
          if (each.op === 'put') {
            const version = history.length
            const uid = stored.get(each.name)?.metadata.uid ?? `uid ${uids++}`
            const obj = thing(each.name, version, { uid, app: each.app })
            commit(each.name, new Map(stored).set(each.name, obj))
            if (each.own) {
              reads.wrote(obj)
              ownAt.set(each.name, version)
            }
          } else if (each.op === 'delete') {
            const obj = stored.get(each.name)
            if (!obj) continue
            const left = new Map(stored)
            left.delete(each.name)
            const version = commit(each.name, left)
            if (each.own) {
              reads.deleted({ ...obj, metadata: { ...obj.metadata, resourceVersion: obj.metadata.resourceVersion } })
              ownAt.set(each.name, version)
            }
          } else if (each.op === 'other') {
            commit(undefined, stored)
          } else if ('events' in each && !each.relist) {
            for (let i = 0; i < each.events && position < history.length - 1; i++) follow()
          } else if ('events' in each) {
            position = Math.min(history.length - 1, position + each.events)
            if (position > 0) cache.replace([...(history[position]?.values() ?? [])], String(position))
          }
          const want = ['a', 'b', 'c'].flatMap((one) => {
            const obj = history[Math.max(position, ownAt.get(one) ?? 0)]?.get(one)
            return obj ? [obj] : []
          })
          for (const one of ['a', 'b', 'c']) {
            expect(reads.getByKey(key(one))).toEqual(want.find((obj) => obj.metadata.name === one))
          }
          expect(show(reads.list())).toEqual(show(want))
          for (const value of ['x', 'y']) {
            const ofValue = want.filter((obj) => obj.metadata.labels.app === value)
            expect(show(reads.byIndex('app', value))).toEqual(show(ofValue))
            expect(reads.listIndexFuncValues('app').includes(value)).toBe(ofValue.length > 0)
          }
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('recordingClient', () => {
  /** A client whose answers are what it was given, one version later each time. */
  class Client {
    readonly #answers: Thing[]
    #version = 10
    constructor(...answers: Thing[]) {
      this.#answers = answers
    }
    #next(): Promise<Thing> {
      const answer = this.#answers.shift() as Thing
      return Promise.resolve({ ...answer, metadata: { ...answer.metadata, resourceVersion: String(this.#version++) } })
    }
    create = (_obj: Thing, _opts?: object): Promise<Thing> => this.#next()
    patch(_name: string, _patch: object, _opts?: object): Promise<Thing> {
      return this.#next()
    }
    get(_name: string): Promise<Thing> {
      return this.#next()
    }
    delete(name: string, _opts?: object): Promise<unknown> {
      return this.#answers.length > 0
        ? this.#next()
        : Promise.resolve({ kind: 'Status', status: 'Success', details: { name, uid: name } })
    }
  }

  it('tells what its calls were answered', async () => {
    const { cache, reads, version } = setup()
    const client = recordingClient(new Client(thing('a', 0), thing('a', 0)), reads, 'default')
    const created = await client.create(thing('a', 0))
    expect([created.metadata.resourceVersion, version('a')]).toEqual(['10', '10'])
    await client.patch('a', {})
    expect(version('a')).toBe('11')
    cache.add(thing('a', 12))
    await client.delete('a')
    expect(version('a')).toBeUndefined()
  })

  it('needs nothing for a delete that the watch has brought before the answer', async () => {
    const { cache, reads } = setup()
    cache.add(thing('a', 10))
    const inner = new Client()
    const answer = inner.delete
    inner.delete = (name) => {
      cache.delete(thing('a', 11))
      return answer.call(inner, name)
    }
    await recordingClient(inner, reads, 'default').delete('a')
    expect(reads.pending).toBe(0)
  })

  it('knows a delete that left the object there', async () => {
    const { reads, version } = setup()
    const client = recordingClient(
      new Client(thing('a', 0, { deletionTimestamp: 'then', finalizers: ['f'] })),
      reads,
      'default',
    )
    await client.delete('a')
    expect(version('a')).toBe('10')
  })

  it('leaves out dry runs, other subresources, and reading', async () => {
    const { reads } = setup()
    const client = recordingClient(new Client(...Array<Thing>(5).fill(thing('a', 0))), reads, 'default')
    await client.create(thing('a', 0), { dryRun: ['All'] })
    await client.patch('a', {}, { subresource: 'scale' })
    await client.delete('a', { dryRun: ['All'] })
    await client.get('a')
    expect(reads.pending).toBe(0)
    await client.patch('a', {}, { subresource: 'status' })
    expect(reads.pending).toBe(1)
  })
})
