// The cases of client-go's tests of requests: which URL, which answers are errors, and when a request is sent again.

import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import {
  ApiError,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isForbidden,
  isNotFound,
  isUnauthorized,
} from '../meta/index.js'
import {
  chunks,
  collect,
  type FakeAnswer,
  fakeTransport,
  inTurn,
  lost,
  refused,
  rejection,
  script,
} from './fake-transport.test-support.js'
import {
  Config,
  ConnectionError,
  type ConnectionErrorReason,
  noLogger,
  RESTClient,
  type Request,
  restClientFor,
} from './index.js'
import { urlBackoffFromEnvironment, withURLBackoff } from './url-backoff.js'

const clientOf = (host: string) => restClientFor({ host, qps: -1 }, { group: '', version: 'v1' })

describe('the URL', () => {
  it.each([
    ['/', '', '', '/'],
    ['', '', '/', '/'],
    ['', '', '/api', '/api'],
    ['', '', '/api/', '/api/'],
    ['', '', '/apis', '/apis'],
    ['', '/foo', '/bar/foo', '/bar/foo'],
    ['', '/api/foo/123', '/bar/foo', '/bar/foo'],
    ['/p1', '', '', '/p1'],
    ['/p1', '', '/', '/p1/'],
    ['/p1', '', '/api', '/p1/api'],
    ['/p1', '', '/apis', '/p1/apis'],
    ['/p1', '/r1', '/apis', '/p1/apis'],
    ['/p1', '/api/r1', '/apis', '/p1/apis'],
    ['/p1/api/p2', '', '', '/p1/api/p2'],
    ['/p1/api/p2', '', '/', '/p1/api/p2/'],
    ['/p1/api/p2', '', '/api', '/p1/api/p2/api'],
    ['/p1/api/p2', '', '/api/', '/p1/api/p2/api/'],
    ['/p1/api/p2', '/r1', '/api/', '/p1/api/p2/api/'],
    ['/p1/api/p2', '/api/r1', '/api/', '/p1/api/p2/api/'],
  ])('of a host with %j, the prefix %j and the path %j is %s', (host, prefix, path, expected) => {
    const client = new RESTClient({ config: new Config({ host: `http://localhost:123${host}`, qps: -1 }) })
    expect(client.post().prefix(prefix).absPath(path).url().pathname).toBe(expected)
  })

  it('has the parts of a resource in their order, whatever the order of the calls', () => {
    const request = clientOf('http://h').get().name('bar').resource('baz').namespace('foo').suffix('test')
    expect(request.subResource('a', 'b').url().pathname).toBe('/api/v1/namespaces/foo/baz/bar/a/b/test')
  })

  it.each([
    ['http://h', '/test?foo=b&a=b&c=1&c=2', '/test'],
    ['http://h/context', '/test?foo=b&a=b&c=1&c=2', '/context/test'],
    ['http://h/context', '../test?foo=b&a=b&c=1&c=2', '/test'],
  ])('of %s with the request URI %s replaces path and parameters', (host, uri, path) => {
    const request = clientOf(host).get().param('foo', 'a').param('bar', 'b').prefix('other').requestURI(uri)
    expect(request.url().pathname).toBe(path)
    expect(request.url().search).toBe('?a=b&c=1&c=2&foo=b')
  })

  it('gets the options of several calls', () => {
    const request = clientOf('http://h').get().param('foo', 'a')
    request.versionedParams({ follow: true, container: 'bar' })
    expect(request.url().search).toBe('?container=bar&follow=true&foo=a')
    request.versionedParams({ resourceVersion: '1' }).versionedParams({ resourceVersion: '2', timeoutSeconds: 10 })
    expect(request.url().search).toBe(
      '?container=bar&follow=true&foo=a&resourceVersion=1&resourceVersion=2&timeoutSeconds=10',
    )
  })

  describe.each(['.', '..', 'test/segment', 'test%2bsegment'])('has no segment %s', (segment) => {
    it.each<[string, (request: Request) => Request]>([
      ['namespace', (request) => request.namespace(segment)],
      ['resource', (request) => request.resource(segment)],
      ['name', (request) => request.name(segment)],
      ['subresource', (request) => request.subResource(segment)],
    ])('for a %s', (_, set) => {
      expect(set(clientOf('http://h').get()).error?.message).toContain(`"${segment}": [may not`)
    })
  })

  it('stays what it was once there is a mistake', () => {
    const request = clientOf('http://h').get().name('')
    const { error } = request
    const before = request.url().href
    const changed = request.param('foo', 'bar').absPath('/abs').prefix('test').suffix('testing').namespace('new')
    expect(changed.resource('foos').name('bars').body('foo').timeout(1)).toBe(request)
    expect(request.error).toBe(error)
    expect(request.url().href).toBe(before)
  })
})

