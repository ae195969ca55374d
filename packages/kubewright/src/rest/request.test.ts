import { describe, expect, it } from 'vitest'
import { fakeTransport } from './fake-transport.test-support.js'
import {
  Config,
  RESTClient,
  type Request,
  restClientFor,
  type TransportRequest,
  unversionedRestClientFor,
} from './index.js'

/** Answers `{}` to everything, and keeps what was sent. */
function recorder(): { sent: TransportRequest[]; client: (host?: string, group?: string) => RESTClient } {
  const transport = fakeTransport(() => ({ body: '{}' }))
  const client = (host = 'http://h', group = ''): RESTClient =>
    restClientFor(new Config({ host, transport, qps: -1, userAgent: 'test' }), { group, version: 'v1' })
  return { sent: transport.sent, client }
}

const { client } = recorder()
const get = (host?: string, group?: string): Request => client(host, group).get()

describe('url', () => {
  it.each<[string, Request, string]>([
    ['a list', get().resource('pods'), '/api/v1/pods'],
    ['a namespace', get().namespace('ns').resource('pods'), '/api/v1/namespaces/ns/pods'],
    ['all namespaces', get().namespace('').resource('pods'), '/api/v1/pods'],
    [
      'a group',
      get('http://h', 'apps').namespace('ns').resource('deployments').name('web'),
      '/apis/apps/v1/namespaces/ns/deployments/web',
    ],
    ['the order of calls', get().name('web').resource('pods').namespace('ns'), '/api/v1/namespaces/ns/pods/web'],
    ['a prefix of the host', get('https://h/a/b').resource('pods'), '/a/b/api/v1/pods'],
    ['an escaped prefix of the host', get('https://h/a%2Fb').resource('pods'), '/a%2Fb/api/v1/pods'],
    ['a lower-case resource', get().resource('Pods').name('Web'), '/api/v1/pods/Web'],
    ['colons in names', get().resource('clusterroles').name('MyTeam:View'), '/api/v1/clusterroles/MyTeam:View'],
    ['names that need escaping', get().resource('pods').name('a b?#'), '/api/v1/pods/a%20b%3F%23'],
    [
      'subresources',
      get().namespace('ns').resource('pods').name('web').subResource('proxy', 'x'),
      '/api/v1/namespaces/ns/pods/web/proxy/x',
    ],
    [
      'a subresource without a name',
      get().namespace('ns').resource('pods').subResource('x'),
      '/api/v1/namespaces/ns/pods/x',
    ],
    ['prefix and suffix', get().prefix('watch').resource('pods').suffix('a', 'b c'), '/api/v1/watch/pods/a/b%20c'],
    [
      'namespaced scope',
      get().namespaceIfScoped('ns', { scoped: true }).resource('pods'),
      '/api/v1/namespaces/ns/pods',
    ],
    ['cluster scope', get().namespaceIfScoped('ns', { scoped: false }).resource('nodes'), '/api/v1/nodes'],
    ['absPath', get('https://h/a').absPath('/healthz'), '/a/healthz'],
    ['absPath with a slash at its end', get().absPath('/x/'), '/x/'],
    ['absPath of several segments', get().absPath('/x/', 'y/'), '/x/y'],
    ['absPath of the root', get('https://h/a').absPath('/'), '/a/'],
    ['absPath of the root of a host without a prefix', get('https://h').absPath('/'), '/'],
    ['a prefix that leads nowhere', get().prefix('/', '..').resource('pods'), '/api/v1/pods'],
    ['an empty suffix', get().absPath('/x/').suffix(''), '/x/'],
    ['requestURI', get('https://h/a').param('gone', '1').requestURI('/api/v1/x?b=2&a=1'), '/a/api/v1/x?a=1&b=2'],
    ['requestURI of the root', get('https://h/a').requestURI('/'), '/a/'],
    ['requestURI of a server alone', get('https://h/a').requestURI('//other'), '/a'],
    ['requestURI of a whole URL', get('https://h/a').requestURI('https://other/x/?b=2#c'), '/a/x/?b=2'],
    ['requestURI with what is to be escaped', get().requestURI("/a(b)'%41 é%2F"), '/a%28b%29%27A%20%C3%A9%2F'],
    [
      'params sorted, values in order',
      get().resource('pods').param('b', 2).param('a', 'x').param('b', '1'),
      '/api/v1/pods?a=x&b=2&b=1',
    ],
    [
      'params escaped',
      get().resource('pods').param('l', "a=b,c in (d e)+'"),
      '/api/v1/pods?l=a%3Db%2Cc+in+%28d+e%29%2B%27',
    ],
    ['a timeout', get().resource('pods').timeout(90_000), '/api/v1/pods?timeout=1m30s'],
    ['a timeout over a param', get().resource('pods').param('timeout', '1s').timeout(5), '/api/v1/pods?timeout=5ms'],
    [
      'options',
      get()
        .resource('pods')
        .versionedParams({
          labelSelector: 'a=b',
          fieldSelector: '',
          resourceVersion: '0',
          limit: 0,
          timeoutSeconds: 0,
          watch: false,
          allowWatchBookmarks: true,
          sendInitialEvents: false,
          continue: undefined,
          dryRun: ['All'],
          command: ['sh', '-c'],
          signal: new AbortController().signal,
          timeout: 5,
        }),
      '/api/v1/pods?allowWatchBookmarks=true&command=sh&command=-c&dryRun=All&labelSelector=a%3Db&resourceVersion=0&sendInitialEvents=false&timeoutSeconds=0',
    ],
  ])('%s', (_name, request, expected) => {
    const url = request.url()
    expect(request.error).toBeUndefined()
    expect(url.pathname + url.search).toBe(expected)
  })

  it("emits the Config's timeout, and clears it", () => {
    const { config } = client()
    const timed = new RESTClient({ config: new Config({ ...config, timeout: 1500 }) })
    expect(timed.get().absPath('/x').url().search).toBe('?timeout=1.5s')
    expect(timed.get().absPath('/x').timeout(0).url().search).toBe('')
  })
})

