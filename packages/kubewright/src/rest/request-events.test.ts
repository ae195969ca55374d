// What is published about calls, and that client-go's metrics can be made of it.

import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/fake-clock.js'
import { type FakeAnswer, fakeTransport } from './fake-transport.test-support.js'
import {
  Config,
  type ConfigOptions,
  ConnectionError,
  noLogger,
  type RequestAttemptEvent,
  type RequestEndEvent,
  type RequestErrorEvent,
  type RequestThrottleEvent,
  restClientFor,
} from './index.js'

const names = ['start', 'throttle', 'attempt', 'end', 'error'] as const
const cleanups: (() => void)[] = []
afterEach(() => cleanups.splice(0).forEach((cleanup) => cleanup()))

/** Collects what is published about requests of this Config. */
function listen(config: Config): [name: string, event: Record<string, unknown>][] {
  const events: [string, Record<string, unknown>][] = []
  for (const name of names) {
    const onMessage = (event: unknown): void => {
      const { request, ...rest } = event as { request: { config: Config } }
      if (request.config === config) events.push([name, { ...rest, request }])
    }
    subscribe(`kubewright:rest:request:${name}`, onMessage)
    cleanups.push(() => unsubscribe(`kubewright:rest:request:${name}`, onMessage))
  }
  return events
}

/** A server that takes 5 ms for each answer. */
function config(
  answers: (Error | Exclude<FakeAnswer, 'silence'>)[],
  options: ConfigOptions = {},
): { config: Config; clock: FakeClock } {
  const clock = new FakeClock()
  let taken = 0
  const ours = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic() + taken,
    setTimer: (delay: number, callback: () => void) => clock.setTimer(delay, callback),
  }
  const transport = fakeTransport(() => {
    taken += 5
    const answer = answers.shift() ?? new Error('no more answers')
    return answer instanceof Error ? answer : { body: '{}', timings: { reused: true }, ...answer }
  })
  return {
    config: new Config({ host: 'http://u:p@h:1/x', qps: -1, logger: noLogger, clock: ours, transport, ...options }),
    clock,
  }
}

const core = { group: '', version: 'v1' }
const without = (events: [string, Record<string, unknown>][]) =>
  events.map(([name, { request: _request, ...rest }]) => [name, rest])