describe('an empty namespace', () => {
  const call = (verb: string, namespace: string | undefined, name: string) => {
    const { client, sent } = script([{ body: '{}' }])
    const request = client.verb(verb).resource('pods')
    if (namespace !== undefined) request.namespace(namespace)
    if (name) request.name(name)
    return request.do().then(
      () => sent.length,
      () => sent.length,
    )
  }

  it.each<[what: string, verbs: string[], namespace: string | undefined, name: string, sent: number]>([
    ['is not there', ['GET', 'PUT', 'DELETE', 'POST'], undefined, '', 1],
    ['means all, without a name', ['GET', 'PUT', 'DELETE'], '', '', 1],
    ['is a mistake with a name', ['GET', 'PUT', 'DELETE'], '', 'ResourceName', 0],
    ['is a mistake of who creates', ['POST'], '', '', 0],
    ['is not a full one', ['GET', 'PUT', 'DELETE', 'POST'], 'Namespace', 'ResourceName', 1],
  ])('%s', async (_, verbs, namespace, name, sent) => {
    for (const verb of verbs) expect(await call(verb, namespace, name)).toBe(sent)
  })
})

describe('an answer', () => {
  it.each([
    [200, false],
    [201, true],
    [202, false],
    [204, false],
  ])('of %i has no error, and was created: %s', async (status, created) => {
    const result = await script([{ status, body: '' }])
      .client.get()
      .absPath('/test')
      .do({ keepRaw: true })
    expect([result.statusCode, result.wasCreated]).toEqual([status, created])
    expect(result.raw).toHaveLength(0)
  })

  it.each([199, 300, 401, 403, 404, 409, 422, 500])('of %i is an error of that code', async (status) => {
    const err = await rejection(
      script([{ status, body: '' }])
        .client.get()
        .do(),
    )
    expect(err).toBeInstanceOf(ApiError)
    expect((err as ApiError).status.code).toBe(status)
  })

  it.each(['application/json', 'text/any', 'application/protobuf', 'application/unrecognized', 'application/,others'])(
    'of 401 is an error of that code, whatever its content, of type %s',
    async (type) => {
      const answer = { status: 401, body: 'aaaaa', headers: { 'content-type': type } }
      const err = await rejection(script([answer]).client.get().do())
      expect(isUnauthorized(err)).toBe(true)
      expect(err.message).toContain('the server has asked for the client to provide credentials')
    },
  )

  it('of any type can be had as bytes', async () => {
    for (const type of ['application/json', 'text/any', '']) {
      const { client } = script([{ body: 'aaaaa', headers: { 'content-type': type } }])
      expect(Buffer.from(await client.get().doRaw()).toString()).toBe('aaaaa')
    }
  })

  it.each<[what: string, method: string, status: number, body: string, code: number, is: (err: unknown) => boolean]>([
    ['is there already, when it creates', 'POST', 409, '', 409, isAlreadyExists],
    ['is a conflict, when it updates', 'PUT', 409, '', 409, isConflict],
    ['is not found', 'GET', 404, '', 404, isNotFound],
    ['is a bad request', 'GET', 400, '', 400, isBadRequest],
    [
      'is what its Status says',
      'GET',
      400,
      '{"kind":"Status","apiVersion":"v1","status":"Failure","code":404}',
      404,
      isNotFound,
    ],
    [
      'is what its Status says, which need not tell its version',
      'GET',
      400,
      '{"kind":"Status","status":"Failure","code":404}',
      404,
      isNotFound,
    ],
    [
      'is not what a successful Status says',
      'GET',
      400,
      '{"kind":"Status","apiVersion":"v1","status":"Success","code":404}',
      400,
      isBadRequest,
    ],
    ['is not what an empty object says', 'GET', 400, '{}', 400, isBadRequest],
    ['is not what an object without a kind says', 'GET', 400, '{"status":"Failure","code":404}', 400, isBadRequest],
  ])('that is an error %s', async (_what, method, status, body, code, is) => {
    const { client } = script([{ status, body }])
    const err = await rejection(client.verb(method).resource('foo').name('bar').do())
    expect((err as ApiError).status.code).toBe(code)
    expect(is(err)).toBe(true)
  })
})

