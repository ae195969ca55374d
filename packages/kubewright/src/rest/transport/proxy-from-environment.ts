// Which proxy the environment names for a URL: HTTPS_PROXY, HTTP_PROXY and NO_PROXY, by the rules of Go's httpproxy.

import type { BlockList } from 'node:net'
import type { Environment } from './environment.js'
import { bareHost } from './wire.js'

type Matcher = (host: string, port: string, family: 0 | 4 | 6) => boolean

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
  const net = process.getBuiltinModule('node:net')
  const matchers: Matcher[] = []
  for (const part of list.split(',')) {
    const rule = part.trim().toLowerCase()
    if (rule === '*') return () => true
    const matcher = matcherOf(rule)
    if (matcher) matchers.push(matcher)
  }
  const loopback = new net.BlockList()
  loopback.addSubnet('127.0.0.0', 8)
  loopback.addAddress('::1', 'ipv6')
  const isLoopback = addressMatcher(loopback)
  return (host, port) => {
    if (host === 'localhost') return true
    const family = net.isIP(host) as 0 | 4 | 6
    return isLoopback(host, port, family) || matchers.some((matches) => matches(host, port, family))
  }
}

function matcherOf(rule: string): Matcher | undefined {
  const net = process.getBuiltinModule('node:net')
  const [, address = '', bits = ''] = /^([^/]+)\/(\d+)$/.exec(rule) ?? []
  const addressFamily = familyOf(address)
  if (addressFamily && Number(bits) <= (addressFamily === 'ipv4' ? 32 : 128)) {
    const network = new net.BlockList()
    network.addSubnet(address, Number(bits), addressFamily)
    return addressMatcher(network)
  }
  const { host, port } = splitPort(rule)
  const family = familyOf(host)
  if (family) {
    const single = new net.BlockList()
    single.addAddress(host, family)
    const matches = addressMatcher(single)
    return (other, otherPort, otherFamily) => matches(other, otherPort, otherFamily) && portMatches(port, otherPort)
  }
  if (host === '') return undefined
  const withDot = host.startsWith('*.') ? host.slice(1) : host
  const below = withDot.startsWith('.')
  const name = ascii(below ? withDot.slice(1) : withDot)
  return (other, otherPort, otherFamily) =>
    otherFamily === 0 && (other.endsWith(`.${name}`) || (!below && other === name)) && portMatches(port, otherPort)
}

function addressMatcher(list: BlockList): Matcher {
  return (host, _port, family) => family !== 0 && list.check(host, family === 4 ? 'ipv4' : 'ipv6')
}

function portMatches(port: string, other: string): boolean {
  return port === '' || port === other
}

/** Addresses with a zone (`fe80::1%eth0`) are none here: no URL has them. */
function familyOf(text: string): 'ipv4' | 'ipv6' | undefined {
  const family = text.includes('%') ? 0 : process.getBuiltinModule('node:net').isIP(text)
  return family === 0 ? undefined : family === 4 ? 'ipv4' : 'ipv6'
}

/** `host:port` and `[address]:port`; whatever else it is, is all host. */
function splitPort(rule: string): { host: string; port: string } {
  const [, bracketed, plain, port] = /^(?:\[([^[\]]*)\]|([^:[\]]*)):([^:[\]]*)$/.exec(rule) ?? []
  return port === undefined ? { host: rule, port: '' } : { host: bracketed ?? plain ?? '', port }
}

function ascii(name: string): string {
  return process.getBuiltinModule('node:url').domainToASCII(name) || name
}
