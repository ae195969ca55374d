import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { directoryWith, failure } from './testdata/files.mjs'
import { flattenConfig, minifyConfig, redactSecrets, shortenConfig } from './transform.js'
import { type KubeConfig, newKubeConfig } from './types.js'

const config = (fields: Partial<KubeConfig> = {}) =>
  newKubeConfig({
    clusters: new Map([
      ['cow', { server: 'http://cow.org:8080' }],
      ['chicken', { server: 'http://chicken.org:8080' }],
    ]),
    users: new Map([
      ['red', { token: 'red-token' }],
      ['blue', { token: 'blue-token' }],
    ]),
    contexts: new Map([
      ['federal', { cluster: 'cow', user: 'red' }],
      ['shaker', { cluster: 'chicken', user: 'blue' }],
      ['nobody', { cluster: 'cow' }],
    ]),
    currentContext: 'federal',
    ...fields,
  })

describe('minifyConfig', () => {
  it('keeps the current context and what it names', () => {
    const before = config()
    const small = minifyConfig(before)
    expect([...small.clusters.keys(), ...small.users.keys(), ...small.contexts.keys()]).toEqual([
      'cow',
      'red',
      'federal',
    ])
    expect(before).toEqual(config())
    expect(minifyConfig(config({ currentContext: 'nobody' })).users.size).toBe(0)
  })

  it.each([
    [{ currentContext: '' }, 'current-context must exist in order to minify'],
    [{ currentContext: 'x' }, 'cannot locate context x'],
    [{ clusters: new Map() }, 'cannot locate cluster cow'],
    [{ users: new Map() }, 'cannot locate user red'],
  ])('of %j fails', (fields, message) => {
    expect(() => minifyConfig(config(fields))).toThrow(message)
  })
})

describe('flattenConfig', () => {
  it('puts the files into the kubeconfig', async () => {
    const directory = directoryWith({ 'pki/ca': 'ca-data', cert: 'cert-data', key: 'key-data' })
    const locationOfOrigin = join(directory, 'config')
    const flat = await flattenConfig(
      config({
        clusters: new Map([['c', { server: 's', 'certificate-authority': 'pki/ca', locationOfOrigin }]]),
        users: new Map([
          [
            'u',
            { 'client-certificate': join(directory, 'cert'), 'client-key': 'key', tokenFile: 't', locationOfOrigin },
          ],
        ]),
      }),
    )
    expect(flat.clusters.get('c')).toEqual({
      server: 's',
      'certificate-authority-data': btoa('ca-data'),
      locationOfOrigin,
    })
    expect(flat.users.get('u')).toEqual({
      'client-certificate-data': btoa('cert-data'),
      'client-key-data': btoa('key-data'),
      tokenFile: 't',
      locationOfOrigin,
    })
  })

  it('refuses a file beside data, and one that cannot be read', async () => {
    const both = config({ users: new Map([['u', { 'client-key': 'k', 'client-key-data': 'YQ==' }]]) })
    expect((await failure(flattenConfig(both))).message).toBe('cannot have values for both path and contents')
    const missing = config({ clusters: new Map([['c', { 'certificate-authority': '/missing/ca' }]]) })
    expect((await failure(flattenConfig(missing))).message).toContain('/missing/ca')
  })
})

const secrets = () =>
  config({
    clusters: new Map([['c', { server: 's', 'certificate-authority-data': 'YQ==' }]]),
    users: new Map([
      [
        'u',
        {
          token: 't',
          username: 'n',
          password: 'p',
          'client-key-data': 'YQ==',
          'client-certificate-data': 'YQ==',
          'auth-provider': { name: 'oidc', config: { 'refresh-token': 'r' } },
        },
      ],
      ['empty', { username: 'n' }],
    ]),
  })

it('shortenConfig leaves out data and tokens', () => {
  const short = shortenConfig(secrets())
  expect(short.clusters.get('c')).toEqual({ server: 's', 'certificate-authority-data': 'DATA+OMITTED' })
  expect(short.users.get('u')).toMatchObject({
    token: 'REDACTED',
    'client-key-data': 'DATA+OMITTED',
    'client-certificate-data': 'DATA+OMITTED',
  })
  expect(short.users.get('empty')).toEqual({ username: 'n' })
})

it('redactSecrets replaces what is secret', () => {
  const before = secrets()
  const redacted = redactSecrets(before)
  expect(redacted.users.get('u')).toEqual({
    token: 'REDACTED',
    username: 'n',
    password: 'REDACTED',
    'client-key-data': btoa('REDACTED'),
    'client-certificate-data': 'YQ==',
    'auth-provider': { name: 'oidc', config: { 'refresh-token': 'REDACTED' } },
  })
  expect(before).toEqual(secrets())
})
