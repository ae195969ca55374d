import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { fakeTransport } from './fake-transport.test-support.js'
import {
  addUserAgent,
  anonymousClientConfig,
  Config,
  type ConfigOptions,
  copyConfig,
  defaultUserAgent,
  loadTLSFiles,
  noLogger,
} from './index.js'

const transport = fakeTransport()

const full = new Config({
  host: 'https://h',
  username: 'user',
  password: 'SECRET1',
  bearerToken: 'SECRET2',
  bearerTokenFile: '/token',
  impersonate: { userName: 'other', groups: ['g'], extra: { a: ['b'] } },
  execProvider: { command: 'plugin', apiVersion: 'v1', args: ['SECRET3'], env: [{ name: 'A', value: 'SECRET4' }] },
  tlsClientConfig: { serverName: 'n', caData: 'CA', certData: 'CERT', keyData: 'SECRET5', certFile: '/c' },
  proxyUrl: 'http://u:SECRET6@proxy:1/',
  qps: 1,
  transport,
  wrapTransport: (inner) => inner,
  logger: noLogger,
})

describe('Config', () => {
  it.each([
    ['JSON', JSON.stringify(full)],
    ['JSON, nested', JSON.stringify({ config: full })],
    ['inspect', inspect(full)],
    ['inspect, nested', inspect({ a: { config: full } }, { depth: 10 })],
    ['text', String(full)],
  ])('shows no secret: %s', (_name, text) => {
    expect(text).not.toContain('SECRET')
    expect(text).not.toContain('CERT')
  })

  it('shows the rest', () => {
    expect(JSON.parse(JSON.stringify(full))).toEqual({
      host: 'https://h',
      username: 'user',
      password: '--- REDACTED ---',
      bearerToken: '--- REDACTED ---',
      bearerTokenFile: '/token',
      impersonate: { userName: 'other', groups: ['g'], extra: { a: ['b'] } },
      execProvider: { command: 'plugin', apiVersion: 'v1', args: '--- REDACTED ---', env: '--- REDACTED ---' },
      tlsClientConfig: {
        serverName: 'n',
        caData: 'CA',
        certData: '--- TRUNCATED ---',
        keyData: '--- REDACTED ---',
        certFile: '/c',
      },
      disableCompression: false,
      proxyUrl: 'http://--- REDACTED ---@proxy:1/',
      qps: 1,
    })
    expect(inspect(full)).toMatch(/^Config \{/)
  })

  it('shows nothing of what is undefined', () => {
    const config = new Config({
      impersonate: { userName: 'a', uid: undefined },
      execProvider: { command: 'c', apiVersion: 'v1', installHint: undefined },
      tlsClientConfig: { caData: undefined, keyData: undefined },
    })
    expect(Object.keys(config.toJSON())).toEqual([
      ...['host', 'impersonate', 'execProvider', 'tlsClientConfig', 'disableCompression'],
    ])
    expect(inspect(config)).not.toContain('undefined')
  })

  it.each<[string, object]>([
    ['host of a Config must be a string, not a number', { host: 5 }],
    ['bearerToken of a Config must be a string, not a Promise', { bearerToken: Promise.resolve('t') }],
    ['disableCompression of a Config must be true or false, not a string', { disableCompression: 'false' }],
    ['dial of a Config must be a function, not an object', { dial: {} }],
    ['logger of a Config must be an object, not a function', { logger: () => {} }],
    ['tlsClientConfig of a Config must be an object, not a string', { tlsClientConfig: 'ca' }],
    [
      "tlsClientConfig.caData of a Config must be PEM text, such as readFileSync(file, 'utf8') gives, not a Buffer",
      { tlsClientConfig: { caData: Buffer.from('PEM') } },
    ],
  ])('says of what is of the wrong type: %s', (message, options) => {
    const refused = (): Config => new Config(options)
    expect(refused).toThrow(TypeError)
    expect(refused).toThrow(message)
  })

  it('takes null for absent', () => {
    expect(new Config({ host: null, tlsClientConfig: null } as never).host).toBe('localhost')
  })

  it('says when the options are none', () => {
    expect(() => new Config('https://h' as never)).toThrow(
      "the options of a Config must be an object such as { host: 'https://…' }, not a string",
    )
    expect(() => new Config(Promise.resolve({}) as never)).toThrow(
      'the options of a Config are a Promise: await it, as in new Clientset(await getConfig())',
    )
  })

  it.each<[string, ConfigOptions]>([
    ['qps', { qps: Number.NaN }],
    ['burst', { burst: Number.NaN }],
    ['burst', { burst: -1 }],
    ['burst', { burst: 0.5 }],
    ['burst', { qps: 5, burst: 0 }],
    ['timeout', { timeout: -1 }],
    ['timeout', { timeout: Number.NaN }],
    ['timeout', { timeout: Number.POSITIVE_INFINITY }],
    ['maxResponseBytes', { maxResponseBytes: -1 }],
    ['maxResponseBytes', { maxResponseBytes: 0 }],
    ['maxResponseBytes', { maxResponseBytes: Number.NaN }],
    ['verbosity', { verbosity: -1 }],
    ['verbosity', { verbosity: Number.NaN }],
    ['verbosity', { verbosity: '6' as never }],
  ])('refuses a %s that cannot be: %j', (field, options) => {
    const refused = (): Config => new Config(options)
    expect(refused).toThrow(RangeError)
    expect(refused).toThrow(`${field} of a Config must be `)
  })

  it.each<ConfigOptions>([
    { qps: 0, burst: 0 },
    { qps: -1, burst: 0 },
    { qps: Number.POSITIVE_INFINITY },
    { qps: 5, burst: undefined },
    { qps: 5, burst: 0, rateLimiter: { qps: 1, tryAccept: () => true, wait: async () => {} } },
    { timeout: 0, maxResponseBytes: Number.POSITIVE_INFINITY, verbosity: 0 },
  ])('takes %j', (options) => {
    expect(new Config(options)).toMatchObject(options)
  })

  it('cannot be changed, nor through what it was made of', () => {
    const groups = ['a']
    const config = new Config({ impersonate: { groups } })
    groups.push('b')
    expect(config.impersonate?.groups).toEqual(['a'])
    expect(() => Object.assign(config, { host: 'x' })).toThrow(TypeError)
    expect(() => Object.assign(config.tlsClientConfig, { insecure: true })).toThrow(TypeError)
    expect(() => (config.impersonate?.groups as string[]).push('c')).toThrow(TypeError)
  })

  it('is taken as it is, made from options otherwise', () => {
    expect(Config.from(full)).toBe(full)
    expect(Config.from({ host: 'x' }).host).toBe('x')
    expect(new Config().host).toBe('localhost')
  })

  it('is copied with changes', () => {
    const copy = copyConfig(full, { qps: 7, bearerToken: undefined })
    expect(copy).toMatchObject({ host: 'https://h', qps: 7, bearerToken: undefined, password: 'SECRET1' })
    expect(copy.transport).toBe(transport)
  })

  it('without credentials keeps the server and what is trusted', () => {
    const anonymous = anonymousClientConfig(full)
    expect(anonymous).toMatchObject({ host: 'https://h', qps: 1, tlsClientConfig: { serverName: 'n', caData: 'CA' } })
    for (const field of [
      'username',
      'password',
      'bearerToken',
      'bearerTokenFile',
      'impersonate',
      'execProvider',
      'transport',
      'wrapTransport',
    ] as const) {
      expect(anonymous[field]).toBeUndefined()
    }
    for (const field of ['certData', 'keyData', 'certFile'] as const)
      expect(anonymous.tlsClientConfig[field]).toBeUndefined()
  })

  it('loads its TLS files; data wins', () => {
    const directory = mkdtempSync(join(tmpdir(), 'kubewright-'))
    try {
      for (const name of ['ca', 'cert', 'key']) writeFileSync(join(directory, name), `${name} from file`)
      const [caFile, certFile, keyFile] = ['ca', 'cert', 'key'].map((name) => join(directory, name))
      const { tlsClientConfig } = loadTLSFiles({ tlsClientConfig: { caFile, certFile, keyFile, certData: 'data' } })
      expect(tlsClientConfig).toMatchObject({
        caData: 'ca from file',
        certData: 'data',
        keyData: 'key from file',
        caFile,
      })
      expect(() => loadTLSFiles({ tlsClientConfig: { caFile: join(directory, 'none') } })).toThrow('none')
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
})

describe('the user agent', () => {
  it.each([
    [{ platform: 'linux', arch: 'x64' }, 'linux/amd64'],
    [{ platform: 'darwin', arch: 'arm64' }, 'darwin/arm64'],
    [{ platform: 'win32', arch: 'ia32' }, 'windows/386'],
  ])('names the system in Go words: %j', (facts, system) => {
    expect(defaultUserAgent({ program: '/no/such/dir/my-controller.mjs', ...facts })).toMatch(
      new RegExp(`^my-controller/unknown \\(${system}\\) kubewright/[\\w.-]+$`),
    )
  })

  it('names the program and the version of its package', () => {
    const directory = mkdtempSync(join(tmpdir(), 'kubewright-'))
    try {
      writeFileSync(join(directory, 'package.json'), '{"version":"1.2.3"}')
      expect(defaultUserAgent({ program: join(directory, 'src/a (b).js') })).toMatch(/^ab\/1\.2\.3 \(/)
    } finally {
      rmSync(directory, { recursive: true })
    }
  })

  it.each([
    ['1.2.3', '1.2.3'],
    ['1.2.3-alpha4', '1.2.3-alpha4'],
    ['', 'unknown'],
  ])('has of the version %j all of it: %s', (version, expected) => {
    const directory = mkdtempSync(join(tmpdir(), 'kubewright-'))
    try {
      writeFileSync(join(directory, 'package.json'), JSON.stringify({ version }))
      expect(defaultUserAgent({ program: join(directory, 'beans') })).toMatch(`beans/${expected} (`)
    } finally {
      rmSync(directory, { recursive: true })
    }
  })

  it('is unknown where there is no program', () => {
    expect(defaultUserAgent({ program: '' })).toMatch(/^unknown\/unknown \(/)
  })

  it('takes a suffix', () => {
    expect(addUserAgent({}, 'leader-election').userAgent).toBe(`${defaultUserAgent()}/leader-election`)
  })
})
