import { describe, expect, it } from 'vitest'
import { defaultServerURL, defaultServerUrlFor, isConfigTransportTLS } from './index.js'
import { escapePath } from './url.js'

const apps = { group: 'apps', version: 'v1' }
const core = { group: '', version: 'v1' }

describe('defaultServerURL', () => {
  it.each([
    ['127.0.0.1', false, 'http://127.0.0.1/'],
    ['127.0.0.1:8080', false, 'http://127.0.0.1:8080/'],
    ['127.0.0.1:8443', true, 'https://127.0.0.1:8443/'],
    ['foo.example.com', true, 'https://foo.example.com/'],
    ['foo.example.com:8080', false, 'http://foo.example.com:8080/'],
    ['localhost:8080/', false, 'http://localhost:8080/'],
    ['[::1]:6443', true, 'https://[::1]:6443/'],
    ['http://host', true, 'http://host/'],
    ['https://host/prefix', false, 'https://host/prefix/'],
    ['https://host/prefix/', false, 'https://host/prefix/'],
    ['https://host/a%2Fb/?x=1#y', false, 'https://host/a%2Fb/'],
    ['https://host/%41/a b\\', false, 'https://host/A/a%20b%5C/'],
  ])('%s (TLS by default: %s) → %s', (host, defaultTLS, expected) => {
    const { baseUrl, versionedApiPath } = defaultServerURL(host, '/apis', apps, { defaultTLS })
    expect(baseUrl.href).toBe(expected)
    expect(versionedApiPath).toBe('/apis/apps/v1')
  })

  it.each([
    ...['', 'host/path', 'foo/bar/baz', 'ftp://host', 'http://', 'a b', '//host', '/a', 'host/.', 'https:///host'],
    ...['\thost', 'https://host\n', 'host ', 'https://host\\a', '?x', 'https://h%6Fst', 'https://u:p@h%6Fst'],
  ])('refuses %j', (host) => {
    expect(() => defaultServerURL(host, '/api', core)).toThrow(/^host must be a URL/)
  })

  it.each(['https://host/%zz', 'https://host/%', 'https://host/%ff'])('refuses %j', (host) => {
    expect(() => defaultServerURL(host, '/api', core)).toThrow(
      `host has a % in its path that stands for no character: "${host}"`,
    )
  })

  it.each([
    'https://user:S3CRET/x@host',
    'https://user:/S3CRET@host/base',
    'https://u:p@S3CRET?@host',
    'https://h/#S3CRET@h',
  ])('refuses %j, whose password ends the server too early, and does not show it', (host) => {
    const refusal = (): unknown => defaultServerURL(host, '/api', core)
    expect(refusal).toThrow(/%XX|must be a URL/)
    expect(refusal).not.toThrow('S3CRET')
  })
})

describe('defaultServerUrlFor', () => {
  it.each([
    [{}, 'http://localhost/'],
    [{ tlsClientConfig: { caFile: '/ca' } }, 'https://localhost/'],
    [{ tlsClientConfig: { caData: 'x' } }, 'https://localhost/'],
    [{ tlsClientConfig: { certData: 'x' } }, 'https://localhost/'],
    [{ tlsClientConfig: { certFile: 'x' } }, 'https://localhost/'],
    [{ tlsClientConfig: { insecure: true } }, 'https://localhost/'],
    [{ tlsClientConfig: { serverName: 'x' } }, 'http://localhost/'],
    [{ host: 'http://h', tlsClientConfig: { insecure: true } }, 'http://h/'],
  ])('%j → %s', (config, expected) => {
    expect(defaultServerUrlFor(config).baseUrl.href).toBe(expected)
    expect(isConfigTransportTLS(config)).toBe(expected.startsWith('https'))
  })

  it.each([
    [{ host: 'https://localhost' }, true],
    [{ host: 'localhost', tlsClientConfig: { certFile: 'foo' } }, true],
    [{ host: '///:://localhost', tlsClientConfig: { certFile: 'foo' } }, false],
    [{ host: '1.2.3.4:567', tlsClientConfig: { insecure: true } }, true],
    [{ host: '1.2.3.4:567' }, false],
  ])('%j is reached over TLS: %s', (config, expected) => {
    expect(isConfigTransportTLS(config)).toBe(expected)
  })

  it.each([
    [core, undefined, undefined, '/api/v1'],
    [apps, undefined, undefined, '/apis/apps/v1'],
    [apps, '/custom', undefined, '/custom/apps/v1'],
    [apps, '/custom', 'own/', '/own/apps/v1'],
    [undefined, undefined, undefined, '/'],
  ])('paths of %j, Config %s, client %s → %s', (groupVersion, apiPath, own, expected) => {
    expect(defaultServerUrlFor({ apiPath }, groupVersion, own).versionedApiPath).toBe(expected)
  })
})

it.each([
  ['MyTeam:View', 'MyTeam:View'],
  ['system:node:a@b', 'system:node:a@b'],
  ["a b'(c)!*", 'a%20b%27%28c%29%21%2A'],
  ['ü?#%', '%C3%BC%3F%23%25'],
  ['a/b', 'a/b'],
  ['\ud800', '%EF%BF%BD'],
])('escapePath(%j) = %s', (path, expected) => {
  expect(escapePath(path)).toBe(expected)
})
