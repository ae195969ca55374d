// What users of other JavaScript clients report of watches and informers, and what becomes of it here. The rest of it is
// held by reflector.test.ts, shared-informer.test.ts and the fault runs of conformance/faults.

import { afterEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/fake-clock.js'
import { ApiError, type ListOptions } from '../meta/index.js'
import {
  apiError,
  FakeWatch,
  list,
  object,
  Script,
  status,
  TestLogger,
  type TestObject,
  TestServer,
} from './server.test-support.js'
import { SharedIndexInformer, type SharedIndexInformerOptions } from './shared-informer.js'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

type Source = ConstructorParameters<typeof SharedIndexInformer<TestObject>>[0]

function fixture(source: Source, options: SharedIndexInformerOptions<TestObject> = {}) {
  const clock = new FakeClock()
  const stop = new AbortController()
  const informer = new SharedIndexInformer(source, {
    clock,
    logger: new TestLogger(),
    random: () => 0,
    useWatchList: false,
    ...options,
  })
  const told: string[] = []
  informer.addEventHandler({
    onAdd: (obj) => told.push(`add ${obj.metadata.name}`),
    onUpdate: (_, obj) => told.push(`update ${obj.metadata.name}`),
    onDelete: () => told.push('delete'),
  })
  const start = (): Promise<void> => {
    const running = informer.run({ signal: stop.signal })
    stops.push(async () => {
      stop.abort()
      await running
      expect(clock.pendingTimers).toBe(0)
    })
    return running
  }
  return { clock, informer, told, start, stop }
}

describe('a watch', () => {
  it('that is busy for minutes is left alone', async () => {
    const server = new TestServer()
    server.create('a', 'v')
    const { clock, told, start } = fixture(server)
    void start()
    await clock.advance(0)
    for (let second = 0; second < 120; second++) {
      server.update('a', String(second))
      await clock.advance(1000)
    }
    expect([server.lists, server.watchCalls, told.length]).toEqual([1, 1, 121])
  })

  it('that is quiet for minutes, but for bookmarks, is left alone too', async () => {
    const server = new TestServer()
    const { clock, start } = fixture(server)
    void start()
    for (let minute = 0; minute < 4; minute++) {
      await clock.advance(60_000)
      server.sendBookmark()
    }
    expect([server.lists, server.watchCalls]).toEqual([1, 1])
  })

  it('asks for bookmarks, goes on from the last one, and tells no handler of it', async () => {
    const first = new FakeWatch([{ type: 'BOOKMARK', object: object('', '99') }])
    const script = new Script({ lists: [list('10', [])], watches: [first] })
    const { clock, told, start } = fixture(script)
    void start()
    await clock.advance(0)
    first.fail(Object.assign(new Error('reset'), { code: 'ECONNRESET' }))
    await clock.advance(1000)
    expect(
      script.watchCalls.map(({ allowWatchBookmarks, resourceVersion }) => [allowWatchBookmarks, resourceVersion]),
    ).toEqual([
      [true, '10'],
      [true, '99'],
    ])
    expect([script.lists.length, told]).toEqual([1, []])
  })

  it('that is closed at once again and again is asked for a few times in ten seconds, by one loop', async () => {
    const script = new Script({ lists: [list('10', [])], watches: Array(1000).fill(() => FakeWatch.closed()) })
    const { clock, start } = fixture(script)
    void start()
    await start()
    await clock.advance(10_000)
    expect(script.calls.length).toBeLessThanOrEqual(2 * 6)
    expect(script.watchCalls.length).toBeLessThanOrEqual(6)
  })

  it("that is forbidden says so in the server's words", async () => {
    const message = 'pods is forbidden: User "u" cannot watch resource "pods"'
    const script = new Script({ lists: [list('10', [])], watches: [apiError(403, 'Forbidden', { message })] })
    const { clock, informer, start } = fixture(script)
    const errors: unknown[] = []
    informer.setWatchErrorHandler((err) => errors.push(err))
    void start()
    await clock.advance(0)
    expect(errors).toEqual([expect.any(ApiError)])
    expect([(errors[0] as ApiError).code, (errors[0] as Error).message]).toEqual([
      403,
      expect.stringContaining(message),
    ])
  })
})

describe('an informer', () => {
  /** A server that pages, 500 at most. */
  function paged(count: number, expireAt?: string) {
    const calls: ListOptions[] = []
    let expired = false
    const all = Array.from({ length: count }, (_, i) => object(`n${i}`, String(i + 1)))
    const source: Source = {
      async list({ signal: _signal, ...options }) {
        calls.push(options)
        if (options.continue === expireAt && expireAt !== undefined && !expired) {
          expired = true
          throw apiError(410, 'Expired')
        }
        const from = Number(options.continue ?? 0)
        const to = options.limit ? Math.min(count, from + options.limit) : count
        return list('20000', all.slice(from, to), to < count ? { continue: String(to) } : {})
      },
      watch: async () => new FakeWatch(),
    }
    return { source, calls }
  }

  it('reads a long list page by page', async () => {
    const { source, calls } = paged(10_500)
    const { clock, informer, start } = fixture(source, { pageSize: 500 })
    void start()
    await clock.advance(10)
    await informer.synced
    expect([calls.length, informer.indexer.listKeys().length]).toEqual([21, 10_500])
    expect(calls.every(({ limit }) => limit === 500)).toBe(true)
    expect(informer.lastSyncResourceVersion()).toBe('20000')
  })

  it('reads it as a whole when it expires in the middle', async () => {
    const { source, calls } = paged(2000, '1000')
    const { clock, informer, start } = fixture(source, { pageSize: 500 })
    void start()
    await clock.advance(10)
    await informer.synced
    expect(calls.map((options) => options.continue)).toEqual([undefined, '500', '1000', undefined])
    expect(calls.at(-1)?.limit).toBeUndefined()
    expect(informer.indexer.listKeys()).toHaveLength(2000)
  })

  it('that was stopped keeps what it knew, and another one takes up from the server', async () => {
    const server = new TestServer()
    server.create('a', 'v')
    const first = fixture(server)
    const running = first.start()
    await first.clock.advance(0)
    first.stop.abort()
    await running
    server.create('b', 'v')
    expect([first.informer.isStopped(), first.informer.indexer.listKeys()]).toEqual([true, ['ns/a']])
    const second = fixture(server)
    void second.start()
    await second.clock.advance(0)
    expect(second.told).toEqual(['add a', 'add b'])
  })

  it('holds what is there and nothing more, however much comes and goes, gaps included', async () => {
    const server = new TestServer()
    const { clock, informer, start } = fixture(server, {
      indexers: { label: (obj) => Object.values(obj.metadata.labels ?? {}) },
    })
    void start()
    await clock.advance(0)
    for (let round = 0; round < 10; round++) {
      for (let i = 0; i < 1000; i++) {
        const name = `n${i}`
        if (server.objects.has(`ns/${name}`)) server.delete(name)
        else server.create(name, 'v', { round: `round ${round}` })
      }
      if (round % 3 === 2) {
        server.forgetHistory()
        server.cut((watch) => watch.push({ type: 'ERROR', object: status(410, 'Expired') }))
        // What happens in the gap is seen in the next list only.
        server.create('gap', 'v', { gap: `gap ${round}` })
        server.delete('gap')
        await clock.advance(2000)
      } else await clock.advance(10)
    }
    await clock.advance(60_000)
    expect(informer.indexer.listKeys()).toEqual([])
    expect(informer.indexer.listIndexFuncValues('label')).toEqual([])
    expect(informer.statistics()).toMatchObject({ objects: 0, queued: 0, handlers: [{ pending: 0 }] })
  })
})
