// Which proxy the environment names for a URL: HTTPS_PROXY, HTTP_PROXY and NO_PROXY, by the rules of Go's httpproxy.

import type { Environment } from '../environment.js'
import { bareHost } from './wire.js'

/** A host of a URL; its address, where it is one. */
interface Target {
  host: string
  port: string
  address: Address | undefined
}

interface Address {
  text: string
  family: 'ipv4' | 'ipv6'
}

type Matcher = (target: Target) => boolean

/**
 * The function that says which proxy the environment names for a URL; undefined: none, go there directly.
 *
 * `HTTPS_PROXY` is for https, `HTTP_PROXY` for http; each may be a URL, or `host:port`, and what is neither counts as
 * absent. Names in capitals come first, those in small letters second. `localhost` and loopback addresses are never
 * proxied. `NO_PROXY` is a list, separated by commas, of what is not either:
 *
 * - `example.com`, `*.example.com`, `.example.com`: the first with the name itself, all with the names below it,
 * - `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`: addresses as they stand in URLs; names are not looked up,
 * - any but networks with `:port` behind it: that port only,
 * - `*`: everything.
 *
 * The function throws for http in a CGI program (`REQUEST_METHOD` is set): there anybody could have set `HTTP_PROXY`, by
 * a header of the request.
 */
export function proxyFromEnvironment(env: Environment): (url: URL) => URL | undefined {
  const any = (name: string): string => env[name.toUpperCase()] || env[name.toLowerCase()] || ''
  const httpsProxy = urlOf(any('https_proxy'))
  const httpProxy = urlOf(any('http_proxy'))
  if (httpsProxy === undefined && httpProxy === undefined) return () => undefined
  const isExcluded = exclusions(any('no_proxy'))
  return (url) => {
    const isHttps = url.protocol === 'https:'
    const proxy = isHttps ? httpsProxy : httpProxy
    if (proxy === undefined) return undefined
    if (!isHttps && env.REQUEST_METHOD) {
      throw new Error('refusing to use HTTP_PROXY in a CGI program (REQUEST_METHOD is set); give the Config a proxyUrl')
    }
    return isExcluded(bareHost(url), url.port || (isHttps ? '443' : '80')) ? undefined : proxy
  }
}

function urlOf(text: string): URL | undefined {
  if (text === '') return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && url.host !== '') return url
  const prefixed = `http://${text}`
  return URL.canParse(prefixed) ? new URL(prefixed) : undefined
}

function exclusions(list: string): (host: string, port: string) => boolean {
  const matchers = [network('127.0.0.0', 8), network('::1', 128)]
  for (const part of list.split(',')) {
    const rule = part.trim().toLowerCase()
    if (rule === '*') return () => true
    const matcher = matcherOf(rule)
    if (matcher) matchers.push(matcher)
  }
  return (host, port) => {
    const target = { host, port, address: addressOf(host) }
    return host === 'localhost' || matchers.some((matches) => matches(target))
  }
}

function matcherOf(rule: string): Matcher | undefined {
  const [, base = '', bits = ''] = /^([^/]+)\/(\d+)$/.exec(rule) ?? []
  if (addressOf(base) && Number(bits) <= (base.includes(':') ? 128 : 32)) return network(base, Number(bits))
  const { host, port } = splitPort(rule)
  if (host === '') return undefined
  const matches = addressOf(host) ? network(host, host.includes(':') ? 128 : 32) : domain(host)
  return port === '' ? matches : (target) => target.port === port && matches(target)
}

function domain(rule: string): Matcher {
  const withDot = rule.startsWith('*.') ? rule.slice(1) : rule
  const below = withDot.startsWith('.')
  const name = ascii(below ? withDot.slice(1) : withDot)
  return ({ host, address }) => address === undefined && (host.endsWith(`.${name}`) || (!below && host === name))
}

/** The addresses that share the first bits with one; those of IPv4 are the same ones in IPv6's clothes. */
function network(base: string, bits: number): Matcher {
  const list = new (process.getBuiltinModule('node:net').BlockList)()
  const mapped = base.includes(':') && addressOf(base)?.family === 'ipv4'
  const { text, family } = (mapped && bits < 96 ? undefined : addressOf(base)) ?? {
    text: base,
    family: 'ipv6' as const,
  }
  list.addSubnet(text, mapped && bits >= 96 ? bits - 96 : bits, family)
  return ({ address }) => address?.family === family && list.check(address.text, family)
}

/** Addresses with a zone (`fe80::1%eth0`) are none here: no URL has them. */
function addressOf(text: string): Address | undefined {
  const family = text.includes('%') ? 0 : process.getBuiltinModule('node:net').isIP(text)
  if (family === 0) return undefined
  if (family === 4) return { text, family: 'ipv4' }
  const [, high = '', low = ''] = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(new URL(`http://[${text}]`).hostname) ?? []
  if (high === '') return { text, family: 'ipv6' }
  const bytes = [high, low].flatMap((word) => [Number.parseInt(word, 16) >> 8, Number.parseInt(word, 16) & 255])
  return { text: bytes.join('.'), family: 'ipv4' }
}

/** `host:port` and `[address]:port`; whatever else it is, is all host. */
function splitPort(rule: string): { host: string; port: string } {
  const [, bracketed, plain, port] = /^(?:\[([^[\]]*)\]|([^:[\]]*)):([^:[\]]*)$/.exec(rule) ?? []
  return port === undefined ? { host: rule, port: '' } : { host: bracketed ?? plain ?? '', port }
}

function ascii(name: string): string {
  return process.getBuiltinModule('node:url').domainToASCII(name) || name
}
