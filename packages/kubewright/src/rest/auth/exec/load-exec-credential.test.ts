import { describe, expect, it } from 'vitest'
import { type ExecCluster, execInfo } from './exec-info.js'
import { loadExecCredential, loadExecCredentialFromEnv } from './load-exec-credential.js'
import { v1, v1beta1 } from './plugins.test-support.js'

const cluster: ExecCluster = {
  server: 'https://some-server/some/path',
  'tls-server-name': 'some-server-name',
  'insecure-skip-tls-verify': true,
  'certificate-authority-data': Buffer.from('some-ca-data').toString('base64'),
  'proxy-url': 'https://some-proxy-url:12345',
  'disable-compression': true,
  config: { apiVersion: 'group/v1', kind: 'PluginConfig', spec: { names: ['marshmallow', 'zelda'] } },
}

describe('what a plugin is told', () => {
  it.each([v1, v1beta1])('of version %s gives the cluster, and a Config of it without credentials', (apiVersion) => {
    const { credential, config } = loadExecCredential(execInfo(apiVersion, true, cluster))
    expect(credential).toEqual({ apiVersion, kind: 'ExecCredential', spec: { interactive: true, cluster } })
    expect(config).toMatchObject({
      host: 'https://some-server/some/path',
      tlsClientConfig: { insecure: true, serverName: 'some-server-name', caData: 'some-ca-data' },
      proxyUrl: 'https://some-proxy-url:12345',
      disableCompression: true,
    })
    expect([config.bearerToken, config.username, config.execProvider]).toEqual([undefined, undefined, undefined])
  })

  it('comes from the environment', () => {
    const env = { KUBERNETES_EXEC_INFO: execInfo(v1, false, { server: 'https://h' }) }
    const { credential, config } = loadExecCredentialFromEnv(env)
    expect([credential.spec.interactive, config.host]).toEqual([false, 'https://h'])
  })

  it.each([{}, { KUBERNETES_EXEC_INFO: '' }])('may be missing there: %j', (env) => {
    expect(() => loadExecCredentialFromEnv(env)).toThrow('KUBERNETES_EXEC_INFO env var is unset or empty')
  })

  const of = (fields: object): string => JSON.stringify({ apiVersion: v1, kind: 'ExecCredential', ...fields })
  it.each<[string, string]>([
    ['no JSON', 'decode: it is not JSON'],
    ['[]', 'decode: it must be an object, not an array'],
    ['{}', "decode: Object 'Kind' is missing"],
    ['{"kind":"ExecCredential"}', "decode: Object 'apiVersion' is missing"],
    [
      '{"kind":"Pod","apiVersion":"v1"}',
      'invalid group/kind: wanted ExecCredential.client.authentication.k8s.io, got Pod',
    ],
    [
      '{"kind":"ListOptions","apiVersion":"client.authentication.k8s.io/v1"}',
      'invalid group/kind: wanted ExecCredential.client.authentication.k8s.io, got ListOptions.client.authentication.k8s.io',
    ],
    [
      '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1alpha1"}',
      'decode: no kind "ExecCredential" is registered for version "client.authentication.k8s.io/v1alpha1"',
    ],
    [of({}), 'ExecCredential does not contain cluster information; provideClusterInfo of the user asks for it'],
    [of({ spec: { cluster: null } }), 'ExecCredential does not contain cluster information'],
    [of({ spec: 'x' }), 'decode: spec must be an object, not a string'],
    [
      of({ spec: { cluster: { server: 5 } } }),
      'cannot create rest.Config: host of a Config must be a string, not a number',
    ],
    [
      of({ spec: { cluster: { server: 'h', 'proxy-url': 'a b:c' } } }),
      'cannot create rest.Config: cannot parse proxy URL',
    ],
  ])('%s is refused', (text, message) => {
    expect(() => loadExecCredential(text)).toThrow(message)
  })
})
