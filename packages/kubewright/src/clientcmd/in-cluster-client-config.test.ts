import { describe, expect, it } from 'vitest'
import { InClusterClientConfig } from './in-cluster-client-config.js'
import type { ConfigOverrides } from './overrides.js'
import { directoryWith, failure } from './testdata/files.mjs'

const account = 'var/run/secrets/kubernetes.io/serviceaccount'
const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' }
const pem = '-----BEGIN CERTIFICATE-----\nYQ==\n-----END CERTIFICATE-----\n'
const pod = () =>
  directoryWith({
    [`${account}/token`]: 'token-of-pod',
    [`${account}/ca.crt`]: pem,
    [`${account}/namespace`]: ' team\n',
  })

describe('possible', () => {
  it.each([
    ['all there', env, { [`${account}/token`]: 't' }, true],
    ['no host', { ...env, KUBERNETES_SERVICE_HOST: '' }, { [`${account}/token`]: 't' }, false],
    ['no port', { ...env, KUBERNETES_SERVICE_PORT: undefined }, { [`${account}/token`]: 't' }, false],
    ['no token', env, {}, false],
    ['a token that is a directory', env, { [`${account}/token/x`]: 't' }, false],
  ])('%s', async (_name, env, files, expected) => {
    expect(await new InClusterClientConfig({ env, rootDirectory: directoryWith(files) }).possible()).toBe(expected)
  })
})

describe('clientConfig', () => {
  it.each<[string, ConfigOverrides, object]>([
    ['nothing', {}, {}],
    ['the server', { clusterInfo: { server: 'https://given' } }, { host: 'https://given' }],
    ['the token', { authInfo: { token: 'given' } }, { bearerToken: 'given', bearerTokenFile: undefined }],
    ['the token file', { authInfo: { tokenFile: '/given' } }, { bearerToken: undefined, bearerTokenFile: '/given' }],
    [
      'both',
      { authInfo: { token: 'given', tokenFile: '/given' } },
      { bearerToken: 'given', bearerTokenFile: '/given' },
    ],
    ['the CA', { clusterInfo: { 'certificate-authority': '/ca' } }, { tlsClientConfig: { caFile: '/ca' } }],
    ['no user name, as only these count', { authInfo: { username: 'given' }, timeout: '3s' }, {}],
  ])('overridden: %s', async (_name, overrides, changed) => {
    const rootDirectory = pod()
    const config = await new InClusterClientConfig({ env, rootDirectory, overrides }).clientConfig()
    expect(config).toMatchObject({
      host: 'https://10.0.0.1:443',
      bearerToken: 'token-of-pod',
      bearerTokenFile: `${rootDirectory}/${account}/token`,
      tlsClientConfig: { caFile: `${rootDirectory}/${account}/ca.crt` },
      username: undefined,
      timeout: undefined,
      ...changed,
    })
  })

  it('fails outside of a cluster', async () => {
    expect((await failure(new InClusterClientConfig({ env: {} }).clientConfig())).name).toBe('NotInClusterError')
  })
})

describe('namespace', () => {
  it.each([
    ['POD_NAMESPACE first', { POD_NAMESPACE: 'given' }, 'of-account', 'given'],
    ['the account’s, trimmed', {}, ' of-account\n', 'of-account'],
    ['default when the file is empty', {}, '\n', 'default'],
    ['default when there is none', {}, undefined, 'default'],
  ])('%s', async (_name, env, file, namespace) => {
    const rootDirectory = directoryWith(file === undefined ? {} : { [`${account}/namespace`]: file })
    expect(await new InClusterClientConfig({ env, rootDirectory }).namespace()).toEqual({
      namespace,
      overridden: false,
    })
  })
})

it('has no kubeconfig', async () => {
  const config = new InClusterClientConfig({ env })
  expect((await failure(config.rawConfig())).message).toContain("doesn't support multiple clusters")
  expect(config.configAccess()).toBeUndefined()
})
