// From a Config to its requests: which authenticator, shared with whom, and what the requests carry.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../../../clock/fake-clock.js'
import { Config, type ConfigOptions } from '../../config.js'
import { fakeTransport } from '../../fake-transport.test-support.js'
import type { TransportRequest } from '../../transport/transport.js'
import type { ExecConfig } from '../exec-config.js'
import { ExecAuthenticators } from './authenticators.js'
import type { ExecPluginOptions } from './exec-plugins.js'
import { execAuthenticatorFor } from './for-config.js'
import { printed, removeDirectories, TestPlugin, temporaryDirectory, v1 } from './plugins.test-support.js'
import { withExecCredentials } from './wrapper.js'

afterEach(removeDirectories)

const stanza: ExecConfig = { command: 'aws', apiVersion: v1, interactiveMode: 'Never', args: ['a'] }
const clock = new FakeClock()
const own = (): ExecPluginOptions => ({ authenticators: new ExecAuthenticators() })

function withPlugins(options: ConfigOptions, execPlugins?: ExecPluginOptions): Config {
  return new Config({ clock, ...options, execPlugins })
}

describe('an authenticator', () => {
  const cases: [string, ConfigOptions, ExecPluginOptions?][] = [
    ['command', { execProvider: { ...stanza, command: 'other' } }],
    ['arguments', { execProvider: { ...stanza, args: ['b'] } }],
    ['environment', { execProvider: { ...stanza, env: [{ name: 'A', value: 'b' }] } }],
    ['version', { execProvider: { ...stanza, apiVersion: 'client.authentication.k8s.io/v1beta1' } }],
    ['hint', { execProvider: { ...stanza, installHint: 'x' } }],
    ['interactive mode', { execProvider: { ...stanza, interactiveMode: 'Always' } }],
    ['cluster that is told', { execProvider: { ...stanza, provideClusterInfo: true } }],
    ['server of a cluster that is told', { host: 'other', execProvider: { ...stanza, provideClusterInfo: true } }],
    [
      'extension of a cluster that is told',
      { execProvider: { ...stanza, provideClusterInfo: true, config: { audience: 'x' } } },
    ],
    ['stdin', { execProvider: stanza }, { stdinUnavailable: true }],
    ['policy', { execProvider: stanza }, { policy: { policyType: 'DenyAll' } }],
    ['list', { execProvider: stanza }, { policy: { policyType: 'Allowlist', allowlist: [{ command: 'aws' }] } }],
    ['clock', { execProvider: stanza, clock: new FakeClock() }],
  ]

  it('is one for each way to run a plugin', () => {
    const plugins = own()
    const get = ([, options, more]: [string, ConfigOptions, ExecPluginOptions?]): unknown =>
      execAuthenticatorFor(withPlugins(options, { ...plugins, ...more }))
    const plain: [string, ConfigOptions] = ['plain', { execProvider: stanza }]
    const all = [plain, ...cases].map(get)
    expect(new Set(all).size).toBe(cases.length + 1)
    expect([plain, ...cases].map(get)).toEqual(all)
  })

  it('is shared by Configs that would run the same plugin in the same way', () => {
    const first = execAuthenticatorFor(new Config({ execProvider: stanza, host: 'a', clock }))
    const second = execAuthenticatorFor(new Config({ execProvider: { ...stanza }, host: 'b', clock, qps: 3 }))
    expect(first).toBeDefined()
    expect(second).toBe(first)
    expect(execAuthenticatorFor(withPlugins({ execProvider: stanza }, own()))).not.toBe(first)
  })

  it.each<[string, ConfigOptions]>([
    ['no plugin', {}],
    ['a token', { execProvider: stanza, bearerToken: 'a' }],
    ['a token file', { execProvider: stanza, bearerTokenFile: 'a' }],
    ['a name', { execProvider: stanza, username: 'a' }],
    ['a certificate', { execProvider: stanza, tlsClientConfig: { certFile: 'a', keyData: 'b' } }],
  ])('is none with %s', (_name, options) => {
    expect(execAuthenticatorFor(new Config(options))).toBeUndefined()
  })

  it('needs the certificate authority that it tells of', () => {
    const options = {
      execProvider: { ...stanza, provideClusterInfo: true },
      tlsClientConfig: { caFile: '/no/such/file' },
    }
    expect(() => execAuthenticatorFor(new Config(options))).toThrow('failed to load CA bundle for execProvider: ENOENT')
  })
})

it('a plugin is told of its cluster all that the Config says', async () => {
  const plugin = new TestPlugin()
  plugin.prints(printed({ token: 'a' }))
  const caFile = join(temporaryDirectory(), 'ca.pem')
  writeFileSync(caFile, 'CA')
  const config = new Config({
    host: 'https://host:1',
    tlsClientConfig: { caFile, serverName: 'name' },
    proxyUrl: 'http://proxy',
    disableCompression: true,
    execProvider: {
      ...plugin.config({ provideClusterInfo: true }),
      config: { audience: 'x' },
    },
  })
  await execAuthenticatorFor(config)?.credentials()
  expect(JSON.parse(plugin.told)).toEqual({
    kind: 'ExecCredential',
    apiVersion: v1,
    spec: {
      interactive: false,
      cluster: {
        server: 'https://host:1',
        'tls-server-name': 'name',
        'certificate-authority-data': 'Q0E=',
        'proxy-url': 'http://proxy',
        'disable-compression': true,
        config: { audience: 'x' },
      },
    },
  })
})

