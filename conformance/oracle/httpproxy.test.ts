import fc from 'fast-check'
import { proxyFromEnvironment } from 'kubewright/rest'
import { expect, it } from 'vitest'
import { mostlyValid, runs } from './arbitraries.js'
import { type Ask, answerOf, describeWithOracle } from './describe-with-oracle.js'

interface Question {
  httpProxy?: string
  httpsProxy?: string
  noProxy?: string
  cgi?: boolean
  url: string
}

function ours({ httpProxy, httpsProxy, noProxy, cgi, url }: Question): string {
  const env = {
    HTTP_PROXY: httpProxy,
    HTTPS_PROXY: httpsProxy,
    NO_PROXY: noProxy,
    REQUEST_METHOD: cgi ? 'GET' : undefined,
  }
  return proxyFromEnvironment(env)(new URL(url))?.host ?? ''
}

async function expectSame(oracle: Ask, question: Question): Promise<void> {
  const go = await oracle.ask<string>('httpproxy', question)
  const mine = answerOf(() => ours(question))
  if ('error' in go) expect(mine).toHaveProperty('error')
  // Ours are URLs of the web: default ports go.
  else expect(mine).toEqual({ result: go.result && new URL(go.result).host })
}

const names = [
  'a.test',
  'b.a.test',
  'c.b.a.test',
  'ba.test',
  'localhost',
  'x.localhost',
  'bücher.test',
  'xn--bcher-kva.test',
]
const addresses = ['10.0.0.1', '10.0.0.2', '10.1.2.3', '127.0.0.1', '127.9.9.9', '192.168.1.1', '172.16.0.9']
const addresses6 = ['[::1]', '[fd00::1]', '[fd00:1::1]', '[::ffff:10.0.0.1]', '[::ffff:127.0.0.1]', '[2001:db8::1]']
const hosts = [...names, ...addresses, ...addresses6]
const ports = ['', ':80', ':443', ':6443']
const url = fc
  .tuple(fc.constantFrom('http', 'https'), fc.constantFrom(...hosts), fc.constantFrom(...ports))
  .map(([scheme, host, port]) => `${scheme}://${host}${port}/x`)

const rule = fc.oneof(
  fc
    .tuple(fc.constantFrom('', '.', '*.', '..'), fc.constantFrom(...names), fc.constantFrom(...ports))
    .map((p) => p.join('')),
  fc
    .tuple(fc.constantFrom(...addresses, ...addresses6, 'fd00::1', '::1'), fc.constantFrom(...ports))
    .map((p) => p.join('')),
  fc
    .tuple(
      fc.constantFrom(...addresses, 'fd00::', '2001:db8::', '::', '::ffff:10.0.0.0'),
      fc.integer({ min: 0, max: 130 }),
    )
    .map(([address, bits]) => `${address}/${bits}`),
  fc.constantFrom(
    '*',
    '',
    ' ',
    ':443',
    '[]',
    '[]:443',
    '.',
    '10.0.0.0/',
    '010.0.0.1',
    '10.0.0.0/08',
    'A.Test',
    'fe80::1%eth0',
  ),
)
const list = fc
  .tuple(fc.array(rule, { maxLength: 4 }), fc.constantFrom(',', ', ', ' ,'))
  .map(([rules, comma]) => rules.join(comma))

describeWithOracle('proxies of the environment', (oracle) => {
  it('NO_PROXY excludes what it excludes in Go', async () => {
    const proxies = { httpProxy: 'http://p:3128', httpsProxy: 'http://p:3128' }
    const texts = mostlyValid(list, 'ab.*:/,[]0123456789 ')
    await fc.assert(
      fc.asyncProperty(texts, url, (noProxy, url) => expectSame(oracle, { ...proxies, noProxy, url })),
      runs(3000),
    )
  })

  it.each([
    'http://p',
    'https://p',
    'https://p:8443',
    'socks5://p:1080',
    'http://user:password@p:3128',
    'p',
    'p:3128',
    'user:password@p:3128',
    '10.0.0.1:3128',
    '[fd00::1]:3128',
    '',
  ])('reads %j as Go does', async (proxy) => {
    for (const url of ['http://h/', 'https://h/']) {
      await expectSame(oracle, { httpProxy: proxy, url })
      await expectSame(oracle, { httpsProxy: proxy, url })
    }
  })

  it.each(['http://h/', 'https://h/'])('in a CGI program, %s', async (url) => {
    const proxies = { httpProxy: 'http://p', httpsProxy: 'http://p', cgi: true }
    await expectSame(oracle, { ...proxies, url })
    await expectSame(oracle, { ...proxies, url, noProxy: '*' })
  })
})
