import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { DirectClientConfig, restConfigFromKubeConfig } from './direct-client-config.js'
import { isConfigurationInvalid, isContextNotFound, isEmptyConfig } from './errors.js'
import type { ConfigOverrides } from './overrides.js'
import { directoryWith, failure } from './testdata/files.mjs'
import { type AuthInfo, type Cluster, newKubeConfig } from './types.js'

const base64 = (text: string) => Buffer.from(text).toString('base64')

function clean({ cluster, user = { token: 'the-token' } }: { cluster?: Cluster; user?: AuthInfo } = {}) {
  return newKubeConfig({
    clusters: new Map([['clean', { server: 'https://anything.com:8080', ...cluster }]]),
    users: new Map([['clean', user]]),
    contexts: new Map([['clean', { cluster: 'clean', user: 'clean' }]]),
    currentContext: 'clean',
  })
}

const configOf = (config = clean(), overrides: ConfigOverrides = {}, contextName = 'clean') =>
  new DirectClientConfig(config, { contextName, overrides }).clientConfig()

describe('clientConfig', () => {
  it('is the context: server, user, and nothing else', async () => {
    const config = await configOf()
    expect(config).toMatchObject({ host: 'https://anything.com:8080', bearerToken: 'the-token', tlsClientConfig: {} })
    expect(config.apiPath).toBeUndefined()
    expect(config.impersonate).toBeUndefined()
  })

  it.each([
    ['https://anything.com:8080/foo/bar', 'https://anything.com:8080/foo/bar'],
    ['http://anything.com:8080/foo/bar', 'http://anything.com:8080/foo/bar'],
    ['http://anything.com:8080/foo/bar/', 'http://anything.com:8080/foo/bar/'],
    ['http://anything.com:8080/', 'http://anything.com:8080/'],
    ['http://anything.com:8080//', 'http://anything.com:8080//'],
    ['https://anything.com/foo?a=b', 'https://anything.com/foo'],
    ['https://anything.com?a=b', 'https://anything.com?a=b'],
    ['anything.com:8080/foo/bar', 'anything.com:8080/foo/bar'],
    ['anything.com:8080', 'anything.com:8080'],
    ['anything.com', 'anything.com'],
    ['anything', 'anything'],
    ['', 'http://localhost:8080'],
  ])('server %j gives host %j', async (server, host) => {
    const overrides = { clusterDefaults: { server: 'http://localhost:8080' } }
    expect((await configOf(clean({ cluster: { server } }), overrides)).host).toBe(host)
  })

  it.each(['http://a:1', 'a', 'a:1', 'https:/a', 'anything.com:8080/foo'])(
    'sends no credentials and trusts nothing for the server %s',
    async (server) => {
      const cluster = { server, 'insecure-skip-tls-verify': true, 'tls-server-name': 'x' }
      const config = await configOf(clean({ cluster, user: { token: 't', as: 'alice' } }))
      expect(config.bearerToken).toBeUndefined()
      expect(config.tlsClientConfig).toEqual({})
      expect(config.impersonate?.userName).toBe('alice')
    },
  )

  it('decodes certificates', async () => {
    const cluster = { 'certificate-authority-data': base64('ca-data') }
    const user = { 'client-certificate-data': base64('cert-data'), 'client-key-data': base64('key-data') }
    const config = await configOf(clean({ cluster, user }))
    expect(config.tlsClientConfig).toEqual({ caData: 'ca-data', certData: 'cert-data', keyData: 'key-data' })
  })

  it('drops a key without a certificate', async () => {
    expect((await configOf(clean({ user: { 'client-key-data': base64('key') } }))).tlsClientConfig).toEqual({})
  })

  it('takes user name and password', async () => {
    const config = await configOf(clean({ user: { username: 'myuser', password: 'mypass' } }))
    expect(config).toMatchObject({ username: 'myuser', password: 'mypass' })
  })

  it('reads a token file, unless there is a token', async () => {
    const tokenFile = join(directoryWith({ token: 'exampletoken' }), 'token')
    expect(await configOf(clean({ user: { tokenFile } }))).toMatchObject({
      bearerToken: 'exampletoken',
      bearerTokenFile: tokenFile,
    })
    const both = await configOf(clean({ user: { tokenFile, token: 'expected' } }))
    expect(both).toMatchObject({ bearerToken: 'expected', bearerTokenFile: tokenFile })
    const unread = await configOf(clean({ user: { tokenFile: '/missing', token: 'expected' } }))
    expect(unread.bearerToken).toBe('expected')
  })

  it('fails on a token file that cannot be read', async () => {
    const err = await failure(configOf(clean({ user: { tokenFile: '/missing/token' } })))
    expect(err.message).toBe('unable to read tokenFile: open /missing/token: no such file or directory')
  })

  it('acts as somebody else', async () => {
    const user = {
      as: 'alice',
      'as-uid': 'abc123',
      'as-groups': ['group-1'],
      'as-user-extra': { 'some-key': ['some-value'] },
    }
    const config = await configOf(clean({ user }), { clusterInfo: { server: 'http://something' } })
    expect(config.impersonate).toEqual({
      userName: 'alice',
      uid: 'abc123',
      groups: ['group-1'],
      extra: { 'some-key': ['some-value'] },
    })
  })

  it('takes proxy and compression', async () => {
    const cluster = { 'proxy-url': 'socks5://example.com', 'disable-compression': true }
    expect(await configOf(clean({ cluster }))).toMatchObject({
      proxyUrl: 'socks5://example.com',
      disableCompression: true,
    })
  })

  it.each([
    ['', undefined],
    ['socks5://example.com', 'socks5://example.com'],
    ['https://example.com', 'https://example.com'],
    ['http://example.com', 'http://example.com'],
    ['socks6://example.com', Error],
    ['example.com', Error],
    ['chewbacca@example.com', Error],
  ])('of the proxy %j makes %s', async (proxyUrl, expected) => {
    const config = configOf(clean({ cluster: { server: 'https://localhost:8443', 'proxy-url': proxyUrl }, user: {} }))
    if (expected === Error) await expect(config).rejects.toThrow("invalid 'proxy-url'")
    else expect((await config).proxyUrl).toBe(expected)
  })

  it.each([
    ['30', 30_000],
    ['0', 0],
    ['1m30s', 90_000],
    ['1.5h', 5_400_000],
    ['250ms', 250],
  ])('takes the timeout %s', async (timeout, ms) => {
    expect((await configOf(clean(), { timeout })).timeout).toBe(ms)
  })

  it.each(['soon', '1 s', '1x', 's', '1s2', '-'])('refuses the timeout %s', async (timeout) => {
    expect((await failure(configOf(clean(), { timeout }))).message).toContain(`invalid timeout "${timeout}"`)
  })

  it('carries an exec plugin with the cluster’s data for it, and cleans its hint', async () => {
    const cluster = {
      extensions: [
        { name: 'other', extension: 1 },
        { name: 'client.authentication.k8s.io/exec', extension: { audience: 'foo', other: 'bar' } },
      ],
    }
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: 'some-command',
      args: ['arg-1', 'arg-2'],
      env: [{ name: 'A', value: 'b' }],
      installHint: 'some install hint with \x1b[1mcontrol chars\x1b[0m\nand a newline',
      interactiveMode: 'Never',
      provideClusterInfo: true,
    }
    const config = await configOf(clean({ cluster, user: { exec } }))
    expect(config.execProvider).toEqual({
      ...exec,
      installHint: 'some install hint with U+001B[1mcontrol charsU+001B[0m\nand a newline',
      config: { audience: 'foo', other: 'bar' },
    })
  })

  it.each([
    ['gcp', 'gke-gcloud-auth-plugin'],
    ['azure', 'kubelogin'],
    ['mystery', 'no Auth Provider found for name "mystery"'],
    ['constructor', 'no Auth Provider found for name "constructor"'],
  ])('refuses the auth-provider %s', async (name, part) => {
    const user = { 'auth-provider': { name, config: { secret: 's3cr3t' } } }
    const err = await failure(configOf(clean({ user })))
    expect(err).toMatchObject({ name: 'UnsupportedAuthProviderError', provider: name })
    expect(err.message).toContain(part)
    expect(inspect(err)).not.toContain('s3cr3t')
  })
})

