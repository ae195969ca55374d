import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  ConfigurationInvalidError,
  ContextNotFoundError,
  EmptyClusterError,
  EmptyConfigError,
  isConfigurationInvalid,
  isContextNotFound,
  isEmptyConfig,
  NoContextError,
} from './errors.js'
import { directoryWith, failure } from './testdata/files.mjs'
import { type AuthInfo, type Cluster, type Context, newKubeConfig } from './types.js'
import { confirmUsable, validate, validateAuthInfo, validateClusterInfo, validateContext } from './validation.js'

const messages = (errors: readonly Error[]) => errors.map((err) => err.message)

describe('validateClusterInfo', () => {
  it.each<[string, Cluster, string[]]>([
    ['nothing', {}, ['cluster has no server defined']],
    ['a server', { server: 'anything' }, []],
    ['no server', { 'tls-server-name': 'x' }, ['no server found for cluster "c"']],
    ['no server, from a file', { locationOfOrigin: '/f' }, ['no server found for cluster "c"']],
    [
      'a CA that is missing',
      { server: 's', 'certificate-authority': '/missing' },
      ['unable to read certificate-authority /missing for c due to open /missing: no such file or directory'],
    ],
    [
      'a CA twice',
      { server: 's', 'certificate-authority': '/', 'certificate-authority-data': 'YQ==' },
      [
        'certificate-authority-data and certificate-authority are both specified for c. certificate-authority-data will override.',
      ],
    ],
    ['an http proxy', { server: 's', 'proxy-url': 'http://example.com' }, []],
    ['an https proxy', { server: 's', 'proxy-url': 'https://example.com' }, []],
    ['a socks5 proxy', { server: 's', 'proxy-url': 'socks5://example.com' }, []],
    [
      'another proxy',
      { server: 's', 'proxy-url': 'socks6://example.com' },
      [
        `invalid 'proxy-url' "socks6://example.com" for cluster "c": unsupported scheme "socks6", must be http, https, or socks5`,
      ],
    ],
    [
      'a proxy without a scheme',
      { server: 's', 'proxy-url': 'example.com' },
      [`invalid 'proxy-url' "example.com" for cluster "c": unsupported scheme "", must be http, https, or socks5`],
    ],
    [
      'a proxy with credentials, which are not told',
      { server: 's', 'proxy-url': 'ftp://user:s3cr3t@example.com' },
      [
        `invalid 'proxy-url' "ftp://example.com" for cluster "c": unsupported scheme "ftp", must be http, https, or socks5`,
      ],
    ],
  ])('%s', async (_name, cluster, expected) => {
    expect(messages(await validateClusterInfo('c', cluster))).toEqual(expected)
  })

  it('tells the default cluster from a named one', async () => {
    expect(messages(await validateClusterInfo('', { 'tls-server-name': 'x' }))).toEqual([
      'default cluster has no server defined',
    ])
    expect((await validateClusterInfo('', {}))[0]).toBeInstanceOf(EmptyClusterError)
  })

  it('accepts a CA that can be read', async () => {
    const ca = join(directoryWith({ ca: '' }), 'ca')
    expect(await validateClusterInfo('c', { server: 's', 'certificate-authority': ca })).toEqual([])
  })
})

