// Calls from end to end, on a transport that answers from a script and a clock that stands still.

import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/fake-clock.js'
import type { WatchEvent } from '../meta/index.js'
import {
  ApiError,
  isForbidden,
  isInternalError,
  isNotFound,
  isTooManyRequests,
  isUnexpectedServerError,
} from '../meta/index.js'
import {
  Config,
  type ConfigOptions,
  ConnectionError,
  noLogger,
  type RESTClient,
  RequestTimeoutError,
  responseHeaders,
  restClientFor,
  type TransportRequest,
  type TransportResponse,
  type Warning,
} from './index.js'

type Answer =
  | { status?: number; headers?: Record<string, string | string[]>; body?: string | AsyncIterable<Uint8Array> }
  | Error
  | 'silence'

interface Script {
  client: RESTClient
  clock: FakeClock
  sent: TransportRequest[]
  /** Answers whose connection has not been released. */
  open: () => number
}

/** Gives the answers in turn, the last one for ever. */
function script(answers: readonly Answer[], options: ConfigOptions = {}): Script {
  const clock = new FakeClock()
  const sent: TransportRequest[] = []
  let open = 0
  const roundTrip = async (request: TransportRequest): Promise<TransportResponse> => {
    const answer = answers[Math.min(sent.length, answers.length - 1)]
    sent.push(request)
    if (answer instanceof Error) throw answer
    if (answer === 'silence' || answer === undefined) return untilAborted(request.signal)
    const { status = 200, headers = {}, body = '' } = answer
    open++
    let closed = false
    const source = typeof body === 'string' ? chunks(body) : body
    return {
      status,
      headers: responseHeaders({ 'content-type': 'application/json', ...headers }),
      body: source,
      close: () => {
        if (!closed) open--
        closed = true
      },
    }
  }
  const transport = { roundTrip, close: async () => {} }
  const config = new Config({ host: 'http://h', qps: -1, logger: noLogger, clock, transport, ...options })
  return { client: restClientFor(config, { group: 'apps', version: 'v1' }), clock, sent, open: () => open }
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
}

async function* chunks(...parts: string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield new TextEncoder().encode(part)
}

async function* thenFail(text: string, err: Error): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
  throw err
}

const lost = (message = 'reset'): ConnectionError =>
  new ConnectionError({ method: 'GET', url: 'http://h/', reason: 'lost', message })
const refused = new ConnectionError({
  method: 'GET',
  url: 'http://h/',
  reason: 'connect',
  message: 'connection refused',
})

async function rejection(promise: Promise<unknown>): Promise<Error> {
  const err = await promise.then(
    () => new Error('resolved'),
    (err) => err,
  )
  return err
}

async function collect<T>(watch: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of watch) all.push(item)
  return all
}

