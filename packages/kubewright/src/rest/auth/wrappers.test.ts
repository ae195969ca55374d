// Who requests come from, by Config, seen from inside the innermost transport.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../../clock/fake-clock.js'
import { fakeTransport, inTurn } from '../fake-transport.test-support.js'
import { Config, type ConfigOptions, noLogger, type TransportRequest, transportFor } from '../index.js'

let directory: string
let tokenFile: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'kubewright-'))
  tokenFile = join(directory, 'token')
})
afterEach(() => rmSync(directory, { recursive: true }))

interface Seen {
  send: (headers?: TransportRequest['headers'], url?: string) => Promise<TransportRequest>
}

function client(options: ConfigOptions, statuses: readonly number[] = [200]): Seen {
  const transport = fakeTransport(inTurn(...statuses.map((status) => ({ status }))))
  const outer = transportFor(new Config({ transport, userAgent: 'test', logger: noLogger, ...options }))
  return {
    async send(headers = {}, url = 'http://h/') {
      await outer.roundTrip({ method: 'GET', url: new URL(url), headers })
      return transport.sent.at(-1) as TransportRequest
    },
  }
}

const headersOf = async (options: ConfigOptions, own: TransportRequest['headers'] = {}): Promise<object> =>
  (await client(options).send(own)).headers

describe('credentials', () => {
  it.each<[string, ConfigOptions, TransportRequest['headers'], object]>([
    ['none', {}, {}, { 'user-agent': 'test' }],
    ['a bearer token', { bearerToken: 'abc' }, {}, { authorization: 'Bearer abc', 'user-agent': 'test' }],
    [
      'a bearer token with a newline',
      { bearerToken: 'abc\n' },
      {},
      { authorization: 'Bearer abc', 'user-agent': 'test' },
    ],
    [
      'name and password',
      { username: 'ü', password: 'p:w' },
      {},
      { authorization: 'Basic w7w6cDp3', 'user-agent': 'test' },
    ],
    [
      'a name without a password',
      { username: 'user' },
      {},
      { authorization: `Basic ${Buffer.from('user:').toString('base64')}`, 'user-agent': 'test' },
    ],
    [
      'an authorization of its own',
      { bearerToken: 'abc' },
      { authorization: 'x' },
      { authorization: 'x', 'user-agent': 'test' },
    ],
    ['a user agent of its own', {}, { 'user-agent': 'own' }, { 'user-agent': 'own' }],
  ])('%s', async (_name, options, own, expected) => {
    expect(await headersOf(options, own)).toEqual(expected)
  })

  it('in the URL count when there are no others, and leave the URL', async () => {
    const url = 'http://u%40:p@h/'
    const plain = await client({}).send({}, url)
    expect(plain.url.href).toBe('http://h/')
    expect(plain.headers.authorization).toBe(`Basic ${Buffer.from('u@:p').toString('base64')}`)
    expect((await client({ bearerToken: 't' }).send({}, url)).headers.authorization).toBe('Bearer t')
  })

  it.each(['http://u:p%ss@h/', 'http://p%ss:p@h/'])(
    'in the URL that are wrongly escaped are told, and not shown: %s',
    async (url) => {
      const err = await client({})
        .send({}, url)
        .catch((err: Error) => err)
      expect(err).toMatchObject({ message: expect.stringMatching(/^host has a % in its user name or password/) })
      expect(String((err as Error).stack)).not.toContain('p%ss')
    },
  )

  it.each<[ConfigOptions, string]>([
    [{ username: 'a', bearerToken: 'b' }, 'username/password or bearer token may be set, but not both'],
    [{ username: 'a', bearerTokenFile: '/b' }, 'username/password or bearer token may be set, but not both'],
    [{ bearerTokenFile: '/no/such/file' }, 'cannot read the bearer token: '],
    [{ execProvider: { command: 'aws', apiVersion: 'v1' } }, 'exec plugin: invalid apiVersion "v1"'],
    [
      { tlsClientConfig: { insecure: true } },
      'using a custom transport with TLS certificate options or the insecure flag is not allowed',
    ],
  ])('refuses %j', (options, message) => {
    expect(() => client(options)).toThrow(message)
  })
})

