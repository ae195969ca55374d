import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import type { KubernetesObject, Watch, WatchEvent } from '../meta/index.js'
import { ConnectionError, noLogger } from '../rest/index.js'
import { FakeWatcher } from './fake-watcher.js'
import { RetryWatcher, type RetryWatcherOptions } from './retry-watcher.js'
import { apiError, PlayedClient, pod, status } from './watch.test-support.js'

const added = (name: string, rv?: string): WatchEvent => ({ type: 'ADDED', object: pod(name, rv) })
const modified = (name: string, rv?: string): WatchEvent => ({ type: 'MODIFIED', object: pod(name, rv) })
const deleted = (name: string, rv?: string): WatchEvent => ({ type: 'DELETED', object: pod(name, rv) })
const bookmark = (rv: string): WatchEvent => ({ type: 'BOOKMARK', object: { metadata: { resourceVersion: rv } } })
const error = (code: number, reason: string, retryAfterSeconds?: number): WatchEvent => ({
  type: 'ERROR',
  object: status(code, reason, retryAfterSeconds),
})

interface Run {
  client: PlayedClient
  clock: FakeClock
  watch: RetryWatcher
  events: WatchEvent[]
  /** Resolves when the iteration has ended, to what it threw. */
  ended: Promise<unknown>
  /** Whether the iteration, and `done`, have come to their end. */
  state: { ended: boolean; done: boolean }
}

function run(client: PlayedClient, options: RetryWatcherOptions = {}): Run {
  const clock = new FakeClock()
  const watch = new RetryWatcher('1', client, { clock, logger: noLogger, ...options })
  const events: WatchEvent[] = []
  const state = { ended: false, done: false }
  const read = async (): Promise<void> => {
    for await (const event of watch) events.push(event)
  }
  const ended = read()
    .catch((err: unknown) => err)
    .finally(() => {
      state.ended = true
    })
  void watch.done.then(() => {
    state.done = true
  })
  return { client, clock, watch, events, ended, state }
}

const versions = (client: PlayedClient): unknown[] => client.asked.map(({ resourceVersion }) => resourceVersion)

