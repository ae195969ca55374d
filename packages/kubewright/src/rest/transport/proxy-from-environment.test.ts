// Which proxy the environment names for a URL. The rules themselves are Go's, and compared with Go's by the oracle.

import { expect, it } from 'vitest'
import { proxyFromEnvironment } from './proxy-from-environment.js'

const P = 'http://p:3128/'

it.each<[string, Record<string, string>, string, string | undefined]>([
  ['nothing', {}, 'https://h', undefined],
  ['https', { HTTPS_PROXY: P }, 'https://h', P],
  ['http', { HTTP_PROXY: P }, 'http://h', P],
  ['https only', { HTTPS_PROXY: P }, 'http://h', undefined],
  ['http only', { HTTP_PROXY: P }, 'https://h', undefined],
  ['small letters', { https_proxy: P }, 'https://h', P],
  ['capitals first', { https_proxy: 'http://small', HTTPS_PROXY: P }, 'https://h', P],
  ['empty capitals', { https_proxy: P, HTTPS_PROXY: '' }, 'https://h', P],
  ['no proxy for all', { ALL_PROXY: P }, 'https://h', undefined],
  ['host and port', { HTTPS_PROXY: 'p:3128' }, 'https://h', P],
  ['credentials', { HTTPS_PROXY: 'u:p@p:3128' }, 'https://h', 'http://u:p@p:3128/'],
  ['socks', { HTTPS_PROXY: 'socks5://p' }, 'https://h', 'socks5://p'],
  ['what is no URL', { HTTPS_PROXY: 'a b' }, 'https://h', undefined],
  ['localhost', { HTTPS_PROXY: P }, 'https://localhost:6443', undefined],
  ['loopback', { HTTPS_PROXY: P }, 'https://127.1.2.3', undefined],
  ['loopback, IPv6', { HTTPS_PROXY: P }, 'https://[::1]:6443', undefined],
  ['everything excluded', { HTTPS_PROXY: P, NO_PROXY: 'x, *' }, 'https://h', undefined],
  ['a name', { HTTPS_PROXY: P, NO_PROXY: 'x,a.test' }, 'https://A.test', undefined],
  ['below a name', { HTTPS_PROXY: P, no_proxy: 'a.test' }, 'https://b.a.test', undefined],
  ['a longer name', { HTTPS_PROXY: P, NO_PROXY: 'a.test' }, 'https://ba.test', P],
  ['a dot: below', { HTTPS_PROXY: P, NO_PROXY: '.a.test' }, 'https://b.a.test', undefined],
  ['a dot: not itself', { HTTPS_PROXY: P, NO_PROXY: '.a.test' }, 'https://a.test', P],
  ['a star: not itself', { HTTPS_PROXY: P, NO_PROXY: '*.a.test' }, 'https://a.test', P],
  ['a port', { HTTPS_PROXY: P, NO_PROXY: 'a.test:6443' }, 'https://a.test:6443', undefined],
  ['another port', { HTTPS_PROXY: P, NO_PROXY: 'a.test:6443' }, 'https://a.test', P],
  ['the port of https', { HTTPS_PROXY: P, NO_PROXY: 'a.test:443' }, 'https://a.test', undefined],
  ['an address', { HTTPS_PROXY: P, NO_PROXY: '10.0.0.1' }, 'https://10.0.0.1', undefined],
  ['a network', { HTTPS_PROXY: P, NO_PROXY: '10.0.0.0/8' }, 'https://10.9.9.9', undefined],
  ['not in the network', { HTTPS_PROXY: P, NO_PROXY: '10.0.0.0/8' }, 'https://11.0.0.1', P],
  ['a network, IPv6', { HTTPS_PROXY: P, NO_PROXY: 'fd00::/8' }, 'https://[fd12::1]', undefined],
  ['a mapped address', { HTTPS_PROXY: P, NO_PROXY: '10.0.0.0/8' }, 'https://[::ffff:10.0.0.1]', undefined],
  ['a name in a network', { HTTPS_PROXY: P, NO_PROXY: '10.0.0.0/8' }, 'https://ten.test', P],
  ['a CGI program, https', { HTTPS_PROXY: P, REQUEST_METHOD: 'GET' }, 'https://h', P],
])('%s', (_name, env, url, expected) => {
  expect(proxyFromEnvironment(env)(new URL(url))?.href).toBe(expected)
})

it('refuses HTTP_PROXY in a CGI program', () => {
  const proxyFor = proxyFromEnvironment({ HTTP_PROXY: P, REQUEST_METHOD: 'GET' })
  expect(() => proxyFor(new URL('http://h'))).toThrow('REQUEST_METHOD')
})
