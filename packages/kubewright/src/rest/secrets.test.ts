// No secret of a Config shows, however a Config, a client, an error or the log is printed.

import { Console } from 'node:console'
import { channel } from 'node:diagnostics_channel'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { format, inspect } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FakeClock } from '../clock/fake-clock.js'
import type { CallOptions } from '../meta/index.js'
import { fakeTransport } from './fake-transport.test-support.js'
import {
  addUserAgent,
  anonymousClientConfig,
  Config,
  type ConfigOptions,
  ConnectionError,
  copyConfig,
  type Logger,
  RESTClient,
  type Transport,
  transportFor,
} from './index.js'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'kubewright-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

/** In every secret. Escaping leaves it as it is; base64 makes one of three texts of its inner part. */
const mark = 'S3CR3TMARK'
const traces = [mark, ...['', 'x', 'xx'].map((before) => base64Core(before))]

/** The part of mark's base64 that does not depend on what surrounds it, `before.length` bytes off. */
function base64Core(before: string): string {
  const encoded = Buffer.from(before + mark).toString('base64')
  return encoded.slice(before === '' ? 0 : 4, Math.floor((before.length + mark.length) / 3) * 4)
}

const anything = fc.string({ unit: fc.constantFrom(...'aZ09 %/+:?#&=@"\'\\,;<>[]{}üß😀'), maxLength: 6 })
const secret = fc.tuple(anything, anything).map(([before, after]) => before + mark + after)

const inURL = (text: string): string => encodeURIComponent(text)

const optionsWithSecrets: fc.Arbitrary<ConfigOptions> = fc
  .record({
    who: fc.constantFrom('token', 'password', 'file', 'plugin', 'host', 'key', 'all'),
    secret,
    other: secret,
    raw: fc.boolean(),
    proxy: fc.boolean(),
  })
  .map(({ who, secret, other, raw, proxy }) => {
    const userInfo = `${inURL(other)}:${raw ? secret : inURL(secret)}`
    const file = join(directory, 'token')
    writeFileSync(file, secret)
    const all: Record<string, ConfigOptions> = {
      token: { bearerToken: secret },
      password: { username: 'user', password: secret },
      file: { bearerTokenFile: file },
      plugin: {
        execProvider: {
          command: 'no-such-plugin',
          apiVersion: 'client.authentication.k8s.io/v1',
          interactiveMode: 'Never',
          args: [secret, 'plain'],
          env: [{ name: 'TOKEN', value: other }],
        },
      },
      host: { host: `https://${userInfo}@127.0.0.1:1/base` },
      key: { tlsClientConfig: { certData: 'CERT', keyData: `-----BEGIN PRIVATE KEY-----\n${secret}\n` } },
    }
    return {
      ...(who === 'all' ? Object.assign({}, ...Object.values(all)) : all[who]),
      ...(proxy && { proxyUrl: `http://${userInfo}@127.0.0.1:1` }),
    }
  })

/** Every way to print a value. */
function* printed(value: unknown): Generator<string> {
  const nested = { list: [{ value }], map: new Map([['key', value]]), error: new Error('outer', { cause: value }) }
  for (const it of [value, nested]) {
    for (const options of [
      {},
      { showHidden: true, depth: Number.POSITIVE_INFINITY },
      { showHidden: true, depth: Number.POSITIVE_INFINITY, showProxy: true, getters: true },
      { showHidden: true, depth: Number.POSITIVE_INFINITY, customInspect: false },
      { depth: Number.POSITIVE_INFINITY, compact: false, colors: true },
    ]) {
      yield inspect(it, options)
    }
    yield format('%s %o %O', it, it, it)
    try {
      yield JSON.stringify(it) ?? ''
    } catch {
      // Refers to itself.
    }
    let text = ''
    const stdout = new Writable({
      write(chunk, _encoding, done) {
        text += chunk
        done()
      },
    })
    const console = new Console({ stdout })
    console.log(it)
    console.dir(it, { depth: 20 })
    yield text
  }
  yield String(value)
  yield inspect(value, { customInspect: false })
  if (value instanceof Error) yield `${value.message}\n${value.stack}\n${JSON.stringify(Object.entries(value))}`
}

function expectNoSecret(value: unknown): void {
  for (const text of printed(value)) {
    for (const trace of traces) {
      if (text.includes(trace)) expect.fail(`a secret shows: …${text.slice(Math.max(0, text.indexOf(trace) - 300))}`)
    }
  }
}

