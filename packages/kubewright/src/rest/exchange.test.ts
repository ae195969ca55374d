// The tries of a call, its timeout, the client's own limit and the signal that ends it all.

import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { ApiError, isTooManyRequests } from '../meta/index.js'
import {
  chunks,
  collect,
  type FakeAnswer,
  fakeTransport,
  lost,
  refused,
  rejection,
  type Script,
  script,
  untilAborted,
} from './fake-transport.test-support.js'
import { type ConfigOptions, ConnectionError, noLogger, RequestTimeoutError } from './index.js'

describe('retries', () => {
  const busy = (status: number, retryAfter?: string): FakeAnswer => ({
    status,
    ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }),
  })

  it.each(['GET', 'POST'])('waits as long as the server asks: %s', async (method) => {
    const { client, clock, sent, open } = script([busy(429, '2'), busy(503, '1'), { body: '{}' }])
    const promise = client.verb(method).body({ a: 1 }).do()
    await clock.advance(1999)
    expect(sent).toHaveLength(1)
    await clock.advance(1)
    expect(sent).toHaveLength(2)
    await clock.advance(1000)
    expect((await promise).statusCode).toBe(200)
    expect(sent.map(({ body }) => body)).toEqual(Array(3).fill('{"a":1}'))
    expect([open(), clock.pendingTimers]).toEqual([0, 0])
  })

  it.each([
    ['429 without Retry-After', busy(429)],
    ['500 without Retry-After', busy(500)],
    ['a date', busy(503, 'Wed, 21 Oct 2015 07:28:00 GMT')],
    ['a fraction', busy(503, '1.5')],
    ['another status', busy(409, '1')],
  ])('does not try again: %s', async (_name, answer) => {
    const { client, sent } = script([answer])
    expect(await rejection(client.post().do())).toBeInstanceOf(ApiError)
    expect(sent).toHaveLength(1)
  })

  it('tries 11 times at most, then gives the last error', async () => {
    const { client, clock, sent } = script([busy(429, '1')])
    const promise = rejection(client.get().do())
    await clock.advance(60_000)
    const err = await promise
    expect(isTooManyRequests(err)).toBe(true)
    expect((err as ApiError).status.details?.retryAfterSeconds).toBe(1)
    expect(sent).toHaveLength(11)
  })

  it.each([
    [2, 3],
    [0, 1],
    [-1, 1],
  ])('maxRetries(%d) makes %d tries', async (max, tries) => {
    const { client, clock, sent } = script([busy(429, '0')])
    const promise = rejection(client.get().maxRetries(max).do())
    await clock.advance(1000)
    await promise
    expect(sent).toHaveLength(tries)
  })

  it('sends no stream twice', async () => {
    const { client, sent } = script([busy(429, '1')])
    await rejection(client.post().body(chunks('x')).do())
    expect(sent).toHaveLength(1)
  })

  it.each<[string, string, Error, 'do' | 'stream' | 'watch', number]>([
    ['GET', 'after a lost connection', lost(), 'do', 2],
    ['GET', 'after a reset of a foreign transport', Object.assign(new Error('x'), { code: 'ECONNRESET' }), 'do', 2],
    ['POST', 'never', lost(), 'do', 1],
    ['GET', 'not when refused', refused, 'do', 1],
    ['GET', 'no stream', lost(), 'stream', 1],
    ['GET', 'watches after a lost connection', lost(), 'watch', 2],
    ['GET', 'no watch when refused', refused, 'watch', 1],
  ])('%s %s', async (method, _name, err, call, tries) => {
    const { client, clock, sent } = script([err, { body: '{}' }])
    const promise = client
      .verb(method)
      [call]()
      .catch(() => {})
    await clock.advance(1000)
    await promise
    expect(sent).toHaveLength(tries)
  })

  it('names the error of an earlier try', async () => {
    const { client, clock } = script([lost('first'), refused])
    const promise = rejection(client.get().do())
    await clock.advance(1000)
    const err = await promise
    expect(err).toBeInstanceOf(ConnectionError)
    expect(err.message).toBe('GET http://h/: connection refused - error from a previous attempt: GET http://h/: first')
  })

  it('gives a watch that has ended when the connection is lost each time', async () => {
    const { client, clock, sent } = script([lost()])
    const promise = client.get().watch()
    await clock.advance(10_000)
    expect(await collect(await promise)).toEqual([])
    expect(sent).toHaveLength(11)
  })

  it('are cancelled by the signal', async () => {
    const { client, clock } = script([busy(429, '1000')])
    const controller = new AbortController()
    const promise = client.get().do({ signal: controller.signal })
    await clock.advance(10)
    controller.abort(new Error('enough'))
    await expect(promise).rejects.toThrow('enough')
    expect(clock.pendingTimers).toBe(0)
  })
})

