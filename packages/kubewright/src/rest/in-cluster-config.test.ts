import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { inClusterConfig, NotInClusterError, noLogger } from './index.js'

let rootDirectory: string
let account: string
beforeEach(() => {
  rootDirectory = mkdtempSync(join(tmpdir(), 'kubewright-'))
  account = join(rootDirectory, 'var/run/secrets/kubernetes.io/serviceaccount')
  mkdirSync(account, { recursive: true })
})
afterEach(() => rmSync(rootDirectory, { recursive: true }))

const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' }

it.each([
  ['10.0.0.1', '443', 'https://10.0.0.1:443'],
  ['kubernetes.default', '8443', 'https://kubernetes.default:8443'],
  ['fd00::1', '443', 'https://[fd00::1]:443'],
])('reaches %s %s at %s', (host, port, expected) => {
  writeFileSync(join(account, 'token'), 'abc\n')
  writeFileSync(join(account, 'ca.crt'), '-----BEGIN CERTIFICATE-----\n')
  const config = inClusterConfig({
    env: { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port },
    rootDirectory,
  })
  expect(config).toMatchObject({
    host: expected,
    bearerToken: 'abc\n',
    bearerTokenFile: join(account, 'token'),
    tlsClientConfig: { caFile: join(account, 'ca.crt') },
  })
})

it.each([
  {},
  { KUBERNETES_SERVICE_HOST: 'h' },
  { KUBERNETES_SERVICE_PORT: '1' },
  { ...env, KUBERNETES_SERVICE_HOST: '' },
])('is not in a cluster with %j', (env) => {
  expect(() => inClusterConfig({ env, rootDirectory })).toThrow(NotInClusterError)
  expect(() => inClusterConfig({ env, rootDirectory })).toThrow(
    'KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined',
  )
})

it('needs the token', () => {
  expect(() => inClusterConfig({ env, rootDirectory })).toThrow("cannot read the service account's token: ENOENT")
})

it.each([undefined, 'nonsense'])("goes on with the system's CAs when the CA file holds %j", (ca) => {
  writeFileSync(join(account, 'token'), 'abc')
  if (ca !== undefined) writeFileSync(join(account, 'ca.crt'), ca)
  const errors: string[] = []
  const logger = { ...noLogger, error: (line: string) => void errors.push(line) }
  expect(inClusterConfig({ env, rootDirectory, logger }).tlsClientConfig.caFile).toBeUndefined()
  expect(errors).toHaveLength(1)
})