/** What goes wrong, by what the server or the network does. */
const failures: Record<
  string,
  Partial<{ status: number; body: string; error: Error; type: string; silent: boolean }>
> = {
  ok: { status: 200, body: '{"kind":"List","items":[]}' },
  unauthorized: { status: 401, body: '{"kind":"Status","apiVersion":"v1","status":"Failure","code":401}' },
  forbidden: { status: 403, body: 'no', type: 'text/plain' },
  conflict: { status: 409, body: '{}' },
  html: { status: 502, body: '<html><title>Bad</title>', type: 'text/html' },
  overloaded: { status: 429, body: '' },
  notJSON: { status: 200, body: '{"a":' },
  otherType: { status: 200, body: 'a: 1', type: 'application/yaml' },
  lost: { error: new ConnectionError({ method: 'GET', url: 'https://h', reason: 'lost', message: 'gone' }) },
  refused: { error: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }) },
  silent: { silent: true },
}

function failing(how: string, clock: FakeClock): Transport {
  const { status = 200, body = '', error, type = 'application/json', silent } = failures[how] ?? {}
  let moved: Promise<void> = Promise.resolve()
  // Without what it was sent, which is printed with it.
  const { roundTrip, close } = fakeTransport(() => {
    if (silent) moved = moved.then(() => clock.advance(60_000))
    if (error || silent) return error ?? 'silence'
    return { status, headers: { 'content-type': type, 'set-cookie': mark, 'x-auth-token': mark }, body }
  })
  return { roundTrip, close }
}

/** Makes all kinds of calls, and gives what they give and throw. */
async function* outcomes(client: RESTClient): AsyncGenerator<unknown> {
  const request = () => client.get().namespace('default').resource('pods').maxRetries(0).timeout(1000)
  const calls: ((options: CallOptions) => Promise<unknown>)[] = [
    (options) => request().do(options),
    (options) => request().doRaw(options),
    (options) =>
      client.post().namespace('default').resource('pods').body({ a: 1 }).maxRetries(0).timeout(1).do(options),
    (options) => request().stream(options),
    async (options) => {
      const watch = await request().watch(options)
      for await (const event of watch) return event
      return watch
    },
    () => request().do({ signal: AbortSignal.abort() }),
    () => client.get().name('').do(),
    () => client.get().name('a/b').do(),
  ]
  yield request()
  yield request().url()
  for (const call of calls) {
    yield await call({}).catch((err: unknown) => err)
  }
}

/** Runs `make`, which may refuse. */
function attempt<T>(make: () => T): T | Error {
  try {
    return make()
  } catch (err) {
    return err as Error
  }
}

it('looks for what it should find', () => {
  for (const before of ['', 'a', 'ab', 'abc']) {
    const encoded = Buffer.from(`${before}${mark}&`).toString('base64')
    expect(traces.some((trace) => encoded.includes(trace))).toBe(true)
  }
  expect(() => expectNoSecret(new Config({ userAgent: mark }))).toThrow('a secret shows')
  expect(() =>
    expectNoSecret(new Error('x', { cause: { token: Buffer.from(`x${mark}`).toString('base64') } })),
  ).toThrow()
})

it('shows in nothing made of a Config, over all failures, levels of the log and ways to print', async () => {
  const seen: unknown[] = []
  const onEvent = (event: unknown): void => void seen.push(event)
  const channels = ['start', 'throttle', 'attempt', 'end', 'error'].map((name) =>
    channel(`kubewright:rest:request:${name}`),
  )
  for (const channel of channels) channel.subscribe(onEvent)
  try {
    await fc.assert(
      fc.asyncProperty(
        optionsWithSecrets,
        fc.constantFrom(...Object.keys(failures)),
        fc.constantFrom(6, 7, 8, 9, 10),
        async (options, how, verbosity) => {
          seen.length = 0
          const lines: unknown[] = []
          const tell = (...line: unknown[]): void => void lines.push(line)
          const logger: Logger = { error: tell, warn: tell, info: tell, debug: tell }
          const clock = new FakeClock()
          // A transport of one's own goes without TLS settings and a plugin.
          const own = options.tlsClientConfig === undefined && options.execProvider === undefined
          const config = new Config({
            host: 'https://127.0.0.1:1',
            qps: -1,
            logger,
            verbosity,
            ...(own && { clock, transport: failing(how, clock) }),
            ...options,
          })
          for (const copy of [
            config,
            copyConfig(config, { timeout: 5 }),
            copyConfig({ ...config }),
            addUserAgent(config, 'me'),
            anonymousClientConfig(config),
            config.execProvider,
            config.tlsClientConfig,
          ]) {
            expectNoSecret(copy)
          }
          const client = attempt(() => new RESTClient({ config, groupVersion: { group: '', version: 'v1' } }))
          expectNoSecret(client)
          if (client instanceof Error) return
          expectNoSecret(transportFor(config))
          for await (const outcome of outcomes(client)) expectNoSecret(outcome)
          expectNoSecret(lines)
          expectNoSecret(seen)
          await transportFor(config).close()
        },
      ),
      { numRuns: 60 },
    )
  } finally {
    for (const channel of channels) channel.unsubscribe(onEvent)
  }
}, 60_000)

