// The library's own transport: HTTP/2 or HTTP/1.1 over TLS, HTTP/1.1 without.

import type { Clock } from '../../clock/index.js'
import { Origin } from './origin.js'
import type { TLSSettings } from './tls-settings.js'
import type { Transport, TransportRequest, TransportResponse } from './transport.js'

/** Options of {@link HttpTransport}. */
export interface HttpTransportOptions {
  tls: TLSSettings
  clock: Clock
  disableCompression: boolean
}

/** Connections to any number of servers, all with the same TLS settings. */
export class HttpTransport implements Transport {
  readonly #options: HttpTransportOptions
  readonly #origins = new Map<string, Origin>()
  #closed = false

  constructor(options: HttpTransportOptions) {
    this.#options = options
  }

  async roundTrip(request: TransportRequest): Promise<TransportResponse> {
    if (this.#closed)
      throw new Error(`${request.method} ${request.url.origin}: the transport of this Config was closed`)
    const { protocol, host } = request.url
    const key = `${protocol}//${host}`
    let origin = this.#origins.get(key)
    if (origin === undefined) {
      const tls = protocol === 'https:' ? this.#options.tls : undefined
      origin = new Origin({ ...this.#options, url: request.url, tls })
      this.#origins.set(key, origin)
    }
    return origin.roundTrip(request)
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const origin of this.#origins.values()) origin.close()
    this.#origins.clear()
  }
}