describe('do', () => {
  it('gives status, content type, warnings, bytes and object, and releases the connection', async () => {
    const warnings: Warning[] = []
    const { client, open } = script([{ status: 201, headers: { warning: '299 - "old"' }, body: '{"a":"ü"}' }], {
      warningHandler: (warning) => void warnings.push(warning),
    })
    const result = await client.post().body({}).do<{ a: string }>({ keepRaw: true })
    expect(result).toMatchObject({ statusCode: 201, wasCreated: true, contentType: 'application/json' })
    expect(result.object).toEqual({ a: 'ü' })
    expect(result.object).toBe(result.object)
    expect(Buffer.from(result.raw ?? []).toString()).toBe('{"a":"ü"}')
    expect(result.warnings).toEqual([{ code: 299, agent: '-', text: 'old' }])
    expect(warnings).toEqual(result.warnings)
    expect(open()).toBe(0)
  })

  it("gives a request's own warning handler precedence", async () => {
    const texts: string[] = []
    const { client } = script([{ headers: { warning: '299 - "old"' } }], { warningHandler: () => texts.push('config') })
    await client
      .get()
      .warningHandler(({ text }) => texts.push(text))
      .do()
    expect(texts).toEqual(['old'])
  })

  it.each([
    [{ body: '' }, '0-length response with status code: 200 and content type: application/json', undefined],
    [{ body: 'x', headers: { 'content-type': 'text/html' } }, 'content type text/html', 'x'],
  ])('has no object, for %j', async (answer, message, raw) => {
    const result = await script([answer]).client.get().absPath('/x').do()
    expect(result.raw && Buffer.from(result.raw).toString()).toBe(raw)
    expect(() => result.object).toThrow(message)
    expect(() => result.object).toThrow('GET http://h/x: ')
  })

  it.each([
    ['{', 'the answer is not valid JSON'],
    ['{"kind":"Status","apiVersion":"v1","status":"Failure","message":"no"}', 'no'],
    ['{"kind":"Status","apiVersion":"v1","status":"Failure","message":"no"} ', 'no'],
  ])('fails when the answer is %s, and gives it raw', async (body, message) => {
    const { client, open } = script([{ body }])
    const err = await rejection(client.get().absPath('/x').do())
    expect(err.message).toMatch(`GET http://h/x: ${message}`)
    expect(Buffer.from(await client.get().absPath('/x').doRaw()).toString()).toBe(body)
    expect(open()).toBe(0)
  })

  it('decodes a long list while it arrives, and lets others have their turn', async () => {
    const items = Array.from({ length: 3000 }, (_, i) => ({ metadata: { name: `n${i}` }, text: 'ü'.repeat(500) }))
    const list = { kind: 'List', metadata: { resourceVersion: '7' }, items }
    const all = new TextEncoder().encode(JSON.stringify(list))
    async function* parts() {
      for (let at = 0; at < all.length; at += 50_001) yield all.subarray(at, at + 50_001)
    }
    let now = 0
    const clock = Object.assign(new FakeClock(), { monotonic: () => now++ })
    let turns = 0
    const other = setInterval(() => turns++, 0)
    const { client } = script([{ body: parts() }], { clock })
    const result = await client.get().do({ keepRaw: true })
    clearInterval(other)
    expect(result.object).toEqual(list)
    expect(Buffer.compare(result.raw ?? Buffer.of(), all)).toBe(0)
    expect(turns).toBeGreaterThan(0)
  })

  it('keeps the bytes of what was decoded only when asked to', async () => {
    const { client } = script([{ body: '{"a":1}' }])
    expect((await client.get().do()).raw).toBeUndefined()
    expect(Buffer.from((await client.get().do({ keepRaw: true })).raw ?? []).toString()).toBe('{"a":1}')
  })

  it('limits the size of answers that are read as a whole', async () => {
    const { client, sent } = script([{ body: '{}' }], { maxResponseBytes: 7 })
    await client.get().do()
    await client.get().doRaw()
    ;(await client.get().stream()).close()
    ;(await client.get().watch()).stop()
    expect(sent.map(({ maxResponseBytes }) => maxResponseBytes)).toEqual([7, 7, undefined, undefined])
  })

  it.each(['watch', 'stream'] as const)('limits what is read of the failure of a %s', async (how) => {
    async function* endless() {
      for (;;) yield Buffer.from('x'.repeat(1000))
    }
    const { client, open } = script([{ status: 403, body: endless() }], { maxResponseBytes: 100_000 })
    await expect(client.get()[how]()).rejects.toMatchObject({ code: 403 })
    expect(open()).toBe(0)
  })

  it('stops decoding when it is cancelled', async () => {
    const controller = new AbortController()
    const clock = Object.assign(new FakeClock(), { monotonic: () => now++ })
    let now = 0
    async function* endless() {
      yield new TextEncoder().encode('{"items":[')
      const part = new TextEncoder().encode(`${JSON.stringify('x'.repeat(70_000))},`)
      for (let i = 0; ; i++) {
        if (i === 50) setImmediate(() => controller.abort(new Error('enough')))
        yield part
      }
    }
    const { client, open } = script([{ body: endless() }], { clock })
    await expect(client.get().do({ signal: controller.signal })).rejects.toThrow('enough')
    expect(open()).toBe(0)
  })

  it('gives a successful Status as the object', async () => {
    const body = '{"kind":"Status","apiVersion":"v1","status":"Success"}'
    expect((await script([{ body }]).client.delete().do<{ status: string }>()).object.status).toBe('Success')
  })

  it('reports a body that broke off', async () => {
    const { client, open, sent } = script([{ body: thenFail('{', lost('broke')) }])
    expect(await rejection(client.get().do())).toMatchObject({ reason: 'lost' })
    const foreign = script([{ body: thenFail('{', new Error('odd')) }])
    const err = await rejection(foreign.client.get().do())
    expect(err).toBeInstanceOf(ConnectionError)
    expect(err.message).toContain('unexpected error when reading response body. Please retry. Original error: odd')
    expect([open(), foreign.open(), sent.length]).toEqual([0, 0, 1])
  })
})