describe('a token file', () => {
  it('is read again after about a minute; the old token is kept while that fails', async () => {
    writeFileSync(tokenFile, ' one\n')
    const clock = new FakeClock()
    const errors: string[] = []
    const logger = { ...noLogger, error: (line: string) => void errors.push(line) }
    const { send } = client({ bearerTokenFile: tokenFile, clock, logger })
    const token = async (): Promise<unknown> => (await send()).headers.authorization
    expect(await token()).toBe('Bearer one')
    writeFileSync(tokenFile, 'two')
    await clock.advance(49_000)
    expect(await token()).toBe('Bearer one')
    await clock.advance(1000)
    expect(await token()).toBe('Bearer two')
    writeFileSync(tokenFile, '\n')
    await clock.advance(50_000)
    expect(await token()).toBe('Bearer two')
    expect(errors).toHaveLength(1)
    expect(errors[0]).toContain('read empty token from file')
    rmSync(tokenFile)
    expect(await token()).toBe('Bearer two')
    writeFileSync(tokenFile, 'three')
    expect(await token()).toBe('Bearer three')
  })

  it('is read again after a 401, for the next request', async () => {
    writeFileSync(tokenFile, 'one')
    const { send } = client({ bearerTokenFile: tokenFile, clock: new FakeClock() }, [401, 200])
    writeFileSync(tokenFile, 'two')
    expect((await send()).headers.authorization).toBe('Bearer one')
    expect((await send()).headers.authorization).toBe('Bearer two')
  })

  it('wins over a static token while it can be read', async () => {
    const options = { bearerToken: 'static\n', bearerTokenFile: tokenFile, clock: new FakeClock() }
    const { send } = client(options)
    expect((await send()).headers.authorization).toBe('Bearer static')
    writeFileSync(tokenFile, 'file')
    expect((await send()).headers.authorization).toBe('Bearer file')
  })

  it('gives way to an authorization of the request', async () => {
    writeFileSync(tokenFile, 'one')
    expect((await client({ bearerTokenFile: tokenFile }).send({ authorization: 'x' })).headers.authorization).toBe('x')
  })
})

describe('impersonation', () => {
  const impersonate = {
    userName: 'jane',
    uid: 'u1',
    groups: ['a', 'b'],
    extra: { 'example.com/a%b': ['1', '2'], Größe: ['x'], 'to-ken': ['y'], empty: [] },
  }

  it('sets user, uid, repeated groups and escaped extra keys', async () => {
    expect(await headersOf({ impersonate })).toEqual({
      'user-agent': 'test',
      'impersonate-user': 'jane',
      'impersonate-uid': 'u1',
      'impersonate-group': ['a', 'b'],
      'impersonate-extra-example.com%2fa%25b': ['1', '2'],
      'impersonate-extra-gr%c3%b6%c3%9fe': ['x'],
      'impersonate-extra-to-ken': ['y'],
    })
  })

  it.each<[ConfigOptions['impersonate'], object]>([
    [
      { userName: 'user', groups: ['one', 'two'], extra: { first: ['A', 'a'], second: ['B', 'b'] } },
      {
        'impersonate-user': 'user',
        'impersonate-group': ['one', 'two'],
        'impersonate-extra-first': ['A', 'a'],
        'impersonate-extra-second': ['B', 'b'],
      },
    ],
    [
      { userName: 'user', uid: 'uid-a' },
      { 'impersonate-user': 'user', 'impersonate-uid': 'uid-a' },
    ],
    [
      { userName: 'user', extra: { 'test.example.com/thing.thing%20another.thing': ['A', 'a'] } },
      {
        'impersonate-user': 'user',
        'impersonate-extra-test.example.com%2fthing.thing%2520another.thing': ['A', 'a'],
      },
    ],
  ])('sets for %j nothing else', async (impersonate, expected) => {
    expect(await headersOf({ impersonate })).toEqual({ 'user-agent': 'test', ...expected })
  })

  it.each([
    'alphabetical',
    'alph4num3r1c',
    'percent%20encoded',
    'almost%zzpercent%xxencoded',
    'example.com/percent%20encoded',
    'example.com/ᛒᚥᛏᛖᚥᚢとロビン',
    "abc123!#$+.-_*\\^`~|'",
    '@=:',
  ])('writes the extra key %s so that it can be read again', async (key) => {
    const headers = await headersOf({ impersonate: { userName: 'user', extra: { [key]: ['a'] } } })
    const written = Object.keys(headers).find((name) => name.startsWith('impersonate-extra-'))
    expect(written).toMatch(/^[!#$%&'*+.^_`|~0-9a-z-]+$/)
    expect(decodeURIComponent(written?.slice('impersonate-extra-'.length) ?? '')).toBe(key)
  })

  it('leaves requests alone that impersonate themselves', async () => {
    const own = { 'impersonate-user': 'joe' }
    expect(await headersOf({ impersonate }, own)).toEqual({ ...own, 'user-agent': 'test' })
  })

  it('sends an empty user with groups only, and nothing when all is empty', async () => {
    expect(await headersOf({ impersonate: { groups: ['g'] } })).toMatchObject({
      'impersonate-user': '',
      'impersonate-group': ['g'],
    })
    expect(await headersOf({ impersonate: { groups: [], extra: {} } })).toEqual({ 'user-agent': 'test' })
  })
})

it("the Config's wrapper sees the headers as they are sent", async () => {
  const seen: TransportRequest[] = []
  await client({
    bearerToken: 't',
    impersonate: { userName: 'jane' },
    wrapTransport: (inner) => ({
      close: () => inner.close(),
      roundTrip: (request) => {
        seen.push(request)
        return inner.roundTrip(request)
      },
    }),
  }).send()
  expect(seen[0]?.headers).toEqual({ authorization: 'Bearer t', 'user-agent': 'test', 'impersonate-user': 'jane' })
})

it('clients of one Config share a transport; a copy has its own', () => {
  const config = new Config({})
  expect(transportFor(config)).toBe(transportFor(config))
  expect(transportFor(new Config({ ...config }))).not.toBe(transportFor(config))
})
