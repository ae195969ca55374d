// Frozen caches, statistics, what is published, and handlers that are stuck.

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { FakeClock } from '../clock/fake-clock.js'
import { deepFreeze, freezeByEnvironment } from './freeze.js'
import { apiError, bookmark, status, TestLogger, type TestObject, TestServer } from './server.test-support.js'
import { SharedIndexInformer, type SharedIndexInformerOptions } from './shared-informer.js'

const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

function fixture(server: TestServer, options: SharedIndexInformerOptions<TestObject> = {}) {
  const clock = new FakeClock()
  const logger = new TestLogger()
  const stop = new AbortController()
  const informer = new SharedIndexInformer(server, { clock, logger, random: () => 0, name: 'things', ...options })
  const start = (): void => {
    const running = informer.run({ signal: stop.signal })
    cleanups.push(async () => {
      stop.abort()
      await running
      expect(clock.pendingTimers).toBe(0)
    })
  }
  return { clock, logger, informer, start }
}

function serverWith(...names: string[]): TestServer {
  const server = new TestServer()
  for (const name of names) server.create(name, 'v')
  return server
}

/** Collects what is published about the informers of this file. */
function listen() {
  const events: Record<string, unknown>[] = []
  for (const name of ['list', 'watch', 'change', 'synced', 'backlog']) {
    const onMessage = (event: unknown): void => {
      const { informer: info, ...rest } = event as { informer: { name: string } }
      if (info.name === 'things') events.push({ event: name, ...rest })
    }
    subscribe(`kubewright:cache:informer:${name}`, onMessage)
    cleanups.push(() => void unsubscribe(`kubewright:cache:informer:${name}`, onMessage))
  }
  return events
}

describe('freeze', () => {
  it('lets nobody change what is cached, and says where it was tried', async () => {
    const server = serverWith('a')
    const errors: unknown[] = []
    const { clock, informer, start } = fixture(server, { freeze: true, onHandlerError: (err) => errors.push(err) })
    function theOneWhoChanges(obj: unknown): void {
      ;(obj as TestObject).metadata.resourceVersion = 'changed'
    }
    informer.addEventHandler({ onAdd: theOneWhoChanges })
    start()
    await clock.advance(0)
    expect(errors).toEqual([expect.any(TypeError)])
    expect((errors[0] as Error).stack).toContain('theOneWhoChanges')
    expect(informer.indexer.getByKey('ns/a')?.metadata.resourceVersion).toBe('1')
    server.update('a', 'new')
    server.create('b', 'v')
    await clock.advance(0)
    for (const obj of informer.indexer.list()) expect(Object.isFrozen(obj.metadata)).toBe(true)
  })

  it.each([[true], [false]])('comes after the transform (streamed: %s)', async (useWatchList) => {
    const { clock, informer, start } = fixture(serverWith('a'), { freeze: true, useWatchList })
    informer.setTransform((obj) => {
      obj.metadata.labels = { seen: 'yes' }
      return obj
    })
    start()
    await clock.advance(0)
    const obj = informer.indexer.getByKey('ns/a')
    expect([obj?.metadata.labels, Object.isFrozen(obj?.metadata.labels)]).toEqual([{ seen: 'yes' }, true])
  })

  it('is off, unless the environment says otherwise', async () => {
    const isFrozen = async (options: SharedIndexInformerOptions<TestObject>): Promise<boolean> => {
      const { clock, informer, start } = fixture(serverWith('a'), options)
      start()
      await clock.advance(0)
      return Object.isFrozen(informer.indexer.getByKey('ns/a'))
    }
    vi.stubEnv('KUBE_CACHE_MUTATION_DETECTOR', '')
    cleanups.push(() => void vi.unstubAllEnvs())
    expect([freezeByEnvironment(), await isFrozen({})]).toEqual([false, false])
    vi.stubEnv('KUBE_CACHE_MUTATION_DETECTOR', 'true')
    expect([freezeByEnvironment(), await isFrozen({}), await isFrozen({ freeze: false })]).toEqual([true, true, false])
    vi.stubEnv('KUBE_CACHE_MUTATION_DETECTOR', 'yes')
    expect(freezeByEnvironment()).toBe(false)
  })

  it('freezes plain objects and lists at any depth, and leaves the rest', () => {
    let deep: object = {}
    const innermost = deep
    for (let i = 0; i < 50_000; i++) deep = i % 2 === 0 ? { deep } : [deep]
    expect(Object.isFrozen(innermost)).toBe(false)
    const bytes = new Uint8Array(1)
    class Other {
      value = 1
    }
    const other = new Other()
    const frozen = deepFreeze({
      deep,
      bytes,
      other,
      none: null,
      text: 'a',
      bare: Object.assign(Object.create(null), { a: {} }),
    })
    expect([Object.isFrozen(innermost), Object.isFrozen(frozen.bare.a)]).toEqual([true, true])
    other.value = 2
    bytes[0] = 1
  })
})