const again = (status = 500, seconds = '0'): FakeAnswer => ({ status, headers: { 'retry-after': seconds } })
const calls = ['do', 'doRaw', 'stream', 'watch'] as const
type Call = (typeof calls)[number]

/** Makes a call, lets all its waits pass, and says how it went. */
async function made(answers: readonly FakeAnswer[], call: Call, method: string, maxRetries: number) {
  const { client, clock, sent, open } = script(answers)
  const request = client.verb(method).absPath('/api/v1').maxRetries(maxRetries)
  const outcome = request[call]().then(
    async (result): Promise<unknown> => {
      if (call === 'watch') return collect(result as AsyncIterable<unknown>)
      if (call === 'stream') return collect(result as AsyncIterable<unknown>)
      return result
    },
    (err: unknown) => err,
  )
  await clock.advance(100_000)
  return { result: await outcome, tries: sent.length, open: open(), timers: clock.pendingTimers }
}

describe('a request is sent again', () => {
  const all: readonly Call[] = calls
  const none: readonly Call[] = []
  const notStreams: readonly Call[] = ['do', 'doRaw', 'watch']
  const verbs = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']
  const code = (name: string) => Object.assign(new Error(name), { code: name })
  const tooLate = new ConnectionError({ method: 'GET', url: 'http://h/', reason: 'timeout', message: 'too late' })

  it.each<[after: string, answer: FakeAnswer, methods: string[], by: readonly Call[]]>([
    ['429 with Retry-After', again(429), verbs, all],
    ['503 with Retry-After', again(503), verbs, all],
    ['500 without', { status: 500 }, verbs, none],
    ['429 without', { status: 429 }, verbs, none],
    ['301 with Retry-After', again(301), verbs, none],
    ['200', {}, verbs, none],
    ['a reset of the connection', code('ECONNRESET'), ['GET'], notStreams],
    ['the end of a connection', code('ERR_STREAM_PREMATURE_CLOSE'), ['GET'], notStreams],
    ['a connection that cannot be written to', code('EPIPE'), ['GET'], notStreams],
    ['a GOAWAY', code('ERR_HTTP2_GOAWAY_SESSION'), ['GET'], notStreams],
    ['a connection that is lost', lost(), ['GET'], notStreams],
    ['a connection that is refused', refused, ['GET', 'POST'], none],
    ['a connection that is lost', lost(), ['POST'], ['watch']],
    ['a timeout of the network', tooLate, ['GET'], ['watch']],
  ])('after %s', async (_after, answer, methods, by) => {
    for (const method of methods) {
      for (const call of calls) {
        const { tries, open, timers } = await made([answer], call, method, 2)
        expect([method, call, tries, open, timers]).toEqual([method, call, by.includes(call) ? 3 : 1, 0, 0])
      }
    }
  })

  it.each<[what: string, answers: FakeAnswer[], tries: Record<Call, number>]>([
    ['as often as it may', [again(), again(), again()], { do: 3, doRaw: 3, watch: 3, stream: 3 }],
    ['when connections are lost', [lost(), lost(), lost()], { do: 3, doRaw: 3, watch: 3, stream: 1 }],
    ['until it succeeds', [again(), lost(), {}], { do: 3, doRaw: 3, watch: 3, stream: 2 }],
    ['until it succeeds, after answers', [again(), again(), {}], { do: 3, doRaw: 3, watch: 3, stream: 3 }],
  ])('%s, and each answer is released', async (_what, answers, tries) => {
    for (const call of calls) {
      const seen = await made(answers, call, 'GET', 2)
      expect([call, seen.tries, seen.open]).toEqual([call, tries[call], 0])
    }
  })

  it.each([
    [0, true],
    [1, false],
    [5, false],
  ])('%i times at most, which fails: %s', async (maxRetries, fails) => {
    const { result } = await made([again(429, '1'), {}], 'do', 'GET', maxRetries)
    expect(result instanceof ApiError).toBe(fails)
  })

  it.each([429, 500, 501, 504])('with its whole body after %i', async (status) => {
    const body = 'abcd'.repeat(1000)
    const { client, clock, sent } = script([again(status), again(status), {}])
    const done = client.post().body(body).doRaw()
    await clock.advance(1000)
    await done
    expect(sent.map((request) => request.body)).toEqual([body, body, body])
  })

  it('never, with a body that can be read once', async () => {
    for (const answer of [again(), lost()]) {
      const { client, sent } = script([answer])
      await rejection(client.get().maxRetries(1).body(chunks('a')).do())
      expect(sent).toHaveLength(1)
    }
  })

  it('as often for each of twenty calls at once', async () => {
    const { client, clock, sent } = script([again(500, '1')])
    const request = client.post().maxRetries(9)
    const done = Promise.all(Array.from({ length: 20 }, () => rejection(request.do())))
    await clock.advance(100_000)
    await done
    expect(sent).toHaveLength(200)
  })

  it('four times, a second apart, where the server asks so', async () => {
    const { client, clock, sent } = script([...Array<FakeAnswer>(4).fill(again(429, '1')), {}])
    const done = client.post().doRaw()
    const times: number[] = []
    for (let i = 0; i < 5; i++) {
      await clock.advance(i === 0 ? 0 : 1000)
      times.push(sent.length)
    }
    await done
    expect(times).toEqual([1, 2, 3, 4, 5])
  })

  it.each([
    ['5', 1, 5],
    ['2', 4, 4],
  ])('after %s s that the server asks for, or %i s for its host, whichever is longer', async (asked, base, seconds) => {
    for (const call of calls) {
      const clock = new FakeClock()
      const times: number[] = []
      const inner = fakeTransport((request, index) => {
        times.push(clock.monotonic())
        return inTurn(again(500, asked), {})(request, index)
      })
      const environment = { KUBE_CLIENT_BACKOFF_BASE: String(base), KUBE_CLIENT_BACKOFF_DURATION: '60' }
      const transport = withURLBackoff(inner, urlBackoffFromEnvironment(environment, clock), clock)
      const client = restClientFor(
        { host: 'http://h', qps: -1, logger: noLogger, clock, transport },
        { group: '', version: 'v1' },
      )
      const done = client.get().maxRetries(1)[call]()
      await clock.advance(10_000)
      await done
      expect([call, ...times.map((time) => (time - (times[0] ?? 0)) / 1000)]).toEqual([call, 0, seconds])
    }
  })
})