describe('which context', () => {
  const two = () => {
    const config = clean()
    config.clusters.set('other', { server: 'https://other' })
    config.users.set('other', { token: 'other-token' })
    config.contexts.set('other', { cluster: 'other', user: 'other', namespace: 'other-ns' })
    return config
  }

  it('an override, else the given one, else the current one', async () => {
    expect((await configOf(two(), { currentContext: 'clean' }, 'other')).host).toBe('https://anything.com:8080')
    expect((await configOf(two(), {}, 'other')).host).toBe('https://other')
    expect((await configOf(two(), {}, '')).host).toBe('https://anything.com:8080')
  })

  it('with another cluster or user', async () => {
    const config = await configOf(two(), { context: { cluster: 'other', user: 'clean' } })
    expect(config).toMatchObject({ host: 'https://other', bearerToken: 'the-token' })
  })

  it.each<[string, ConfigOverrides, string]>([
    ['context', { currentContext: 'x' }, 'context "x" does not exist'],
    ['cluster', { context: { cluster: 'x' } }, 'cluster "x" does not exist'],
    ['user', { context: { user: 'x' } }, 'auth info "x" does not exist'],
  ])('an override may not name a missing %s', async (_name, overrides, message) => {
    expect((await failure(configOf(two(), overrides))).message).toBe(message)
  })

  it('a missing one is told, with and without defaults', async () => {
    for (const overrides of [{}, { clusterDefaults: { server: 'http://localhost:8080' } }]) {
      const err = await failure(configOf(two(), overrides, 'not-present'))
      expect(err.message).toContain('context was not found for specified context: not-present')
      expect(isContextNotFound(err)).toBe(true)
      expect(isConfigurationInvalid(err)).toBe(true)
    }
  })

  it('a missing user is nobody', async () => {
    const config = clean()
    config.users.clear()
    expect((await configOf(config)).bearerToken).toBeUndefined()
  })

  it('without a server there is no configuration', async () => {
    expect(isEmptyConfig(await failure(configOf(newKubeConfig(), {}, '')))).toBe(true)
    expect((await configOf(newKubeConfig(), { clusterInfo: { server: 'https://given' } }, '')).host).toBe(
      'https://given',
    )
  })
})