describe('errors of the server', () => {
  const about = ' (get deployments.apps web)'

  it("keeps the server's Status", async () => {
    const status = {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      reason: 'NotFound',
      code: 404,
      message: 'no web',
    }
    const err = await rejection(
      script([{ status: 404, body: JSON.stringify(status) }])
        .client.get()
        .name('web')
        .do(),
    )
    expect(err).toBeInstanceOf(ApiError)
    expect((err as ApiError).status).toEqual(status)
    expect(err.message).toBe('GET http://h/apis/apps/v1/web: no web')
    expect(isNotFound(err)).toBe(true)
  })

  it('shows a message that is no text as JSON', async () => {
    const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 409, message: { a: ['b'] } }
    const { client } = script([{ status: 409, body: JSON.stringify(status) }])
    expect((await rejection(client.get().name('web').do())).message).toBe('GET http://h/apis/apps/v1/web: {"a":["b"]}')
  })

  it.each<[number, string, string]>([
    [400, 'BadRequest', `the server rejected our request for an unknown reason${about}`],
    [401, 'Unauthorized', `the server has asked for the client to provide credentials${about}`],
    [403, 'Forbidden', `body${about}`],
    [404, 'NotFound', `the server could not find the requested resource${about}`],
    [405, 'MethodNotAllowed', `the server does not allow this method on the requested resource${about}`],
    [406, 'NotAcceptable', `body${about}`],
    [409, 'Conflict', `the server reported a conflict${about}`],
    [415, 'UnsupportedMediaType', `body${about}`],
    [422, 'Invalid', `the server rejected our request due to an error in our request${about}`],
    [429, 'TooManyRequests', `the server has received too many requests and has asked us to try again later${about}`],
    [500, 'InternalError', `an error on the server ("body") has prevented the request from succeeding${about}`],
    [502, 'InternalError', `an error on the server ("body") has prevented the request from succeeding${about}`],
    [503, 'ServiceUnavailable', `the server is currently unable to handle the request${about}`],
    [
      504,
      'Timeout',
      `the server was unable to return a response in the time allotted, but may still be processing the request${about}`,
    ],
    [418, '', `the server responded with the status code 418 but did not return more information${about}`],
    [302, '', `the server responded with the status code 302 but did not return more information${about}`],
  ])('makes a Status of the bare code %d', async (status, reason, message) => {
    const { client } = script([{ status, body: 'body', headers: { 'content-type': 'text/plain' } }])
    const err = (await rejection(client.get().resource('deployments').name('web').do())) as ApiError
    expect(err.status).toMatchObject({ code: status, reason, message, status: 'Failure' })
    expect(err.status.details).toEqual({
      group: 'apps',
      kind: 'deployments',
      name: 'web',
      causes: [{ reason: 'UnexpectedServerResponse', message: 'body' }],
    })
    const rest = message.includes('body') ? '' : ': body'
    expect(err.message).toBe(`GET http://h/apis/apps/v1/deployments/web: ${message}${rest}`)
    expect(isUnexpectedServerError(err)).toBe(true)
  })

  it('says what the server said about a request it did not understand', async () => {
    const body = 'Client sent an HTTP request to an HTTPS server.\n'
    const { client } = script([{ status: 400, body, headers: { 'content-type': '' } }])
    expect((await rejection(client.get().resource('pods').do())).message).toBe(
      'GET http://h/apis/apps/v1/pods: the server rejected our request for an unknown reason (get pods.apps): ' +
        'Client sent an HTTP request to an HTTPS server.',
    )
  })

  it('tells a create conflict from the others', async () => {
    const { client } = script([{ status: 409 }])
    expect(await rejection(client.post().do())).toMatchObject({ reason: 'AlreadyExists' })
  })

  it.each<[string, string, string, string]>([
    [
      'an HTML page',
      'text/html',
      '<html><head><title>502 Bad Gateway</title></head><body>long</body></html>',
      'an HTML page titled \\"502 Bad Gateway\\"',
    ],
    ['HTML without a type', '', '<!DOCTYPE html><p>x', 'an HTML page'],
    ['a long text', 'text/plain', 'x'.repeat(5000), 'x'.repeat(2048)],
    ['binary', 'application/octet-stream', 'secret', 'unknown'],
    ['nothing', 'text/plain', '', 'unknown'],
    ['JSON that is no Status', 'application/json', '{"error":1}', 'unknown'],
  ])('does not dump %s', async (_name, type, body, shown) => {
    const { client } = script([{ status: 500, body, headers: { 'content-type': type } }])
    const err = await rejection(client.get().absPath('/x').do())
    expect(err.message).toBe(
      `GET http://h/x: an error on the server ("${shown}") has prevented the request from succeeding`,
    )
    expect(isInternalError(err)).toBe(true)
  })

  it.each(['do', 'doRaw', 'stream', 'watch'] as const)('come out of %s, connection released', async (call) => {
    const body = '{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,"message":"no"}'
    const { client, open } = script([{ status: 403, body }])
    const err = await rejection(client.get()[call]())
    expect(isForbidden(err)).toBe(true)
    expect(open()).toBe(0)
  })
})

