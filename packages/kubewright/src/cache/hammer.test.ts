// Random changes and random faults; in the end the cache is the server, and handlers know it.

import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/fake-clock.js'
import { noLogger } from '../rest/logger.js'
import { newBytesInformer } from './bytes/bytes-informer.js'
import type { ObjectRef } from './bytes/object-ref.js'
import { deletionHandlingMetaNamespaceKeyFunc } from './keys.js'
import { apiError, status, systemError, type TestObject, TestServer } from './server.test-support.js'
import { SharedIndexInformer, type SharedIndexInformerOptions } from './shared-informer.js'

/** A small generator of numbers from 0 to below 1 that a seed determines (mulberry32). */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** HAMMER_SEED=N explores another. */
const seeds = [...Array.from({ length: 12 }, (_, i) => i + 1), Number(process.env['HAMMER_SEED'] ?? 13)]

type Stored = TestObject | ObjectRef<TestObject>

type Options = Omit<SharedIndexInformerOptions<TestObject>, 'indexers'>

/** The two ways of keeping objects: what comes in and goes out is the same. */
const stores: [string, (server: TestServer, options: Options) => SharedIndexInformer<TestObject>][] = [
  [
    'decoded',
    (server, options) =>
      new SharedIndexInformer(server, { ...options, indexers: { value: (obj) => [obj.spec?.value ?? ''] } }),
  ],
  [
    'as bytes',
    (server, options) => {
      const kind = { apiVersion: 'v1', kind: 'Thing', namespaced: true }
      const informer = newBytesInformer<TestObject>(kind, server, {
        ...options,
        indexers: { value: (ref) => [(ref.field('spec.value') as string | undefined) ?? ''] },
      })
      return informer as unknown as SharedIndexInformer<TestObject>
    },
  ],
]

/** What a handler knows by what it was told; complains of what cannot be. */
function follower(
  random: () => number,
  clock: FakeClock,
): { state: Map<string, string>; problems: string[]; handler: object } {
  const state = new Map<string, string>()
  const problems: string[] = []
  const dawdle = (): Promise<void> | undefined =>
    random() < 0.05 ? new Promise((resolve) => clock.setTimer(random() * 500, resolve)) : undefined
  const version = (obj: Stored): string => obj.metadata.resourceVersion ?? ''
  return {
    state,
    problems,
    handler: {
      onAdd: (obj: Stored) => {
        const key = deletionHandlingMetaNamespaceKeyFunc(obj)
        if (state.has(key)) problems.push(`add of ${key}, which was there`)
        state.set(key, version(obj))
        return dawdle()
      },
      onUpdate: (old: Stored, obj: Stored) => {
        const key = deletionHandlingMetaNamespaceKeyFunc(obj)
        if (state.get(key) !== version(old))
          problems.push(`update of ${key} from ${version(old)}, not ${state.get(key)}`)
        if (Number(version(obj)) < Number(version(old))) problems.push(`update of ${key} goes back`)
        state.set(key, version(obj))
        return dawdle()
      },
      onDelete: (obj: Stored) => {
        const key = deletionHandlingMetaNamespaceKeyFunc(obj)
        if (!state.delete(key)) problems.push(`delete of ${key}, which was not there`)
        return dawdle()
      },
    },
  }
}

describe.each(stores)('informers that keep objects %s, under random faults', (_, newInformer) => {
  it.each(seeds)('end where the server is (seed %i)', async (seed) => {
    const random = generator(seed)
    const pick = <V extends string | number | Error>(values: readonly V[]): V =>
      values.at(Math.floor(random() * values.length)) as V
    const clock = new FakeClock()
    const server = new TestServer()
    server.watchListSupported = random() < 0.7
    let faulty = true
    server.fault = () =>
      faulty && random() < 0.2
        ? pick([
            apiError(500, 'InternalError'),
            apiError(429, 'TooManyRequests'),
            systemError('ECONNREFUSED'),
            apiError(410, 'Expired'),
          ])
        : undefined
    const informer = newInformer(server, {
      clock,
      random,
      logger: noLogger,
      resyncPeriod: pick([0, 5000, 30_000]),
      useWatchList: random() < 0.7,
    })
    const followers = [follower(random, clock)]
    for (const { handler } of followers) informer.addEventHandler(handler)
    const controller = new AbortController()
    const running = informer.run({ signal: controller.signal })

    const names = Array.from({ length: 12 }, (_, i) => `o${i}`)
    for (let step = 0; step < 250; step++) {
      const name = pick(names)
      if (!server.objects.has(`ns/${name}`)) server.create(name, pick(['red', 'blue']))
      else if (random() < 0.3) server.delete(name)
      else server.update(name, pick(['red', 'blue']))
      const chance = random()
      if (chance < 0.03) server.cut()
      else if (chance < 0.06) server.cut((watch) => watch.fail(systemError('ECONNRESET')))
      else if (chance < 0.08) server.cut((watch) => watch.push({ type: 'ERROR', object: status(500, 'InternalError') }))
      // Silence: the connection is dead, and nobody says so.
      else if (chance < 0.09) server.cut(() => {})
      else if (chance < 0.11) server.forgetHistory()
      else if (chance < 0.15) server.sendBookmark()
      else if (chance < 0.16) {
        const late = follower(random, clock)
        followers.push(late)
        informer.addEventHandler(late.handler)
      }
      if (random() < 0.5) await clock.advance(random() * 2000)
    }
    faulty = false
    await clock.advance(20 * 60_000)

    const expected = new Map([...server.objects].map(([key, obj]) => [key, obj.metadata.resourceVersion ?? '']))
    const cached = new Map(
      informer.indexer.list().map((obj) => [`ns/${obj.metadata.name}`, obj.metadata.resourceVersion ?? '']),
    )
    expect(cached).toEqual(expected)
    for (const { state, problems } of followers) {
      expect(problems).toEqual([])
      expect(state).toEqual(expected)
    }
    for (const value of ['red', 'blue']) {
      const keys = [...server.objects].filter(([, obj]) => obj.spec?.value === value).map(([key]) => key)
      expect(informer.indexer.indexKeys('value', value)).toEqual(keys.sort())
    }
    expect(server.openWatches).toBe(1)

    controller.abort()
    await running
    expect(clock.pendingTimers).toBe(0)
  })
})