describe('overrides', () => {
  const data = base64('of the kubeconfig')

  it('insecure clears the CA', async () => {
    const cluster = { 'certificate-authority-data': data }
    const config = await configOf(clean({ cluster }), { clusterInfo: { 'insecure-skip-tls-verify': true } })
    expect(config.tlsClientConfig).toEqual({ insecure: true })
  })

  it('a CA file replaces CA data and insecure', async () => {
    const ca = join(directoryWith({ ca: '' }), 'ca')
    const cluster = { 'certificate-authority-data': data, 'insecure-skip-tls-verify': true }
    const config = await configOf(clean({ cluster }), { clusterInfo: { 'certificate-authority': ca } })
    expect(config.tlsClientConfig).toEqual({ caFile: ca })
  })

  it.each([
    [{ 'tls-server-name': 'overridden' }, 'overridden'],
    [{ server: 'https://something' }, undefined],
    [{ server: 'https://something', 'tls-server-name': 'overridden' }, 'overridden'],
    [{ 'disable-compression': true }, 'of-kubeconfig'],
  ])('%j gives the server name %s', async (clusterInfo, expected) => {
    const cluster = { 'tls-server-name': 'of-kubeconfig' }
    expect((await configOf(clean({ cluster }), { clusterInfo })).tlsClientConfig.serverName).toBe(expected)
  })

  it('client certificates replace those of the kubeconfig, files data and data files', async () => {
    const directory = directoryWith({ cert: '', key: '' })
    const files = { 'client-certificate': join(directory, 'cert'), 'client-key': join(directory, 'key') }
    const inline = { 'client-certificate-data': base64('c'), 'client-key-data': base64('k') }
    expect((await configOf(clean({ user: inline }), { authInfo: files })).tlsClientConfig).toEqual({
      certFile: files['client-certificate'],
      keyFile: files['client-key'],
    })
    expect((await configOf(clean({ user: files }), { authInfo: inline })).tlsClientConfig).toEqual({
      certData: 'c',
      keyData: 'k',
    })
  })

  it('cannot clear', async () => {
    const cluster = { 'disable-compression': true }
    expect(
      (await configOf(clean({ cluster }), { clusterInfo: { 'disable-compression': false } })).disableCompression,
    ).toBe(true)
  })

  it('are all in mergedRawConfig, which leaves the kubeconfig alone', async () => {
    const config = clean()
    config.clusters.set('modify', { server: 'https://anything.com:8080' })
    config.users.set('modify', { token: 'the-token' })
    config.contexts.set('modify', { cluster: 'modify', user: 'modify', namespace: 'modify' })
    const before = structuredClone(config)
    const merged = await new DirectClientConfig(config, {
      overrides: {
        clusterInfo: { server: 'http://localhost:8081' },
        context: { namespace: 'foobar', cluster: 'modify', user: 'modify' },
        authInfo: { token: 'modified-token' },
        currentContext: 'modify',
      },
    }).mergedRawConfig()
    expect(merged.currentContext).toBe('modify')
    expect(merged.clusters.get('modify')).toEqual({ server: 'http://localhost:8081' })
    expect(merged.users.get('modify')).toEqual({ token: 'modified-token' })
    expect(merged.contexts.get('modify')?.namespace).toBe('foobar')
    expect(merged.clusters.get('clean')).toEqual(config.clusters.get('clean'))
    expect(config).toEqual(before)
  })
})

