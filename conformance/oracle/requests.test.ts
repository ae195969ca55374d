import fc from 'fast-check'
import { parseDuration } from 'kubewright/meta'
import { Config, defaultServerURL, RESTClient, type Request, type Transport } from 'kubewright/rest'
import { expect, it } from 'vitest'
import { mostlyValid, runs } from './arbitraries.js'
import { type Ask, answerOf, describeWithOracle } from './describe-with-oracle.js'
import type { Answer } from './oracle.js'

const transport: Transport = {
  roundTrip: () => Promise.reject(new Error('nothing is sent here')),
  close: () => Promise.resolve(),
}

interface Server {
  host: string
  apiPath: string
  group: string
  version: string
  tls: boolean
}

async function expectSameServer(oracle: Ask, server: Server): Promise<void> {
  const go = await oracle.ask<{ base: string; versioned: string }>('url.server', server)
  const ours = answerOf(() => {
    const { host, apiPath, group, version, tls } = server
    const { baseUrl, versionedApiPath } = defaultServerURL(host, apiPath, { group, version }, { defaultTLS: tls })
    return { base: baseUrl.href, versioned: versionedApiPath }
  })
  // Ours are URLs of the web: default ports and upper case go, and what Go takes but the web does not is refused.
  const base = 'result' in go ? go.result.base : ''
  // An @ behind the server most likely is a password's; it is refused, so as not to be shown.
  const misplaced = /[/?#].*@/s.test(server.host.replace(/^[a-z][a-z0-9+.-]*:\/\//i, ''))
  const refused = 'error' in go || !/^https?:/.test(base) || !URL.canParse(base) || misplaced
  if (refused) expect(ours).toHaveProperty('error')
  else expect(ours).toEqual({ result: { ...go.result, base: new URL(base).href } })
}

type Step =
  | {
      method:
        | 'prefix'
        | 'suffix'
        | 'subResource'
        | 'absPath'
        | 'resource'
        | 'name'
        | 'namespace'
        | 'requestURI'
        | 'timeout'
      args: string[]
    }
  | { method: 'param'; args: [string, string] }
  | { method: 'listOptions'; options: object }

function take(request: Request, step: Step): void {
  if (step.method === 'listOptions') request.versionedParams(step.options)
  else if (step.method === 'param') request.param(step.args[0], step.args[1])
  else if (step.method === 'timeout') request.timeout(parseDuration(step.args[0] ?? ''))
  else request[step.method](...(step.args as [string]))
}

interface Answers {
  go: Answer<string>
  ours: Answer<string>
}

async function answersTo(oracle: Ask, host: string, steps: readonly Step[]): Promise<Answers> {
  const server = { host, apiPath: '/apis', group: 'apps', version: 'v1', tls: true }
  const go = await oracle.ask<string>('url.request', { ...server, steps })
  const ours = answerOf(() => {
    const { group, version, apiPath } = server
    const config = new Config({ host, transport, tlsClientConfig: {} })
    const request = new RESTClient({ config, apiPath, groupVersion: { group, version } }).get()
    for (const step of steps) take(request, step)
    if (request.error) throw request.error
    return request.url().href
  })
  return { go, ours }
}

async function expectSameRequest(oracle: Ask, host: string, steps: readonly Step[]): Promise<void> {
  const { go, ours } = await answersTo(oracle, host, steps)
  if ('error' in go) expect(ours).toEqual(go)
  else expect(ours).toEqual({ result: new URL(go.result).href })
}

const host = fc.constantFrom(
  ...['https://example.com', 'https://example.com/', 'https://example.com:8443/prefix', 'http://10.0.0.1:8080/a/b/'],
  ...['https://[::1]:6443', 'http://localhost/p//q/', 'https://EXAMPLE.com:443'],
)
const word = fc.constantFrom(
  'web',
  'a.b',
  'A',
  'kube-system',
  'é',
  'a b',
  'a:b',
  'a+b',
  "a'b",
  'a(b)',
  '~',
  '$&=@;,!*',
  '"<>[]^`{|}\\',
)
const bad = fc.constantFrom('', '.', '..', 'a/b', '50%', '/', '//', 'a?b', 'a#b')
const segment = fc.oneof({ weight: 6, arbitrary: word }, { weight: 1, arbitrary: bad })
const path = fc.array(fc.oneof(word, fc.constantFrom('', '.')), { maxLength: 4 }).map((parts) => parts.join('/'))
const one = (method: 'resource' | 'name' | 'namespace'): fc.Arbitrary<Step> =>
  segment.map((text): Step => ({ method, args: [text] }))
const value = fc.constantFrom('', 'a', 'a b', 'a=b,c', 'é', '+', '%', '&', "!'()*~", '1')
const options = fc.record(
  {
    labelSelector: value,
    fieldSelector: value,
    resourceVersion: fc.constantFrom('', '0', '12'),
    resourceVersionMatch: fc.constantFrom('', 'Exact'),
    limit: fc.constantFrom(0, 500),
    continue: value,
    timeoutSeconds: fc.constantFrom(0, 60),
    watch: fc.boolean(),
    allowWatchBookmarks: fc.boolean(),
    sendInitialEvents: fc.boolean(),
  },
  { requiredKeys: [], noNullPrototype: true },
)
const uri = fc
  .tuple(path, fc.constantFrom('', '/'), fc.constantFrom('', '?limit=5', '?a=1&a=2&b=x%20y', '?a', '?a=b+c', '?'))
  .map(([p, slash, query]) => `/${encodeURI(p)}${slash}${query}`)
  // A server there must be a good one in Go.
  .filter((text) => !/^\/\/[^/?]/.test(text))
const step = fc.oneof<fc.Arbitrary<Step>[]>(
  one('resource'),
  one('name'),
  one('namespace'),
  fc.array(segment, { minLength: 1, maxLength: 3 }).map((args): Step => ({ method: 'subResource', args })),
  fc.array(path, { maxLength: 2 }).map((args): Step => ({ method: 'prefix', args })),
  fc.array(path, { minLength: 1, maxLength: 2 }).map((args): Step => ({ method: 'suffix', args })),
  fc
    .array(
      fc.tuple(path, fc.constantFrom('', '/')).map((p) => `/${p.join('')}`),
      { minLength: 1, maxLength: 2 },
    )
    .map((args): Step => ({ method: 'absPath', args })),
  uri.map((text): Step => ({ method: 'requestURI', args: [text] })),
  fc.tuple(value, value).map((args): Step => ({ method: 'param', args })),
  fc
    .constantFrom('30s', '1m', '1h', '1.5s', '250ms', '1h0m1s', '0s')
    .map((text): Step => ({ method: 'timeout', args: [text] })),
  options.map((options): Step => ({ method: 'listOptions', options })),
)
const usual = fc
  .tuple(word, word, word, fc.constantFrom('status', 'scale'), options)
  .map(([namespace, resource, name, subresource, list]): Step[] => [
    { method: 'namespace', args: [namespace] },
    { method: 'resource', args: [resource] },
    { method: 'name', args: [name] },
    { method: 'subResource', args: [subresource] },
    { method: 'listOptions', options: list },
  ])

const hosts = [
  ...['', 'localhost', 'localhost:8080', 'example.com', 'example.com/', 'example.com/a', '10.0.0.1', '10.0.0.1:6443'],
  ...['https://example.com', 'https://example.com/', 'https://example.com/a/b', 'https://example.com/a/?x=1#y'],
  ...['HTTPS://Example.com', 'https://', 'http:///', 'https:example.com', ':8080', 'example.com:'],
  ...['[::1]', '[::1]:6443', '::1', 'https://[::1]:6443/x', 'https://example.com:443', 'http://example.com:99999'],
  ...[
    'https://user:pw@example.com',
    'ex ample.com',
    'https://ex ample.com',
    'https://example.com/a b',
    'example.com?x',
  ],
  ...['example.com#x', 'https://example.com//a', 'a.b.c:1/', '//example.com', '/a', '\texample.com', 'localhost/.'],
  ...['https://example.com/%zz', 'https://example.com/%41', 'https://example.com/a\\b', 'https://example.com\\b'],
  ...['https://ex%61mple.com', 'example.com ', 'https://example.com/ ', 'https://example.com/%2e%2e/a'],
]

/** Hosts of which ours makes something else than Go does: `conformance/differences.md` says why. */
const hostDifferences: [host: string, go: string, ours: string | undefined][] = [
  ['https://example.com/a%2Fb', 'https://example.com/a/b/', 'https://example.com/a%2Fb/'],
  ['https://example.com/%41/', 'https://example.com/%41/', 'https://example.com/A/'],
  ['https://example.com/%ff', 'https://example.com/%FF/', undefined],
  ['https://example.com/a@b', 'https://example.com/a@b/', undefined],
  ['ftp://example.com', 'ftp://example.com/', undefined],
]

const requestDifferences: [steps: Step[], go: string, ours: string][] = [
  [[{ method: 'requestURI', args: ['/a%2Fb/c'] }], 'https://example.com/p/a/b/c', 'https://example.com/p/a%2Fb/c'],
  [
    [{ method: 'requestURI', args: ['/a?b=%zz&c=1'] }],
    'https://example.com/p/a?c=1',
    'https://example.com/p/a?b=%25zz&c=1',
  ],
  [[{ method: 'requestURI', args: ['/a?b=1;c=2'] }], 'https://example.com/p/a', 'https://example.com/p/a?b=1%3Bc%3D2'],
]

/** Steps whose answers are Go's although one would not think so. */
const oddRequests: [host: string, ...Step[]][] = [
  ['https://example.com', { method: 'prefix', args: ['/', '..'] }],
  ['https://example.com', { method: 'requestURI', args: ['//'] }],
  ['https://example.com', { method: 'requestURI', args: ['///a'] }],
  ['https://example.com', { method: 'requestURI', args: ['https://other/a?b=c#d'] }],
  ['https://example.com', { method: 'requestURI', args: ['a'] }],
  ['https://example.com', { method: 'requestURI', args: [''] }],
  ['https://example.com', { method: 'requestURI', args: ['?a=b'] }],
  ['https://example.com', { method: 'requestURI', args: ['/%41%2e'] }],
  ['https://example.com/a/b/', { method: 'absPath', args: ['/'] }],
  ['https://example.com/a/b/', { method: 'requestURI', args: ['/'] }],
  ['https://example.com', { method: 'requestURI', args: ['/a(b)'] }],
  ['https://example.com', { method: 'requestURI', args: ['/./'] }],
  ['https://example.com', { method: 'absPath', args: ['/web/'] }, { method: 'suffix', args: [''] }],
  ['https://example.com', { method: 'namespace', args: [''] }, { method: 'namespace', args: ['web'] }],
  ['https://example.com', { method: 'subResource', args: ['a'] }, { method: 'subResource', args: ['b', '', 'c'] }],
]

describeWithOracle('rest', (oracle) => {
  it.each(hostDifferences)('differs at the host %j as documented', async (host, go, ours) => {
    const server = { host, apiPath: '/api', group: '', version: 'v1', tls: true }
    expect(await oracle.ask('url.server', server)).toHaveProperty('result.base', go)
    const answer = answerOf(() => defaultServerURL(host, '/api').baseUrl.href)
    if (ours === undefined) expect(answer).toHaveProperty('error')
    else expect(answer).toEqual({ result: ours })
  })

  it.each(requestDifferences)('differs at a request of %j as documented', async (steps, go, ours) => {
    const answers = await answersTo(oracle, 'https://example.com/p', steps)
    expect(answers).toEqual({ go: { result: go }, ours: { result: ours } })
  })

  it.each(oddRequests)('builds the URL of a request to %j of %j as Go does', async (text, ...steps) => {
    await expectSameRequest(oracle, text, steps)
  })

  it.each(hosts)('makes a URL of the host %j', async (text) => {
    for (const tls of [true, false]) {
      await expectSameServer(oracle, { host: text, apiPath: '/api', group: '', version: 'v1', tls })
    }
  })

  it('makes a URL of any host as Go does', async () => {
    const name = fc.constantFrom('example.com', 'localhost', '10.0.0.1', '[::1]', 'a-b.c')
    const port = fc.constantFrom('', ':80', ':443', ':6443')
    const valid = fc.tuple(
      fc.constantFrom('', 'http://', 'https://'),
      name,
      port,
      fc.constantFrom('', '/', '/a', '/a/b/'),
    )
    const server = fc.record({
      host: mostlyValid(
        valid.map((parts) => parts.join('')),
        'ab.:/1\\ \t',
      ).filter((text) => /^[\t\x20-\x7e]*$/.test(text) && !text.includes('%')),
      apiPath: fc.constantFrom('', '/', 'api', '/api', '/apis/', '/a/../b', '//x'),
      group: fc.constantFrom('', 'apps', 'events.k8s.io'),
      version: fc.constantFrom('', 'v1'),
      tls: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(server, (server) => expectSameServer(oracle, server)),
      runs(1000),
    )
  })

  it('builds the URLs of usual requests as Go does', async () => {
    await fc.assert(
      fc.asyncProperty(host, usual, (host, steps) => expectSameRequest(oracle, host, steps)),
      runs(2000),
    )
  })

  it('builds the URL of any request as Go does', async () => {
    await fc.assert(
      fc.asyncProperty(host, fc.array(step, { maxLength: 6 }), (host, steps) => expectSameRequest(oracle, host, steps)),
      runs(4000),
    )
  })
})
