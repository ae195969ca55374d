// The library's own transport: HTTP/2 or HTTP/1.1 over TLS, HTTP/1.1 without; directly or through a proxy.

import type { Clock } from '../../clock/index.js'
import type { ConnectionSettings } from './connection-settings.js'
import type { Dial } from './dial-hook.js'
import { Origin } from './origin.js'
import type { Proxy } from './proxy.js'
import type { TLSSettings } from './tls-settings.js'
import type { Transport, TransportRequest, TransportResponse } from './transport.js'

/** Options of {@link HttpTransport}. */
export interface HttpTransportOptions {
  tls: TLSSettings
  clock: Clock
  disableCompression: boolean
  settings: ConnectionSettings
  /** What requests to a URL go through. */
  proxyFor: (url: URL) => Proxy | undefined
  /** Makes TCP connections instead of node. */
  connect: Dial | undefined
}

/** Connections to any number of servers, all with the same TLS settings. */
export class HttpTransport implements Transport {
  readonly #options: HttpTransportOptions
  readonly #origins = new Map<string, Origin>()
  /** Those that trust other authorities than we do now; their requests may end as they began. */
  readonly #retired = new Set<Origin>()
  readonly #unsubscribe: (() => void) | undefined
  #closed = false

  constructor(options: HttpTransportOptions) {
    this.#options = options
    this.#unsubscribe = options.tls.certificates?.onCertificateChange(() => this.#closeConnections())
  }

  /** Not async itself: each layer that is costs every request. */
  roundTrip(request: TransportRequest): Promise<TransportResponse> {
    let origin: Origin
    try {
      if (this.#closed) {
        throw new Error(`${request.method} ${request.url.origin}: the transport of this Config was closed`)
      }
      origin = this.#originOf(request.url)
    } catch (err) {
      return Promise.reject(err)
    }
    return origin.roundTrip(request)
  }

  #originOf(url: URL): Origin {
    const { tls, proxyFor } = this.#options
    const { protocol, host } = url
    const isHttps = protocol === 'https:'
    if (isHttps && tls.refreshRoots()) this.#retireOrigins()
    const proxy = proxyFor(url)
    const key = `${protocol}//${host} ${proxy?.key ?? ''}`
    let origin = this.#origins.get(key)
    if (origin === undefined) {
      origin = new Origin({ ...this.#options, url, tls: isHttps ? tls : undefined, proxy, proxyTLS: tls })
      this.#origins.set(key, origin)
    }
    return origin
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#unsubscribe?.()
    for (const origin of [...this.#origins.values(), ...this.#retired]) origin.close()
    this.#origins.clear()
    this.#retired.clear()
  }

  #retireOrigins(): void {
    for (const origin of this.#origins.values()) {
      origin.retire()
      this.#retired.add(origin)
    }
    this.#origins.clear()
    for (const origin of this.#retired) if (origin.unused) this.#retired.delete(origin)
  }

  #closeConnections(): void {
    const reason = new Error('the client certificate has changed')
    for (const origin of [...this.#origins.values(), ...this.#retired]) origin.closeConnections(reason)
  }
}