describe('namespace', () => {
  const withNamespace = (namespace: string) => {
    const config = clean()
    config.contexts.set('clean', { cluster: 'clean', user: 'clean', namespace })
    return config
  }
  const namespaceOf = (config = clean(), overrides: ConfigOverrides = {}) =>
    new DirectClientConfig(config, { overrides }).namespace()

  it('is the override’s, the context’s, or default', async () => {
    expect(await namespaceOf()).toEqual({ namespace: 'default', overridden: false })
    expect(await namespaceOf(withNamespace('team'))).toEqual({ namespace: 'team', overridden: false })
    expect(await namespaceOf(withNamespace('team'), { context: { namespace: 'other' } })).toEqual({
      namespace: 'other',
      overridden: true,
    })
  })

  it.each<[string, ConfigOverrides, string]>([
    [
      'context',
      { currentContext: 'x' },
      '[context was not found for specified context: x, cluster has no server defined]',
    ],
    ['cluster', { context: { cluster: 'x' } }, 'no server found for cluster "x"'],
  ])('tells of a missing %s that an override names', async (_name, overrides, message) => {
    const contextName = overrides.currentContext
    const err = await failure(new DirectClientConfig(clean(), { contextName, overrides }).namespace())
    expect(err.message).toBe(`invalid configuration: ${message}`)
    expect(isEmptyConfig(err)).toBe(false)
  })

  it('needs a usable configuration unless it is overridden', async () => {
    expect(isEmptyConfig(await failure(namespaceOf(newKubeConfig())))).toBe(true)
    expect(await namespaceOf(newKubeConfig(), { context: { namespace: 'foo' } })).toEqual({
      namespace: 'foo',
      overridden: true,
    })
  })
})

describe('restConfigFromKubeConfig', () => {
  it('uses the current context of the text', async () => {
    const text = JSON.stringify({
      clusters: [{ name: 'c', cluster: { server: 'https://c' } }],
      users: [{ name: 'u', user: { token: 't' } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    })
    expect(await restConfigFromKubeConfig(text)).toMatchObject({ host: 'https://c', bearerToken: 't' })
    expect(isEmptyConfig(await failure(restConfigFromKubeConfig('')))).toBe(true)
  })
})

it('shows no secrets to console.log', () => {
  expect(
    inspect(new DirectClientConfig(clean({ user: { token: 's3cr3t' } })), { depth: 10, showHidden: true }),
  ).not.toContain('s3cr3t')
})
