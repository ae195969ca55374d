// A proxy on the way to a server: where it is, how it is spoken to, and the credentials for it.

import { goQuote } from '../../meta/index.js'
import { basicAuth } from '../basic-auth.js'

/** The address of a proxy, read from its URL. Inspection shows no credentials. */
export class Proxy {
  /** `http:`, `https:`, `socks5:`; `socks5h:` means the same, since names are always looked up by the proxy. */
  readonly protocol: string
  /** Without brackets. */
  readonly host: string
  readonly port: number
  /** For messages: the URL without credentials. */
  readonly label: string
  readonly #username: string
  readonly #password: string

  constructor(url: URL) {
    const { protocol, hostname, port } = url
    this.protocol = protocol
    this.host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
    this.port = Number(port || defaultPorts[protocol])
    this.label = `${protocol}//${hostname}:${this.port}`
    this.#username = decodeURIComponent(url.username)
    this.#password = decodeURIComponent(url.password)
  }

  get isSocks(): boolean {
    return this.protocol.startsWith('socks5')
  }

  get credentials(): { username: string; password: string } | undefined {
    const username = this.#username
    const password = this.#password
    return username === '' && password === '' ? undefined : { username, password }
  }

  /** Value of the `Proxy-Authorization` header. */
  get authorization(): string | undefined {
    const { credentials } = this
    return credentials && basicAuth(credentials.username, credentials.password)
  }

  /** Tells proxies, and credentials for them, apart; a secret. */
  get key(): string {
    return JSON.stringify([this.label, this.#username, this.#password])
  }
}

const defaultPorts: Readonly<Record<string, string>> = {
  'http:': '80',
  'https:': '443',
  'socks5:': '1080',
  'socks5h:': '1080',
}

/**
 * Reads a proxy's URL.
 *
 * @param field where it was found, for the message.
 * @throws Error when it is no URL of a proxy that is understood; the message has no credentials.
 */
export function parseProxy(text: string | URL, field: string): Proxy {
  let url: URL
  try {
    url = new URL(text)
    // Percent signs that stand for nothing.
    decodeURIComponent(url.username + url.password)
  } catch {
    throw new Error(`${field}: could not parse the URL of the proxy; it reads http://host:port, https:// or socks5://`)
  }
  if (!(url.protocol in defaultPorts)) {
    const scheme = goQuote(url.protocol.slice(0, -1))
    throw new Error(`${field}: unsupported scheme ${scheme} of the proxy, must be http, https, or socks5`)
  }
  if (url.hostname === '') throw new Error(`${field}: the URL of the proxy names no host`)
  return new Proxy(url)
}