describe('mistakes in building are kept, the first one wins', () => {
  it.each<[string, Request]>([
    ['resource already set to "a", cannot change to "b"', get().resource('a').resource('b')],
    ['resource name already set to "a", cannot change to "b"', get().name('a').name('b')],
    ['namespace already set to "a", cannot change to "b"', get().namespace('a').namespace('b')],
    ['namespace already set to "", cannot change to "a"', get().namespace('').namespace('a')],
    ['subresource already set to "a/b", cannot change to "c/d"', get().subResource('a', 'b').subResource('c', '', 'd')],
    ['resource name may not be empty', get().name('').name('a').name('b')],
    [`invalid resource name "a/b": [may not contain '/']`, get().name('a/b')],
    [`invalid resource name "..": [may not be '..']`, get().name('..')],
    [`invalid resource name "a/b%c": [may not contain '/' may not contain '%']`, get().name('a/b%c')],
    [`invalid namespace ".": [may not be '.']`, get().namespace('.')],
    [`invalid resource "a%": [may not contain '%']`, get().resource('a%')],
    [`invalid subresource "a/b": [may not contain '/']`, get().subResource('x', 'a/b')],
    ['the resource name must be a string, not a number', get().name(5 as never)],
    ['the namespace must be a string, not null', get().namespace(null as never)],
    ['the resource must be a string, not undefined', get().resource(undefined as never)],
    ['the subresource must be a string, not an object', get().subResource('a', {} as never)],
    ['the prefix must be a string, not a number', get().prefix('a', 5 as never)],
    ['the suffix must be a string, not undefined', get().suffix(undefined as never)],
    ['the path must be a string, not an array', get().absPath(['a'] as never)],
    ['the request URI must be a string, not a URL', get().requestURI(new URL('http://h/') as never)],
    ['the header must be a string, not a number', get().setHeader('a', 5 as never)],
    [
      'unknown type used for body: number; give an object, which is sent as JSON, or text, bytes or an async iterable of bytes',
      get().body(5 as never),
    ],
    ['cannot parse the request URI "/%zz"', get().requestURI('/%zz')],
    ['a timeout must be 0 or more milliseconds, not -1', get().timeout(-1)],
    ['cannot encode spec.replicas as JSON: NaN is not a JSON number', get().body({ spec: { replicas: Number.NaN } })],
    [
      'the option preconditions cannot be sent as a parameter: give a string, number or boolean',
      get().versionedParams({ preconditions: {} }),
    ],
    [
      "the options must be an object such as { labelSelector: 'a=b' }, not a string",
      get().versionedParams('default' as never),
    ],
  ])('%s', async (message, request) => {
    expect(request.error?.message).toBe(message)
    for (const call of ['do', 'doRaw', 'stream', 'watch'] as const)
      await expect(request[call]()).rejects.toThrow(message)
  })

  it('says which call it is about when the call is made', async () => {
    await expect(client().get().resource('pods').name('').do()).rejects.toThrow(
      'GET pods: resource name may not be empty',
    )
  })

  it.each<[string, unknown]>([
    ['an object', {}],
    ['a string', 'soon'],
    ['null', null],
    ['an AbortController', new AbortController()],
  ])('refuses a call whose signal is %s', async (kind, signal) => {
    for (const call of ['do', 'doRaw', 'stream', 'watch'] as const) {
      await expect(
        get()
          .resource('pods')
          [call]({ signal: signal as AbortSignal }),
      ).rejects.toThrow(`GET pods: the signal must be an AbortSignal, such as that of an AbortController, not ${kind}`)
    }
  })

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('refuses a call whose timeout is %d', async (timeout) => {
    for (const call of ['do', 'doRaw', 'stream', 'watch'] as const) {
      await expect(get().resource('pods')[call]({ timeout })).rejects.toThrow(
        `GET pods: a timeout must be 0 or more milliseconds, not ${timeout}`,
      )
    }
  })

  it('refuses an empty namespace where it would mean another thing', async () => {
    const create = client().post().namespace('').resource('pods').body({})
    await expect(create.do()).rejects.toThrow('an empty namespace may not be set during creation')
    for (const verb of ['get', 'put', 'delete'] as const) {
      const request = client()[verb]().namespace('').resource('pods').name('a')
      await expect(request.do()).rejects.toThrow('an empty namespace may not be set when a resource name is provided')
    }
    await client().patch('application/merge-patch+json').namespace('').resource('pods').name('a').do()
    await client().get().namespace('').resource('pods').do()
  })
})