describe('statistics', () => {
  it('say what was done and how far everything is', async () => {
    const server = serverWith('a', 'b')
    const { clock, informer, start } = fixture(server, { useWatchList: false })
    let go: () => void = () => {}
    informer.addEventHandler(
      {
        onAdd: () =>
          new Promise<void>((resolve) => {
            go = resolve
          }),
      },
      { name: 'slow' },
    )
    informer.addEventHandler({
      onAdd: () => {
        throw new Error('no')
      },
    })
    expect(informer.statistics()).toMatchObject({
      name: 'things',
      objects: 0,
      queued: 0,
      behindMs: 0,
      lastSyncResourceVersion: '',
    })
    start()
    await clock.advance(0)
    server.update('a', 'new')
    server.cut((watch) => watch.push(bookmark('9')))
    await clock.advance(100)
    expect(informer.statistics()).toEqual({
      name: 'things',
      objects: 2,
      queued: 0,
      behindMs: 0,
      lastSyncResourceVersion: '9',
      lastStoreSyncResourceVersion: '9',
      counts: {
        lists: 1,
        watches: 1,
        failures: 0,
        added: 0,
        updated: 1,
        deleted: 0,
        replaced: 1,
        resyncs: 0,
        bookmarks: 1,
      },
      handlers: [
        { name: 'slow', pending: 2, coalesced: 0, delivered: 0, failed: 0, runningMs: 100, behindMs: 100 },
        { name: 'handler 1', pending: 0, coalesced: 0, delivered: 3, failed: 2, runningMs: undefined, behindMs: 0 },
      ],
    })
    go()
    await clock.advance(0)
    expect(informer.statistics().handlers[0]).toMatchObject({ pending: 1, delivered: 1, runningMs: 0 })
    go()
  })

  it('count reconnects and failures', async () => {
    const server = serverWith('a')
    const { clock, informer, start } = fixture(server, { useWatchList: false })
    start()
    await clock.advance(0)
    server.fault = () => apiError(500, 'InternalError')
    server.cut((watch) => watch.push({ type: 'ERROR', object: status(410, 'Expired') }))
    await clock.advance(800)
    expect(informer.statistics().counts).toMatchObject({ lists: 2, watches: 1, failures: 1 })
    server.fault = () => undefined
    await clock.advance(1600)
    expect(informer.statistics().counts).toMatchObject({ lists: 3, watches: 2, failures: 1, replaced: 2 })
  })
})

describe('what is published', () => {
  it('follows an informer from its list to its changes', async () => {
    const server = serverWith('a')
    const { clock, start } = fixture(server, { useWatchList: false })
    const events = listen()
    start()
    await clock.advance(0)
    server.update('a', 'new')
    await clock.advance(0)
    const without = (event: unknown) => events.filter((each) => each.event !== event)
    expect(events.filter(({ event }) => event === 'watch')).toEqual([
      { event: 'watch', resourceVersion: '1', durationMs: 0, error: undefined },
    ])
    expect(without('watch')).toEqual([
      { event: 'list', resourceVersion: '0', durationMs: 0, items: 1, error: undefined },
      { event: 'change', type: 'ReplacedAll', key: undefined, durationMs: 0, queued: 0, resourceVersion: '1' },
      { event: 'synced', durationMs: 0, objects: 1 },
      { event: 'change', type: 'Updated', key: 'ns/a', durationMs: 0, queued: 0, resourceVersion: '2' },
    ])
  })
})

describe('a handler that is stuck', () => {
  it('is told of, again whenever twice as much is pending, and loses nothing', async () => {
    const server = new TestServer()
    const { clock, logger, informer, start } = fixture(server, { backlogWarning: 10 })
    const events = listen()
    let free = false
    let told = 0
    informer.addEventHandler(
      {
        onAdd: async () => {
          told++
          if (!free) await new Promise<void>((resolve) => void clock.setTimer(60_000, resolve))
        },
      },
      { name: 'stuck' },
    )
    let other = 0
    informer.addEventHandler({ onAdd: () => void other++ })
    start()
    await clock.advance(0)
    for (let i = 0; i < 50; i++) {
      server.create(`n${i}`, 'v')
      await clock.advance(i === 0 ? 10_000 : 1)
    }
    expect([told, other, logger.of('warn')]).toEqual([1, 50, Array(3).fill('an event handler is far behind')])
    const backlogs = events.filter(({ event }) => event === 'backlog')
    expect(backlogs.map(({ handler, pending }) => [handler, pending])).toEqual([
      ['stuck', 11],
      ['stuck', 23],
      ['stuck', 47],
    ])
    expect(backlogs[2]?.runningMs).toBeGreaterThan(10_000)
    free = true
    await clock.advance(60_000)
    expect(told).toBe(50)
    expect(informer.statistics().handlers[0]).toMatchObject({ pending: 0, behindMs: 0 })
  })

  it('is none who has got a long list just now', async () => {
    const server = serverWith(...Array.from({ length: 102 }, (_, i) => `n${i}`))
    const { clock, logger, informer, start } = fixture(server, { backlogWarning: 100 })
    const free = new AbortController()
    const freed = new Promise<void>((resolve) => free.signal.addEventListener('abort', () => resolve()))
    informer.addEventHandler({ onAdd: () => freed })
    start()
    await clock.advance(9000)
    server.create('one more', 'v')
    await clock.advance(1000)
    expect([logger.of('warn'), informer.statistics().handlers[0]?.pending]).toEqual([[], 102])
    server.create('and another', 'v')
    await clock.advance(0)
    expect(logger.of('warn')).toEqual(['an event handler is far behind'])
    free.abort()
  })
})