describe('timeout', () => {
  it.each(['do', 'stream', 'watch'] as const)('ends %s while it waits for headers, and says so', async (call) => {
    const { client, clock } = script(['silence'])
    const promise = rejection(client.get().absPath('/x').timeout(30_000)[call]())
    await clock.advance(30_000)
    const err = await promise
    expect(err).toBeInstanceOf(RequestTimeoutError)
    expect(err.message).toBe('GET http://h/x?timeout=30s: timed out after 30s while waiting for the response headers')
    expect(clock.pendingTimers).toBe(0)
  })

  it('covers the retries', async () => {
    const { client, clock } = script([{ status: 429, headers: { 'retry-after': '7' } }])
    const promise = rejection(client.get().timeout(10_000).do())
    await clock.advance(10_000)
    expect((await promise).message).toContain('while waiting to retry, as the server asked with status 429')
  })

  it('covers the body', async () => {
    const { clock, client } = bodyUntilAborted({})
    const promise = rejection(client.get().timeout(10_000).do())
    await clock.advance(10_000)
    expect((await promise).message).toContain('while reading the response body')
  })

  it("of the Config ends watches, quietly, and streams; one of the request's own does not", async () => {
    const { clock, client } = bodyUntilAborted({ timeout: 60_000 })
    const watch = await client.get().timeout(5000).watch()
    const stream = await client.get().stream()
    const events = collect(watch)
    const content = rejection(collect(stream))
    await clock.advance(59_999)
    expect(clock.pendingTimers).toBe(2)
    await clock.advance(1)
    expect(await events).toEqual([])
    expect(await content).toBeInstanceOf(RequestTimeoutError)
  })

  /** Answers at once, with a body that never ends. */
  function bodyUntilAborted(options: ConfigOptions): Script {
    const transport = fakeTransport(({ signal }) => ({
      body: { [Symbol.asyncIterator]: () => ({ next: () => untilAborted(signal) }) },
    }))
    return script([], { ...options, transport })
  }
})

describe('the limit of the client', () => {
  it('makes calls wait but not watches, and says so at most once a second', async () => {
    const lines: string[] = []
    const logger = { ...noLogger, warn: (line: string) => void lines.push(line) }
    const { client, clock, sent } = script([{ body: '{}' }], { qps: 2, burst: 1, logger })
    const calls = Promise.all(Array.from({ length: 7 }, () => client.get().do()))
    for (let i = 0; i < 3; i++) await client.get().watch()
    await clock.advance(0)
    expect(sent).toHaveLength(4)
    await clock.advance(3000)
    await calls
    expect(sent).toHaveLength(10)
    // Waits of 1.5, 2, 2.5 and 3 s; the first is told, and the one a second later.
    expect(lines.map((line) => line.slice(0, 10))).toEqual(['waited 1.5', 'waited 2.5'])
    expect(lines[0]).toContain("the client's own limit of 2 requests a second, not the server")
    expect(lines[0]).toContain('qps and burst of the Config')
  })

  it('counts retries too, those of watches included', async () => {
    let taken = 0
    const rateLimiter = { qps: 1, tryAccept: () => true, wait: async () => void taken++ }
    const { client, clock } = script(
      [{ status: 429, headers: { 'retry-after': '1' } }, { body: '{}' }, lost(), { body: '{}' }],
      {
        rateLimiter,
      },
    )
    const call = client.get().do()
    await clock.advance(1000)
    await call
    expect(taken).toBe(2)
    const watch = client.get().watch()
    await clock.advance(1000)
    await watch
    expect(taken).toBe(3)
  })

  it('passes the reason of an abort on, and wraps other errors', async () => {
    const { client } = script([{}], { qps: 0.001, burst: 1 })
    await client.get().do()
    const controller = new AbortController()
    const promise = client.get().do({ signal: controller.signal })
    controller.abort(new Error('enough'))
    expect((await rejection(promise)).message).toBe('enough')
    const failing = { qps: 1, tryAccept: () => false, wait: async () => Promise.reject(new Error('broken')) }
    const err = await rejection(script([{}], { rateLimiter: failing }).client.get().do())
    expect(err.message).toBe('client rate limiter Wait returned an error: broken')
  })
})

it('many calls share a signal without a warning of node, and leave nothing on it', async () => {
  const warnings: Error[] = []
  const onWarning = (warning: Error): void => void warnings.push(warning)
  process.on('warning', onWarning)
  try {
    const { client, clock } = script(['silence'], { qps: 100, burst: 20, timeout: 1000 })
    const controller = new AbortController()
    const calls = Array.from({ length: 40 }, () => rejection(client.get().do({ signal: controller.signal })))
    await clock.advance(10)
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(40)
    await clock.advance(5000)
    await Promise.all(calls)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    expect(warnings).toEqual([])
  } finally {
    process.off('warning', onWarning)
  }
})
