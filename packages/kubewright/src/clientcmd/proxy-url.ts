// The `proxy-url` of a cluster.

import { goQuote as quote } from '../meta/index.js'

/** A URL fit for a message: without user name and password. */
export function withoutUserInfo(url: string): string {
  return url.replace(/^([^/?#]*\/\/)?[^/?#]*@/, '$1')
}

/** What is wrong with a proxy URL, or undefined: it must be http, https or socks5. */
export function proxyUrlProblem(url: string): string | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase() ?? ''
  if (!['http', 'https', 'socks5'].includes(scheme)) {
    return `unsupported scheme ${quote(scheme)}, must be http, https, or socks5`
  }
  return URL.canParse(url) ? undefined : `could not parse: ${withoutUserInfo(url)}`
}
