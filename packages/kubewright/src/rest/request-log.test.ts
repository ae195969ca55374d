// What of requests is logged, at each level, with authentication as it is around the log.

import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/fake-clock.js'
import { fakeTransport } from './fake-transport.test-support.js'
import { Config, type ConfigOptions, type LogFields, restClientFor } from './index.js'
import { maskHeader } from './request-log.js'

interface Logged {
  lines: [level: string, message: string, fields: LogFields | undefined][]
  config: Config
}

/** A Config whose server takes 12 ms, and what its clients log. */
function logged(verbosity: number, options: ConfigOptions = {}, body = '{"a":1}'): Logged {
  const lines: Logged['lines'] = []
  const to = (level: string) => (message: string, fields?: LogFields) => lines.push([level, message, fields])
  const logger = { error: to('error'), warn: to('warn'), info: to('info'), debug: to('debug') }
  const clock = new FakeClock()
  const transport = fakeTransport(async () => {
    await clock.advance(12)
    return {
      headers: { 'set-cookie': ['a=SECRET', 'b=SECRET'], 'X-Not-Seen-Before': 'value' },
      body,
      timings: { reused: false, dnsMs: 1.4, connectMs: 2, tlsMs: 3, getConnectionMs: 7, firstByteMs: 4 },
    }
  })
  const shared = { host: 'https://u:SECRET@h', userAgent: 'me', qps: -1, clock, logger, verbosity, transport }
  const config = new Config({ ...shared, ...options })
  return { lines, config }
}

const get = (config: Config) => restClientFor(config, { group: '', version: 'v1' }).get().resource('nodes').do()
const url = 'https://h/api/v1/nodes'
const answerHeaders = {
  'content-type': 'application/json',
  'set-cookie': ['<masked>', '<masked>'],
  'x-not-seen-before': 'value',
}
const requestHeaders = { accept: 'application/json', authorization: 'Basic <masked>', 'user-agent': 'me' }