it.each<[string, ConfigOptions]>([
  ['a token that no header can hold', { bearerToken: `${mark}\n${mark}ü` }],
  ['a password that no header can hold', { username: '\n', password: mark }],
  ['credentials in the host', { host: `http://u:${mark}@127.0.0.1:1` }],
  ['a proxy that is not there', { host: 'https://h', proxyUrl: `http://u:${mark}@127.0.0.1:1` }],
  ['a proxy that is not there, for http', { host: 'http://h', proxyUrl: `http://u:${mark}@127.0.0.1:1` }],
  ['a proxy that is none', { proxyUrl: `nonsense://u:${mark}@127.0.0.1:1` }],
  ['a proxy that cannot be understood', { proxyUrl: `http://u:${mark}@` }],
  ['a key that is none', { tlsClientConfig: { certData: 'CERT', keyData: mark } }],
  ['a file that is not there', { bearerTokenFile: '/no/such/file', password: mark }],
])('shows not with %s, on the network', async (_name, options) => {
  const lines: unknown[] = []
  const tell = (...line: unknown[]): void => void lines.push(line)
  const logger: Logger = { error: tell, warn: tell, info: tell, debug: tell }
  const config = new Config({
    host: 'http://127.0.0.1:1',
    qps: -1,
    logger,
    verbosity: 10,
    ...options,
  })
  expectNoSecret(config)
  const client = attempt(() => new RESTClient({ config, groupVersion: { group: '', version: 'v1' } }))
  expectNoSecret(client)
  if (client instanceof RESTClient) {
    const err = await client
      .get()
      .maxRetries(0)
      .do()
      .catch((err: unknown) => err)
    expect(err).toBeInstanceOf(Error)
    expectNoSecret(err)
    expectNoSecret(transportFor(config))
    await transportFor(config).close()
  }
  expectNoSecret(lines)
})

it('shows not when a host cannot be understood', () => {
  for (const host of [
    `ftp://u:${mark}@h`,
    `https://u:${mark}/x@h`,
    `u:${mark}@h/path`,
    `u:${mark}@`,
    `https://u:${mark}@`,
  ]) {
    const config = new Config({ host })
    expectNoSecret(config)
    expectNoSecret(attempt(() => new RESTClient({ config })))
  }
})

it('is there for those who read it, copy it or take it apart', () => {
  const options = {
    host: 'https://u:p@h',
    password: 'a',
    bearerToken: 'b',
    proxyUrl: 'http://u:p@proxy',
    execProvider: { command: 'c', apiVersion: 'v1', args: ['d'], env: [{ name: 'E', value: 'f' }] },
    tlsClientConfig: { keyData: 'g', caData: 'h' },
  }
  const config = new Config(options)
  expect(config).toMatchObject(options)
  expect({ ...config }).toMatchObject(options)
  expect(structuredClone({ ...config.execProvider })).toEqual(options.execProvider)
  expect(new Config({ ...config, qps: 3 })).toMatchObject({ ...options, qps: 3 })
  const { bearerToken, tlsClientConfig: _, ...rest } = config
  expect(bearerToken).toBe('b')
  expect(new Config(rest)).toMatchObject({ password: 'a', bearerToken: undefined, tlsClientConfig: {} })
  expect(() => Object.assign(config, { password: 'x' })).toThrow(TypeError)
  expect(() => Object.assign(config.execProvider ?? {}, { env: [] })).toThrow(TypeError)
  expect(() => Object.assign(config.execProvider?.env?.[0] ?? {}, { value: '' })).toThrow(TypeError)
})