describe('retries', () => {
  const busy = (status: number, retryAfter?: string): Answer => ({
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
    return script([], {
      ...options,
      transport: {
        roundTrip: async ({ signal }) => ({
          status: 200,
          headers: responseHeaders({}),
          body: { [Symbol.asyncIterator]: () => ({ next: () => untilAborted(signal) }) },
          close: () => {},
        }),
        close: async () => {},
      },
    })
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

describe('stream', () => {
  it('gives the bytes as they come', async () => {
    const { client, open } = script([{ body: chunks('a', 'b'), headers: { 'content-type': 'text/plain' } }])
    const stream = await client.get().stream()
    expect(stream.contentType).toBe('text/plain')
    expect(open()).toBe(1)
    expect(Buffer.concat(await collect(stream)).toString()).toBe('ab')
    expect(open()).toBe(0)
  })

  it('releases its connection on break and on close', async () => {
    const { client, open, clock } = script([{ body: 'a' }], { timeout: 1000 })
    for await (const _chunk of await client.get().stream()) break
    ;(await client.get().stream()).close()
    expect([open(), clock.pendingTimers]).toEqual([0, 0])
  })
})

describe('watch', () => {
  const event = (type: string, name: string): string => `${JSON.stringify({ type, object: { metadata: { name } } })}\n`

  it('gives the events, an ERROR one too, and ends with the stream', async () => {
    const error = '{"type":"ERROR","object":{"kind":"Status","code":410}}\n'
    const { client, open } = script([
      { body: chunks(event('ADDED', 'a').slice(0, 9), event('ADDED', 'a').slice(9), error, event('BOOKMARK', '')) },
    ])
    const events = await collect(await client.get().watch())
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'ERROR', 'BOOKMARK'])
    expect(open()).toBe(0)
  })

  it.each<[string, string | AsyncIterable<Uint8Array>]>([
    ['the connection is lost', thenFail(event('ADDED', 'a'), lost())],
    ['it is cut inside an event', `${event('ADDED', 'a')}{"type":`],
  ])('ends quietly when %s', async (_name, body) => {
    const events = await collect(await script([{ body }]).client.get().watch())
    expect(events.map(({ type }) => type)).toEqual(['ADDED'])
  })

  it.each<[string, string, string]>([
    ['no JSON', 'nonsense\n', 'nonsense'],
    ['an unknown type', '{"type":"RENAMED","object":{}}\n', 'got invalid watch event type: RENAMED'],
    ['no object', '{"type":"ADDED"}\n', 'has no object'],
    ['null', 'null\n', 'got invalid watch event type: undefined'],
    ['a number', '5\n', 'got invalid watch event type: undefined'],
    ['a list', '[]\n', 'got invalid watch event type: undefined'],
    ['a foreign failure', '', 'odd'],
  ])('ends with one ERROR event at %s', async (_name, bad, detail) => {
    const body =
      bad === '' ? thenFail(event('ADDED', 'a'), new Error('odd')) : event('ADDED', 'a') + bad + event('ADDED', 'b')
    const { client, open } = script([{ body }])
    const events = await collect<WatchEvent>(await client.get().watch())
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'ERROR'])
    const status = events[1]?.object as ApiError['status']
    expect(status).toMatchObject({ kind: 'Status', status: 'Failure', code: 500, reason: 'InternalError' })
    expect(status.message).toContain('unable to decode an event from the watch stream: ')
    expect(status.message).toContain(detail)
    expect(status.details?.causes?.map(({ reason }) => reason)).toEqual([
      'UnexpectedServerResponse',
      'ClientWatchDecoding',
    ])
    expect(open()).toBe(0)
  })

  it('ends with one ERROR event at an event without an end', async () => {
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`${event('ADDED', 'a')}{"type":"`)
      for (;;) yield Buffer.from('x'.repeat(1000))
    }
    const { client, open } = script([{ body: endless() }], { maxResponseBytes: 100_000 })
    const events = await collect<WatchEvent>(await client.get().watch())
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'ERROR'])
    expect((events[1]?.object as ApiError['status']).message).toContain(
      'larger than the 100000 bytes that maxResponseBytes of the Config allows',
    )
    expect(open()).toBe(0)
  })

  it.each(['break', 'stop', 'return'] as const)('releases its connection on %s', async (how) => {
    const { client, open } = script([{ body: event('ADDED', 'a').repeat(3) }])
    const watch = await client.get().watch()
    const seen: WatchEvent[] = []
    if (how === 'return') {
      const iterator = watch[Symbol.asyncIterator]()
      await iterator.next()
      await iterator.return?.()
      expect((await iterator.next()).done).toBe(true)
    } else {
      for await (const item of watch) {
        seen.push(item as WatchEvent)
        if (how === 'break') break
        watch.stop()
      }
      expect(seen).toHaveLength(1)
    }
    watch.stop()
    expect(open()).toBe(0)
  })

  it('ends with the reason of the signal, also between events', async () => {
    const { client, open } = script([{ body: event('ADDED', 'a').repeat(3) }])
    const controller = new AbortController()
    const watch = await client.get().watch({ signal: controller.signal })
    await expect(async () => {
      for await (const _event of watch) controller.abort(new Error('enough'))
    }).rejects.toThrow('enough')
    expect(open()).toBe(0)
  })

  it('can be iterated once', async () => {
    const watch = await script([{ body: '' }])
      .client.get()
      .watch()
    await collect(watch)
    await expect(collect(watch)).rejects.toThrow('once')
  })

  it('refuses what is no JSON', async () => {
    const { client, open } = script([{ headers: { 'content-type': 'text/html' } }])
    await expect(client.get().watch()).rejects.toThrow('content type text/html')
    expect(open()).toBe(0)
  })
})