describe('validateAuthInfo', () => {
  const exec = {
    command: '/bin/example',
    apiVersion: 'client.authentication.k8s.io/v1',
    interactiveMode: 'IfAvailable',
  }
  const use = 'for u to use exec authentication plugin'
  it.each<[string, AuthInfo, string[]]>([
    ['nothing', {}, []],
    ['a token', { token: 't' }, []],
    ['a token and a token file', { token: 't', tokenFile: '/missing' }, []],
    [
      'a token and a user name',
      { token: 't', username: 'n' },
      ['more than one authentication method found for u; found [token basicAuth], only one is allowed'],
    ],
    [
      'a token and a password',
      { token: 't', password: 'p' },
      ['more than one authentication method found for u; found [token basicAuth], only one is allowed'],
    ],
    ['a certificate and a token', { token: 't', 'client-certificate-data': 'YQ==', 'client-key-data': 'YQ==' }, []],
    [
      'certificate files that are missing',
      { 'client-certificate': '/no-cert', 'client-key': '/no-key' },
      [
        'unable to read client-cert /no-cert for u due to open /no-cert: no such file or directory',
        'unable to read client-key /no-key for u due to open /no-key: no such file or directory',
      ],
    ],
    [
      'files and data',
      { 'client-certificate': '/', 'client-certificate-data': 'YQ==', 'client-key': '/', 'client-key-data': 'YQ==' },
      [
        'client-cert-data and client-cert are both specified for u. client-cert-data will override.',
        'client-key-data and client-key are both specified for u; client-key-data will override',
      ],
    ],
    [
      'a certificate without a key',
      { 'client-certificate-data': 'YQ==' },
      ['client-key-data or client-key must be specified for u to use the clientCert authentication method.'],
    ],
    ['a key without a certificate', { 'client-key': '/missing' }, []],
    ['a plugin', { exec: { ...exec, args: ['hello'], env: [{ name: 'foo', value: 'bar' }] } }, []],
    ['a plugin without version', { exec: { ...exec, apiVersion: '' } }, [`apiVersion must be specified ${use}`]],
    ['a plugin without command', { exec: { ...exec, command: undefined } }, [`command must be specified ${use}`]],
    [
      'a plugin and an auth provider',
      { exec, 'auth-provider': { name: 'oidc' } },
      ['authProvider cannot be provided in combination with an exec plugin for u'],
    ],
    ['an empty variable', { exec: { ...exec, env: [{ name: 'foo', value: '' }] } }, []],
    [
      'a variable without a name',
      { exec: { ...exec, env: [{ value: 'x' }] } },
      [`env variable name must be specified ${use}`],
    ],
    [
      'a plugin without mode',
      { exec: { ...exec, interactiveMode: undefined } },
      [`interactiveMode must be specified ${use}`],
    ],
    [
      'a plugin with a mode of its own',
      { exec: { ...exec, interactiveMode: 'invalid' } },
      ['invalid interactiveMode for u: "invalid"'],
    ],
    ['another user', { as: 'user' }, []],
    [
      'another user with everything',
      { as: 'user', 'as-uid': 'abc123', 'as-groups': ['g'], 'as-user-extra': { key: ['v'] } },
      [],
    ],
    ...[{ 'as-uid': 'abc123' }, { 'as-groups': ['g'] }, { 'as-user-extra': { key: ['v'] } }].map(
      (user): [string, AuthInfo, string[]] => [
        `${Object.keys(user)} without another user`,
        user,
        ['requesting uid, groups or user-extra for u without impersonating a user'],
      ],
    ),
  ])('%s', async (_name, user, expected) => {
    expect(messages(await validateAuthInfo('u', user))).toEqual(expected)
  })

  it('accepts certificate files that can be read', async () => {
    const file = join(directoryWith({ pem: '' }), 'pem')
    expect(await validateAuthInfo('u', { 'client-certificate': file, 'client-key': file })).toEqual([])
  })
})

describe('validateContext', () => {
  const config = newKubeConfig({ clusters: new Map([['c', { server: 's' }]]), users: new Map([['u', {}]]) })
  it.each<[string, string, Context, string[]]>([
    ['a cluster and a user', 'x', { cluster: 'c', user: 'u', namespace: 'team-1' }, []],
    ['nothing', 'x', {}, ['user was not specified for context "x"', 'cluster was not specified for context "x"']],
    [
      'what is not there',
      'x',
      { cluster: 'gone', user: 'lost' },
      ['user "lost" was not found for context "x"', 'cluster "gone" was not found for context "x"'],
    ],
    ['no name', '', { cluster: 'c', user: 'u' }, ['empty context name for {"cluster":"c","user":"u"} is not allowed']],
    ...['Team', 'a.b', '-a', 'a-', 'a'.repeat(64)].map((namespace): [string, string, Context, string[]] => [
      `namespace ${namespace}`,
      'x',
      { cluster: 'c', user: 'u', namespace },
      [`namespace "${namespace}" for context "x" does not conform to the kubernetes DNS_LABEL rules`],
    ]),
  ])('%s', (_name, name, context, expected) => {
    expect(messages(validateContext(name, context, config))).toEqual(expected)
  })
})