describe('the log of requests', () => {
  it.each([
    [0, []],
    [5, []],
    [6, [['Response', { verb: 'GET', url, status: '200 OK', milliseconds: 12 }]]],
    [
      7,
      [
        ['Request', { verb: 'GET', url, headers: requestHeaders }],
        ['Response', { status: '200 OK', milliseconds: 12 }],
      ],
    ],
    [
      8,
      [
        ['Request', { verb: 'GET', url, headers: requestHeaders }],
        ['Response', { status: '200 OK', headers: answerHeaders, milliseconds: 12 }],
        ['Response Body', { body: '{"a":1}' }],
      ],
    ],
    [
      9,
      [
        [
          'Request',
          {
            curlCommand:
              "curl -v -XGET -H 'accept: application/json' -H 'user-agent: me' -H 'authorization: Basic <masked>' " +
              "'https://h/api/v1/nodes'",
          },
        ],
        [
          'Response',
          {
            verb: 'GET',
            url,
            status: '200 OK',
            headers: answerHeaders,
            milliseconds: 12,
            dnsLookupMilliseconds: 1,
            dialMilliseconds: 2,
            tlsHandshakeMilliseconds: 3,
            serverProcessingMilliseconds: 4,
          },
        ],
        ['Response Body', { body: '{"a":1}' }],
      ],
    ],
  ])('at %i', async (verbosity, expected) => {
    const { config, lines } = logged(verbosity)
    await get(config)
    expect(lines).toEqual(expected.map(([message, fields]) => ['debug', message, fields]))
  })

  it('tells how long a connection that was there was waited for', async () => {
    const { config, lines } = logged(9)
    const transport = fakeTransport(() => ({
      status: 599,
      headers: { 'content-type': undefined },
      timings: { reused: true, getConnectionMs: 7 },
    }))
    const changed = new Config({ ...config, transport })
    await expect(get(changed)).rejects.toThrow('an error on the server')
    expect(lines[1]?.[2]).toEqual({
      verb: 'GET',
      url,
      status: '599',
      headers: {},
      milliseconds: 0,
      getConnectionMilliseconds: 7,
    })
  })

  it('tells of failures', async () => {
    const err = new Error('refused')
    const transport = { roundTrip: () => Promise.reject(err), close: async () => {} }
    const { config, lines } = logged(6, { transport })
    await expect(get(config)).rejects.toThrow('refused')
    expect(lines).toEqual([['debug', 'Response', { verb: 'GET', url, status: '', milliseconds: 0, error: err }]])
  })

  it.each([
    [8, 1024],
    [9, 10240],
    [10, 20009],
  ])('at %i shows %i bytes of bodies', async (verbosity, size) => {
    const { config, lines } = logged(verbosity, {}, JSON.stringify({ a: 'x'.repeat(20001) }))
    const client = restClientFor(config, { group: '', version: 'v1' })
    await client
      .post()
      .resource('nodes')
      .body({ a: 'y'.repeat(20001) })
      .do()
    for (const [title, letter] of [
      ['Request Body', 'y'],
      ['Response Body', 'x'],
    ] as const) {
      const shown = `{"a":"${letter.repeat(20001)}"}`.slice(0, size)
      const rest = 20009 - size
      const body = rest > 0 ? `${shown} [truncated ${rest} bytes]` : shown
      expect(lines).toContainEqual(['debug', title, { body }])
    }
  })

  it('shows what is no text as hexadecimal digits, and the body of a failure', async () => {
    const { config, lines } = logged(8, {}, '\u0000\u0001A')
    await expect(get(config)).rejects.toThrow('not valid JSON')
    expect(lines.at(-1)).toEqual(['debug', 'Response Body', { body: '000141' }])
  })

  it.each([
    '/api/v1/namespaces/d/secrets',
    '/api/v1/secrets',
    '/api/v1/namespaces/d/secrets/s',
    '/api/v1/namespaces/d/serviceaccounts/a/token',
    '/apis/authentication.k8s.io/v1/tokenreviews',
  ])('shows no body of %s', async (path) => {
    const { config, lines } = logged(10, {}, '{"data":"SECRET"}')
    await restClientFor(config, { group: '', version: 'v1' }).post().absPath(path).body({ data: 'SECRET' }).do()
    expect(JSON.stringify(lines)).not.toContain('SECRET')
    expect(lines.filter(([, , fields]) => fields?.body === '<masked>')).toHaveLength(2)
  })
})

describe('maskHeader', () => {
  it.each([
    ['Authorization', 'Bearer SECRET', 'Bearer <masked>'],
    ['authorization', 'basic SECRET', 'basic <masked>'],
    ['Authorization', 'basic', 'basic'],
    ['Authorization', 'Basic', 'Basic'],
    ['Authorization', 'Bearer', 'Bearer'],
    ['Authorization', 'bearer', 'bearer'],
    ['Authorization', 'bearer ', 'bearer'],
    ['Authorization', 'Negotiate SECRET', 'Negotiate <masked>'],
    ['Authorization', 'negotiate', 'negotiate'],
    ['ABC', 'Negotiate cn389ncoiwuencr', 'Negotiate cn389ncoiwuencr'],
    ['authorization', 'Negotiate', 'Negotiate'],
    ['authorization', 'Negotiate ', 'Negotiate'],
    ['authorization', 'Digest SECRET', '<masked>'],
    ['authorization', 'SECRET', '<masked>'],
    ['authorization', '', ''],
    ['proxy-authorization', 'Basic SECRET', 'Basic <masked>'],
    ['cookie', 'SECRET', '<masked>'],
    ['X-Auth-Token', 'SECRET', '<masked>'],
    ['x-api-key', 'SECRET', '<masked>'],
    ['impersonate-user', 'jane', 'jane'],
    [
      'sec-websocket-protocol',
      'v5.channel.k8s.io, base64url.bearer.authorization.k8s.io.SECRET',
      'v5.channel.k8s.io, base64url.bearer.authorization.k8s.io.<masked>',
    ],
  ])('%s: %s is shown as %s', (name, value, shown) => {
    expect(maskHeader(name, value)).toBe(shown)
  })
})