describe('what a plugin is told of its cluster', () => {
  const told = async (options: ConfigOptions) => {
    const plugin = new TestPlugin()
    plugin.prints(printed({ token: 'a' }))
    const execProvider = plugin.config({ provideClusterInfo: true })
    await execAuthenticatorFor(new Config({ host: 'some-host', ...options, execProvider }))?.credentials()
    return JSON.parse(plugin.told).spec.cluster
  }

  it('has an authority from memory, and that nothing is verified', async () => {
    const tlsClientConfig = { serverName: 'some-server-name', insecure: true, caData: 'some-ca-data' }
    expect(await told({ tlsClientConfig })).toEqual({
      server: 'some-host',
      'tls-server-name': 'some-server-name',
      'insecure-skip-tls-verify': true,
      'certificate-authority-data': Buffer.from('some-ca-data').toString('base64'),
    })
  })

  it.each<[string, ConfigOptions['proxy'], object]>([
    [
      'the proxy that a function gives',
      () => new URL('https://proxy/tuna/fish'),
      { 'proxy-url': 'https://proxy/tuna/fish' },
    ],
    ['no proxy, where a function gives none', () => null, {}],
    ['the proxy for its own URL', (url) => `http://for-${url.host}`, { 'proxy-url': 'http://for-some-host' }],
  ])('has %s', async (_, proxy, expected) => {
    expect(await told({ proxy, proxyUrl: 'http://other' })).toEqual({ server: 'some-host', ...expected })
  })

  it('is not there where the proxy cannot be had', async () => {
    const proxy = () => {
      throw new Error('some proxy error')
    }
    await expect(told({ proxy })).rejects.toThrow('failed to get proxy URL for execProvider: some proxy error')
    await expect(told({ proxy: () => null, host: 'invalid-config-host\n' })).rejects.toThrow('host must be a URL')
  })
})

describe('requests', () => {
  async function client(plugin: TestPlugin, statuses: number[] = []) {
    const seen: TransportRequest['headers'][] = []
    const inner = fakeTransport(({ headers }) => {
      seen.push(headers)
      return { status: statuses.shift() ?? 200 }
    })
    const config = withPlugins({ execProvider: plugin.config() }, own())
    const authenticator = execAuthenticatorFor(config)
    if (!authenticator) throw new Error('no authenticator')
    const transport = withExecCredentials(inner, authenticator)
    const send = async (headers: TransportRequest['headers'] = {}, signal?: AbortSignal): Promise<number> =>
      (await transport.roundTrip({ method: 'GET', url: new URL('http://h/'), headers, signal })).status
    return { seen, send, close: () => transport.close() }
  }

  it('carry the token; twenty at once have the plugin run once', async () => {
    const plugin = new TestPlugin()
    plugin.prints(printed({ token: 'one' }))
    const { seen, send } = await client(plugin)
    await Promise.all(Array.from({ length: 20 }, () => send({ accept: 'x' })))
    expect(seen).toEqual(Array.from({ length: 20 }, () => ({ accept: 'x', authorization: 'Bearer one' })))
    expect(plugin.runs).toBe(1)
  })

  it('that name credentials go as they are, and the plugin does not run', async () => {
    const plugin = new TestPlugin('exit 1')
    const { seen, send } = await client(plugin, [401])
    await send({ authorization: 'own' })
    expect(seen).toEqual([{ authorization: 'own' }])
    expect(plugin.runs).toBe(0)
  })

  it('go without a token where the plugin gives a certificate alone', async () => {
    const plugin = new TestPlugin()
    const pem = (name: string): string =>
      readFileSync(new URL(`../../transport/testdata/${name}`, import.meta.url), 'utf8')
    plugin.prints(printed({ clientCertificateData: pem('client.pem'), clientKeyData: pem('client.key') }))
    const { seen, send } = await client(plugin)
    await send()
    expect(seen).toEqual([{}])
  })

  it('after a 401 have new credentials; the refused one is not repeated', async () => {
    const plugin = new TestPlugin()
    plugin.prints(printed({ token: 'one' }))
    const { seen, send } = await client(plugin, [401, 200])
    expect(await send()).toBe(401)
    plugin.prints(printed({ token: 'two' }))
    expect(await send()).toBe(200)
    expect(await send()).toBe(200)
    expect(seen.map(({ authorization }) => authorization)).toEqual(['Bearer one', 'Bearer two', 'Bearer two'])
    expect(plugin.runs).toBe(2)
  })

  it('that wait for the plugin end when the transport is closed', async () => {
    const plugin = new TestPlugin('exec sleep 600')
    const { seen, send, close } = await client(plugin)
    const sent = [send(), send()].map((request) => request.catch((err: Error) => err.message))
    await close()
    const closed = 'GET http://h: the transport of this Config was closed'
    expect(await Promise.all(sent)).toEqual([closed, closed])
    await expect(send()).rejects.toThrow(closed)
    expect(seen).toEqual([])
  })

  it('fail with what the plugin failed with', async () => {
    const plugin = new TestPlugin('exit 4')
    const { seen, send } = await client(plugin)
    await expect(send()).rejects.toThrow(`getting credentials: exec: executable ${plugin.path} failed with exit code 4`)
    expect(seen).toEqual([])
  })
})