const mixed = newKubeConfig({
  clusters: new Map([
    ['missing ca', { server: 'anything', 'certificate-authority': '/missing' }],
    ['clean', { server: 'anything' }],
  ]),
  users: new Map<string, AuthInfo>([
    ['error', { username: 'anything', token: 'here' }],
    ['clean', { token: 'here' }],
  ]),
  contexts: new Map([
    ['dirty', { cluster: 'missing ca', user: 'error' }],
    ['clean', { cluster: 'clean', user: 'clean' }],
    ['missing-user', { cluster: 'clean', user: 'garbage' }],
    ['missing-cluster', { cluster: 'garbage', user: 'clean' }],
  ]),
})

describe('confirmUsable', () => {
  it('looks at the chosen context only', async () => {
    await expect(confirmUsable(mixed, 'clean')).resolves.toBeUndefined()
    await expect(confirmUsable({ ...mixed, currentContext: 'clean' })).resolves.toBeUndefined()
  })

  it.each([
    ['dirty', ['more than one authentication method', 'unable to read certificate-authority']],
    ['missing-user', ['user "garbage" was not found for context "missing-user"']],
    ['missing-cluster', ['cluster "garbage" was not found for context "missing-cluster"']],
    ['not-here', ['context was not found for specified context: not-here']],
  ])('%s', async (name, parts) => {
    const err = await failure(confirmUsable(mixed, name))
    for (const part of parts) expect(err.message).toContain(part)
    expect(isConfigurationInvalid(err)).toBe(true)
  })

  it('of nothing says that there is nothing', async () => {
    for (const name of ['', 'not-here']) {
      const err = await failure(confirmUsable(newKubeConfig(), name))
      expect(err.message).toBe(
        'invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable',
      )
      expect(isEmptyConfig(err)).toBe(true)
    }
  })

  it('needs a name from somewhere', async () => {
    expect(await failure(confirmUsable(mixed))).toBeInstanceOf(NoContextError)
  })
})

describe('validate', () => {
  it('tells of everything at once', async () => {
    const err = await failure(validate({ ...mixed, currentContext: 'anything' }))
    expect(err).toBeInstanceOf(ConfigurationInvalidError)
    expect(err.errors).toHaveLength(5)
    expect(err.message).toMatch(
      /^invalid configuration: \[context was not found for specified context: anything, .*\]$/,
    )
    expect(isContextNotFound(err)).toBe(true)
    expect(isEmptyConfig(err)).toBe(false)
  })

  it('accepts what is right', async () => {
    const config = newKubeConfig({ clusters: new Map([['c', { server: 's' }]]) })
    await expect(validate(config)).resolves.toBeUndefined()
  })

  it('of nothing says that there is nothing', async () => {
    expect(isEmptyConfig(await failure(validate(newKubeConfig())))).toBe(true)
  })
})

describe('predicates', () => {
  const invalid = (...errors: Error[]) => new ConfigurationInvalidError(errors)
  it.each([
    [new EmptyConfigError(), { empty: true, notFound: false, invalid: false }],
    [invalid(new EmptyConfigError()), { empty: true, notFound: false, invalid: true }],
    [invalid(new EmptyConfigError(), new Error('x')), { empty: false, notFound: false, invalid: true }],
    [new EmptyClusterError(), { empty: false, notFound: false, invalid: false }],
    [new NoContextError(), { empty: false, notFound: true, invalid: true }],
    [new ContextNotFoundError('x'), { empty: false, notFound: true, invalid: true }],
    [invalid(new Error('x'), invalid(new ContextNotFoundError('x'))), { empty: false, notFound: true, invalid: true }],
    [new Error('x'), { empty: false, notFound: false, invalid: false }],
    [undefined, { empty: false, notFound: false, invalid: false }],
  ])('%s', (err, expected) => {
    expect({
      empty: isEmptyConfig(err),
      notFound: isContextNotFound(err),
      invalid: isConfigurationInvalid(err),
    }).toEqual(expected)
  })

  it('an aggregate tells each message once', () => {
    expect(invalid(new Error('a'), new Error('b'), new Error('a')).message).toBe('invalid configuration: [a, b]')
    expect(invalid(new Error('a'), new Error('a')).message).toBe('invalid configuration: a')
  })
})