describe('the events of a call', () => {
  it('tell of a success, with one RequestInfo for all', async () => {
    const limiter = { qps: 1, wait: () => clock.advance(3) }
    const { config: of, clock } = config([{ status: 201, body: '{"ü":1}' }], {
      rateLimiter: limiter as unknown as NonNullable<ConfigOptions['rateLimiter']>,
    })
    const events = listen(of)
    await restClientFor(of, core).post().namespace('n').resource('pods').body({ ü: 1 }).param('dryRun', 'All').do()
    expect(without(events)).toEqual([
      ['start', {}],
      ['throttle', { waitedMs: 3 }],
      [
        'attempt',
        { attempt: 1, durationMs: 5, status: 201, error: undefined, requestBytes: 8, timings: { reused: true } },
      ],
      ['end', { durationMs: 8, attempts: 1, status: 201, responseBytes: 8 }],
    ])
    const [request] = events.map(([, event]) => event.request)
    expect(new Set(events.map(([, event]) => event.request)).size).toBe(1)
    expect(request).toEqual({
      method: 'POST',
      url: 'http://h:1/x/api/v1/namespaces/n/pods?dryRun=All',
      urlTemplate: 'http://h:1/x/api/v1/namespaces/{namespace}/pods?dryRun={value}',
      host: 'h:1',
      kind: 'do',
      config: of,
    })
  })

  it('tell of retries and failures', async () => {
    const lost = new ConnectionError({ method: 'GET', url: '', reason: 'lost', message: 'gone' })
    const retry = { status: 503, headers: { 'retry-after': '1' } }
    const { config: of, clock } = config([lost, retry, { status: 404 }])
    const events = listen(of)
    const call = restClientFor(of, core).get().resource('pods').do()
    const caught = call.catch((err: unknown) => err)
    while (clock.pendingTimers === 0) await new Promise((resolve) => setImmediate(resolve))
    await clock.advance(1000)
    while (clock.pendingTimers === 0) await new Promise((resolve) => setImmediate(resolve))
    await clock.advance(1000)
    const err = await caught
    const sent = { durationMs: 5, requestBytes: undefined }
    const answered = { ...sent, error: undefined, timings: { reused: true } }
    expect(without(events)).toEqual([
      ['start', {}],
      ['attempt', { ...sent, attempt: 1, status: undefined, error: lost, timings: undefined }],
      ['attempt', { ...answered, attempt: 2, status: 503 }],
      ['attempt', { ...answered, attempt: 3, status: 404 }],
      ['error', { durationMs: 2015, attempts: 3, status: 404, responseBytes: 2, error: err }],
    ])
  })

  it('tell of streams and watches until they have begun', async () => {
    const { config: of } = config([{ status: 200 }, { status: 200 }])
    const events = listen(of)
    const client = restClientFor(of, core)
    ;(await client.get().resource('pods').stream()).close()
    ;(await client.get().resource('pods').watch()).stop()
    const ends = events.filter(([name]) => name === 'end').map(([, event]) => event as unknown as RequestEndEvent)
    expect(ends.map(({ request, responseBytes }) => [request.kind, responseBytes])).toEqual([
      ['stream', undefined],
      ['watch', undefined],
    ])
  })

  it('tell of a call that never got to be sent', async () => {
    const { config: of } = config([])
    const events = listen(of)
    const reason = new Error('enough')
    await expect(
      restClientFor(of, core)
        .get()
        .do({ signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason)
    expect(without(events)).toEqual([
      ['start', {}],
      ['error', { durationMs: 0, attempts: 0, status: undefined, responseBytes: undefined, error: reason }],
    ])
  })

  it('are not made when nobody listens', async () => {
    for (const name of names) expect(channel(`kubewright:rest:request:${name}`).hasSubscribers).toBe(false)
    const { config: of } = config([{ status: 200 }])
    let readings = 0
    const clock = { ...of.clock, now: () => 0, setTimer: () => ({ cancel: () => {} }), monotonic: () => readings++ }
    await restClientFor(new Config({ ...of, clock }), core)
      .get()
      .stream()
    expect(readings).toBe(0)
  })
})

it("client-go's metrics of requests can be made of them", async () => {
  const { config: of } = config([{ status: 200 }, new Error('no'), { status: 409, body: '{}' }])
  const metrics: string[] = []
  const on = <E>(name: (typeof names)[number], record: (event: E) => void): void => {
    const listener = (event: unknown): void => record(event as E)
    subscribe(`kubewright:rest:request:${name}`, listener)
    cleanups.push(() => unsubscribe(`kubewright:rest:request:${name}`, listener))
  }
  on<RequestAttemptEvent>('attempt', ({ request: { method, host }, attempt, status, requestBytes }) => {
    metrics.push(`result ${status ?? '<error>'} ${method} ${host}`)
    if (attempt > 1) metrics.push(`retry ${status ?? '<error>'} ${method} ${host}`)
    if (requestBytes !== undefined) metrics.push(`request size ${method} ${host} ${requestBytes}`)
  })
  const whole = ({ request, durationMs, responseBytes }: RequestEndEvent | RequestErrorEvent): void => {
    if (request.kind !== 'do') return
    metrics.push(`latency ${request.method} ${request.urlTemplate} ${durationMs}`)
    if (responseBytes !== undefined) metrics.push(`response size ${request.method} ${request.host} ${responseBytes}`)
  }
  on<RequestEndEvent>('end', whole)
  on<RequestErrorEvent>('error', whole)
  on<RequestThrottleEvent>('throttle', ({ request, waitedMs }) => metrics.push(`limiter ${request.method} ${waitedMs}`))
  const client = restClientFor(of, core)
  await client.get().resource('nodes').name('n').do()
  await expect(client.put().resource('nodes').name('n').body({}).do()).rejects.toThrow('no')
  await expect(client.put().resource('nodes').name('n').body({}).do()).rejects.toThrow('conflict')
  expect(metrics).toEqual([
    'result 200 GET h:1',
    'latency GET http://h:1/x/api/v1/nodes/{name} 5',
    'response size GET h:1 2',
    'result <error> PUT h:1',
    'request size PUT h:1 2',
    'latency PUT http://h:1/x/api/v1/nodes/{name} 5',
    'result 409 PUT h:1',
    'request size PUT h:1 2',
    'latency PUT http://h:1/x/api/v1/nodes/{name} 5',
    'response size PUT h:1 2',
  ])
})