describe('what is sent', () => {
  it.each<[string, (c: RESTClient) => Request, Partial<Record<keyof TransportRequest, unknown>>]>([
    [
      'an object',
      (c) => c.post().body({ a: undefined, b: 1 }),
      {
        method: 'POST',
        body: '{"b":1}',
        headers: { accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'test' },
      },
    ],
    [
      'a patch',
      (c) => c.patch('application/merge-patch+json').body({ a: null }),
      {
        method: 'PATCH',
        body: '{"a":null}',
        headers: { accept: 'application/json', 'content-type': 'application/merge-patch+json', 'user-agent': 'test' },
      },
    ],
    [
      'text as it is',
      (c) => c.put().setHeader('Content-Type', 'text/plain').body('{a'),
      {
        method: 'PUT',
        body: '{a',
        headers: { accept: 'application/json', 'content-type': 'text/plain', 'user-agent': 'test' },
      },
    ],
    ['no body for null', (c) => c.delete().body(null), { method: 'DELETE', body: undefined }],
    [
      'a header replaced',
      (c) => c.get().setHeader('accept', 'x').setHeader('Accept', 'a', 'b'),
      { headers: { accept: ['a', 'b'], 'user-agent': 'test' } },
    ],
    ['any method', (c) => c.verb('OPTIONS'), { method: 'OPTIONS' }],
  ])('%s', async (_name, build, expected) => {
    const { sent, client } = recorder()
    await build(client()).resource('pods').doRaw()
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject(
      Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== undefined)),
    )
    for (const [key, value] of Object.entries(expected))
      if (value === undefined) expect(sent[0]?.[key as keyof TransportRequest]).toBeUndefined()
  })
})

it.each(['do', 'doRaw', 'stream', 'watch'] as const)(
  '%s takes a timeout, which wins; 0 is none of its own',
  async (call) => {
    const { sent, client } = recorder()
    await client().get().timeout(1000)[call]({ timeout: 2000 })
    await client().get().timeout(1000)[call]({ timeout: 0 })
    expect(sent.map(({ url }) => url.search)).toEqual(['?timeout=2s', '?timeout=1s'])
  },
)

describe('clients', () => {
  it('need a version', () => {
    expect(() => restClientFor({}, { group: 'apps', version: '' })).toThrow('GroupVersion is required')
  })

  it('without a version serve paths', () => {
    expect(unversionedRestClientFor({ host: 'h:1', qps: -1 }).get().absPath('/version').url().href).toBe(
      'http://h:1/version',
    )
  })

  it.each([
    [{}, 5, 10],
    [{ qps: 50 }, 50, 10],
    [{ qps: 50, burst: 100 }, 50, 100],
    [{ qps: -1 }, undefined, undefined],
  ])('limit themselves as %j says', (options, qps, burst) => {
    const { rateLimiter } = restClientFor(options, { group: '', version: 'v1' })
    expect(rateLimiter?.qps).toBe(qps)
    expect((rateLimiter as { burst?: number } | undefined)?.burst).toBe(burst)
  })
})