it.each([0, 3])('a watch gives its events after %i retries', async (maxRetries) => {
  const event = (type: string, name: string) => ({ type, object: { kind: 'Pod', metadata: { name } } })
  const events = [event('ADDED', 'first'), event('MODIFIED', 'second'), event('DELETED', 'last')]
  const body = events.map((each) => `${JSON.stringify(each)}\n`).join('')
  const { result } = await made(
    [...Array<FakeAnswer>(maxRetries).fill(again(429, '1')), { body }],
    'watch',
    'GET',
    maxRetries,
  )
  expect(result).toEqual(events)
})

describe('a watch or stream', () => {
  const failure = (more: object) => JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', ...more })
  const forbidden = { message: 'secrets is forbidden', reason: 'Forbidden', code: 403 }
  const nameless = { message: 'a container name must be specified', reason: 'BadRequest', code: 400 }

  it.each<[what: string, status: number, body: string, is: (err: unknown) => boolean, message: string]>([
    ['forbidden, with a Status', 403, failure(forbidden), isForbidden, 'secrets is forbidden'],
    ['forbidden', 403, '', isForbidden, ''],
    ['unauthorized', 401, '', isUnauthorized, ''],
    ['unauthorized, with a Status without a code', 401, failure({ reason: 'Unauthorized' }), isUnauthorized, ''],
    ['a bad request', 400, failure(nameless), isBadRequest, 'a container name must be specified'],
  ])('that is answered with %s fails with that', async (_, status, body, is, message) => {
    for (const call of ['watch', 'stream'] as const) {
      const { result, tries, open } = await made([{ status, body }], call, 'GET', 2)
      expect(is(result)).toBe(true)
      expect((result as Error).message).toContain(message)
      expect([tries, open]).toEqual([1, 0])
    }
  })
})