describe('RetryWatcher', () => {
  it.each(['', '0'])('refuses to begin at %j', (version) => {
    expect(() => new RetryWatcher(version, new PlayedClient())).toThrow(
      `initial RV "${version}" is not supported due to issues with underlying WATCH`,
    )
  })

  it('asks with bookmarks, from the version given, for what is selected', async () => {
    const { client, clock, watch } = run(new PlayedClient(), { labelSelector: 'a=b', fieldSelector: 'c=d' })
    await clock.advance(0)
    expect(client.asked).toEqual([
      { resourceVersion: '1', allowWatchBookmarks: true, labelSelector: 'a=b', fieldSelector: 'c=d' },
    ])
    watch.stop()
  })

  it('goes on after the last event where the server ends the watch, at once after a second', async () => {
    const client = new PlayedClient()
      .events([added('a', '2'), modified('a', '3')])
      .events([])
      .events([deleted('a', '7')])
    const { clock, events, watch } = run(client)
    await clock.advance(999)
    expect(versions(client)).toEqual(['1'])
    await clock.advance(1)
    expect(versions(client)).toEqual(['1', '3'])
    await clock.advance(1000)
    expect(versions(client)).toEqual(['1', '3', '3'])
    await clock.advance(1000)
    expect(versions(client)).toEqual(['1', '3', '3', '7'])
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED'])
    expect(watch.lastResourceVersion).toBe('7')
    watch.stop()
  })

  it('restarts at once a watch that lasted a second', async () => {
    const client = new PlayedClient().events([added('a', '2')], { open: true })
    const { clock, watch } = run(client)
    await clock.advance(5000)
    client.watches[0]?.stop()
    await clock.advance(0)
    expect(versions(client)).toEqual(['1', '2'])
    watch.stop()
  })

  it('uses bookmarks and keeps them', async () => {
    const client = new PlayedClient().events([added('a', '2'), bookmark('9')])
    const { clock, events, watch } = run(client)
    await clock.advance(1000)
    expect(versions(client)).toEqual(['1', '9'])
    expect(events).toHaveLength(1)
    watch.stop()
  })

  it.each([
    ['504', error(504, 'Timeout')],
    ['500', error(500, 'InternalError')],
    ['429', error(429, 'TooManyRequests')],
    ['an unknown code', error(0, 'Whatever')],
    ['what is no Status', { type: 'ERROR', object: pod('x', '99') } as never],
    ['nothing', { type: 'ERROR', object: undefined } as never],
    ['a wait of no number', error(429, 'TooManyRequests', 'soon' as never)],
    ['a wait without end', error(429, 'TooManyRequests', 1e308)],
    ['a wait below none', error(429, 'TooManyRequests', -5)],
  ])('tries again after an ERROR event with %s', async (_name, event) => {
    const client = new PlayedClient().events([added('a', '2'), event, added('never', '3')], { open: true })
    const { clock, events, watch } = run(client)
    await clock.advance(1000)
    expect(versions(client)).toEqual(['1', '2'])
    expect(client.watches[0]?.isStopped()).toBe(true)
    expect(events).toEqual([added('a', '2')])
    watch.stop()
  })

  it('tells the logger of an error that is no Status, and nothing of what it holds', async () => {
    const errors: unknown[][] = []
    const logger = { ...noLogger, error: (...told: unknown[]) => void errors.push(told) }
    const secret = { kind: 'Secret', metadata: { name: 's' }, data: { password: 'aHVudGVy' } }
    const client = new PlayedClient().events([{ type: 'ERROR', object: secret } as never])
    const { clock, watch } = run(client, { logger })
    await clock.advance(0)
    expect(errors).toEqual([['received an error which is no Status', { resourceVersion: '1' }]])
    watch.stop()
  })

  it.each([
    [500, 3, 3000],
    [504, 5, 5000],
    [429, 2, 2000],
    [500, 0, 1000],
  ])('waits as an ERROR event of %d asks: %d seconds', async (code, seconds, wait) => {
    const client = new PlayedClient().events([error(code, 'x', seconds)])
    const { clock, watch } = run(client)
    await clock.advance(wait - 1)
    expect(client.asked).toHaveLength(1)
    await clock.advance(1)
    expect(client.asked).toHaveLength(2)
    watch.stop()
  })

  it('passes 410 on, and ends', async () => {
    const client = new PlayedClient().events([added('a', '2'), error(410, 'Expired')], { open: true })
    const { clock, events, ended, state } = run(client)
    await clock.advance(0)
    expect(await ended).toBeUndefined()
    expect(events).toEqual([added('a', '2'), error(410, 'Expired')])
    expect(state).toEqual({ ended: true, done: true })
    expect(client.watches[0]?.isStopped()).toBe(true)
    expect(clock.pendingTimers).toBe(0)
  })

  it('is done when its last event is given out, before the reader comes back', async () => {
    const client = new PlayedClient().events([error(410, 'Expired')])
    const watch = new RetryWatcher('1', client, { clock: new FakeClock(), logger: noLogger })
    const iterator = watch[Symbol.asyncIterator]()
    expect(await iterator.next()).toMatchObject({ value: error(410, 'Expired') })
    await watch.done
    expect(await iterator.next()).toEqual({ done: true, value: undefined })
  })

  it.each([
    [403, 'Forbidden'],
    [401, 'Unauthorized'],
  ])('ends with an ERROR event when a request is refused with %d', async (code, reason) => {
    const { clock, client, events, ended } = run(new PlayedClient().fails(apiError(code, reason)))
    await clock.advance(10_000)
    expect(await ended).toBeUndefined()
    expect(events).toEqual([error(code, reason)])
    expect(client.asked).toHaveLength(1)
  })

  it.each<[string, unknown]>([
    ['a lost connection', new ConnectionError({ method: 'GET', url: 'https://h', reason: 'lost', message: 'gone' })],
    ['410', apiError(410, 'Expired')],
    ['404', apiError(404, 'NotFound')],
    ['500', apiError(500, 'InternalError')],
    ['anything', new Error('boom')],
  ])('tries again, once a second, when a request fails with %s', async (_name, err) => {
    const client = new PlayedClient()
      .fails(err)
      .fails(err)
      .events([added('a', '2')])
    const { clock, events, watch } = run(client)
    await clock.advance(1999)
    expect(client.asked).toHaveLength(2)
    await clock.advance(1)
    expect(events).toEqual([added('a', '2')])
    watch.stop()
  })

  it('tries again when there is no watch, and when one throws', async () => {
    const broken: Watch = {
      stop: () => {},
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('boom')) }),
    }
    const client = new PlayedClient()
      .plan(() => undefined)
      .plan(() => broken)
      .events([added('a', '2')])
    const { clock, events, watch } = run(client)
    await clock.advance(2000)
    expect(events).toEqual([added('a', '2')])
    watch.stop()
  })

  it.each<[string, WatchEvent, string]>([
    ['no version', added('a'), `retryWatcher: object Pod default/a doesn't support resourceVersion`],
    ['an empty version', added('a', ''), `retryWatcher: object Pod default/a doesn't support resourceVersion`],
    [
      'no version in a bookmark',
      { type: 'BOOKMARK', object: { metadata: {} } },
      `retryWatcher: object without a name doesn't support resourceVersion`,
    ],
    ['no metadata', { type: 'ADDED', object: {} }, `retryWatcher: doesn't support resourceVersion`],
    ['no object', { type: 'ADDED', object: null } as never, `retryWatcher: doesn't support resourceVersion`],
    [
      'an unknown type',
      { type: 'WHAT', object: pod('a', '2') } as never,
      'retryWatcher failed to recognize Event type "WHAT"',
    ],
  ])('ends with an ERROR event at an event with %s', async (_name, event, message) => {
    const client = new PlayedClient().events([added('z', '2'), event, added('never', '3')], { open: true })
    const { clock, events, ended } = run(client)
    await clock.advance(0)
    expect(await ended).toBeUndefined()
    expect(events).toEqual([
      added('z', '2'),
      {
        type: 'ERROR',
        object: expect.objectContaining({
          code: 500,
          reason: 'InternalError',
          message: `Internal error occurred: ${message}`,
          details: { causes: [{ message }] },
        }),
      },
    ])
    expect(client.asked).toHaveLength(1)
  })

  it('says nothing of what an object holds', async () => {
    const secret = { kind: 'Secret', metadata: { name: 's' }, data: { password: 'aHVudGVy' } } as KubernetesObject
    const { clock, events } = run(new PlayedClient().events([{ type: 'ADDED', object: secret }]))
    await clock.advance(0)
    expect(JSON.stringify(events)).not.toContain('aHVudGVy')
  })

  it('ends on break, and stops the watch under it', async () => {
    const client = new PlayedClient().events([added('a', '2'), added('b', '3')], { open: true })
    const watch = new RetryWatcher('1', client, { clock: new FakeClock(), logger: noLogger })
    for await (const _ of watch) break
    await watch.done
    expect(client.watches[0]?.isStopped()).toBe(true)
  })

  it('ends normally when stopped, whatever it does: reading, waiting, opening', async () => {
    const reading = run(new PlayedClient())
    const waiting = run(new PlayedClient().fails(new Error('boom')))
    const opening = run({ watch: () => new Promise(() => {}) } as never)
    for (const { clock } of [reading, waiting, opening]) await clock.advance(10)
    for (const { watch } of [reading, waiting, opening]) watch.stop()
    for (const { ended } of [reading, waiting, opening]) expect(await ended).toBeUndefined()
    for (const { state, clock } of [reading, waiting, opening]) {
      expect([state.done, clock.pendingTimers]).toEqual([true, 0])
    }
  })

  it('stops a watch that is opened too late', async () => {
    const late = new FakeWatcher()
    let open: (watch: Watch) => void = () => {}
    const { clock, watch, ended } = run({
      watch: () =>
        new Promise<Watch>((resolve) => {
          open = resolve
        }),
    } as never)
    await clock.advance(0)
    watch.stop()
    await ended
    open(late)
    await clock.advance(0)
    expect(late.isStopped()).toBe(true)
  })

  it('ends with the reason of the signal, and listens to it no more', async () => {
    for (const client of [new PlayedClient(), new PlayedClient().fails(new Error('boom'))]) {
      const controller = new AbortController()
      const { clock, ended, state } = run(client, { signal: controller.signal })
      await clock.advance(10)
      controller.abort('why')
      expect(await ended).toBe('why')
      await clock.advance(0)
      expect(state.done).toBe(true)
      expect([clock.pendingTimers, getEventListeners(controller.signal, 'abort')]).toEqual([0, []])
    }
  })

  /** A server whose history a watch from a version gives what is newer of; it ends each watch after `each` events. */
  function history(events: readonly WatchEvent[], each = Number.POSITIVE_INFINITY): PlayedClient {
    const versionOf = ({ object }: WatchEvent): number => Number(object.metadata?.resourceVersion ?? Number.NaN)
    return new (class extends PlayedClient {
      override async watch(options: { resourceVersion?: string }): Promise<Watch> {
        const from = Number(options.resourceVersion)
        const first = events.findIndex((event) => versionOf(event) > from)
        const newer = first === -1 ? [] : events.slice(first)
        this.events(newer.slice(0, each), { open: newer.length < each || each === Number.POSITIVE_INFINITY })
        return super.watch(options)
      }
    })()
  }

  it.each<{ what: string; from?: number; events: WatchEvent[]; each?: number; want: string[]; watches: number }>([
    { what: 'a version before all of it', events: [added('a', '2')], want: ['2'], watches: 1 },
    {
      what: 'a version within it: what follows that',
      events: [added('a', '1'), added('a', '2')],
      want: ['2'],
      watches: 1,
    },
    { what: 'a version behind it', from: 3, events: [added('a', '2')], want: [], watches: 1 },
    {
      what: 'a version that is gone in the middle',
      from: 5,
      events: [added('a', '5'), added('a', '6'), error(410, 'Gone'), added('a', '7'), added('a', '8')],
      want: ['6', 'ERROR 410'],
      watches: 1,
    },
    ...[error(504, 'Timeout'), error(500, 'InternalError'), error(666, '')].map((event, i) => ({
      what: `an error that passes (${['a timeout', 'an internal error', 'an unknown code'][i]})`,
      from: 5,
      events: [added('a', '6'), event, added('a', '7')],
      want: ['6', '7'],
      watches: 2,
    })),
    { what: 'one end', from: 5, events: [added('a', '6')], each: 1, want: ['6'], watches: 2 },
    { what: 'two ends', from: 4, events: [added('a', '5'), added('a', '6')], each: 1, want: ['5', '6'], watches: 3 },
    {
      what: 'two ends, versions left out between',
      from: 4,
      events: [added('a', '5'), added('a', '7')],
      each: 1,
      want: ['5', '7'],
      watches: 3,
    },
    {
      what: 'two ends, from a much lower version',
      from: 2,
      events: [added('a', '5'), added('a', '7')],
      each: 1,
      want: ['5', '7'],
      watches: 3,
    },
    {
      what: 'four ends',
      from: 2,
      events: ['5', '6', '7', '11'].map((rv) => added('a', rv)),
      each: 1,
      want: ['5', '6', '7', '11'],
      watches: 5,
    },
    {
      what: 'four ends, with older events before',
      from: 2,
      events: ['1', '2', '5', '6', '7', '11'].map((rv) => added('a', rv)),
      each: 1,
      want: ['5', '6', '7', '11'],
      watches: 5,
    },
    {
      what: 'two ends of two events, and one more event',
      from: 1,
      events: ['1', '2', '5', '6', '7', '11'].map((rv) => added('a', rv)),
      each: 2,
      want: ['2', '5', '6', '7', '11'],
      watches: 3,
    },
  ])('brings all of a history, each event once: $what', async ({ from = 1, events, each, want, watches }) => {
    const client = history(events, each)
    const clock = new FakeClock()
    const watch = new RetryWatcher(`${from}`, client, { clock, logger: noLogger, minRestartDelay: 0 })
    const seen: string[] = []
    const reading = (async () => {
      for await (const { type, object } of watch) {
        seen.push(type === 'ERROR' ? `ERROR ${object.code}` : `${object.metadata?.resourceVersion}`)
      }
    })()
    await clock.advance(1000)
    expect([seen, client.asked.length]).toEqual([want, watches])
    watch.stop()
    await reading
  })

  it('asks for nothing when the signal has aborted, or it was stopped', async () => {
    const aborted = run(new PlayedClient(), { signal: AbortSignal.abort('why') })
    expect(await aborted.ended).toBe('why')
    const client = new PlayedClient()
    const stopped = new RetryWatcher('1', client, { clock: new FakeClock() })
    stopped.stop()
    stopped.stop()
    for await (const _ of stopped);
    await stopped.done
    expect([...aborted.client.asked, ...client.asked]).toEqual([])
  })

  it('asks for nothing before it is read, and can be read once', async () => {
    const client = new PlayedClient()
    const clock = new FakeClock()
    const watch = new RetryWatcher('1', client, { clock })
    await clock.advance(0)
    expect(client.asked).toEqual([])
    watch[Symbol.asyncIterator]()
    expect(() => watch[Symbol.asyncIterator]()).toThrow('a watch can be iterated once')
    watch.stop()
  })

  it('is as slow as its reader', async () => {
    const source = new FakeWatcher()
    const client = new PlayedClient().plan(() => source)
    const watch = new RetryWatcher('1', client, { clock: new FakeClock(), logger: noLogger })
    const iterator = watch[Symbol.asyncIterator]()
    const first = iterator.next()
    expect(await source.send(added('a', '2'))).toBe(true)
    await first
    let taken = false
    void source.send(added('b', '3')).then(() => {
      taken = true
    })
    for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve))
    expect(taken).toBe(false)
    await iterator.next()
    expect(taken).toBe(true)
    watch.stop()
  })

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('refuses a minRestartDelay of %d', (minRestartDelay) => {
    expect(() => new RetryWatcher('1', new PlayedClient(), { minRestartDelay })).toThrow(RangeError)
  })
})