describe('the error of an earlier try', () => {
  const failure = (reason: ConnectionErrorReason, message: string) =>
    new ConnectionError({ method: 'GET', url: 'http://h/', reason, message })
  const answer = (of: string): FakeAnswer => {
    if (of === '200') return {}
    return of === '500' ? again() : failure(of === 'final' ? 'protocol' : 'lost', of)
  }

  it.each<[what: string, answers: string, maxRetries: number, told: string | undefined]>([
    ['is not there where the first one succeeds', '200', 2, undefined],
    ['is not there where answers asked for tries', '500 500 200', 2, undefined],
    ['is not told where a later one succeeds', 'EOF EOF 200', 2, undefined],
    ['is not there where the first one fails', 'final', 2, 'final'],
    ['is not there where only answers came before', '500 500 final', 2, 'final'],
    ['is told, though answers came after it', 'EOF 500 500 final', 3, 'final - E'],
    ['is told of the last that failed, among answers', '500 500 cut 500 500 EOF 500 500 final', 8, 'final - E'],
    ['is told with one that is not to be retried', 'EOF final', 3, 'final - E'],
    ['is told of the most recent', 'cut EOF final', 2, 'final - E'],
    ['is told of the one before', 'EOF cut EOF', 2, 'EOF - C'],
    ['is not told twice where it is the same', 'EOF EOF EOF', 2, 'EOF'],
  ])('%s', async (_what, answers, maxRetries, told) => {
    const from = (of: string) => `error from a previous attempt: GET http://h/: ${of}`
    const message =
      told && `GET http://h/: ${told.replace('- E', `- ${from('EOF')}`).replace('- C', `- ${from('cut')}`)}`
    for (const call of ['do', 'watch'] as const) {
      const all = answers.split(' ')
      const { result, tries } = await made(all.map(answer), call, 'GET', maxRetries)
      expect(tries).toBe(all.length)
      // A watch whose connections are lost is one that has ended.
      if (call === 'watch' && all.at(-1) === 'EOF') expect(result).toEqual([])
      else expect(result instanceof Error ? result.message : undefined).toBe(message)
    }
  })
})
