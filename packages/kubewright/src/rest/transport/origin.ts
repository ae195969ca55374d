// One server: finds out which HTTP it speaks, and shares its connections among requests.

import { type Clock, whenAborted } from '../../clock/index.js'
import { ConnectionError, printableURL } from './connection-error.js'
import type { ConnectionSettings } from './connection-settings.js'
import { type Dialed, dial } from './dial.js'
import { DialError } from './dial-error.js'
import type { Dial } from './dial-hook.js'
import { Http1Pool } from './http1.js'
import { Http2Connection } from './http2.js'
import type { Proxy } from './proxy.js'
import type { TLSSettings } from './tls-settings.js'
import type { TransportRequest, TransportResponse, TransportTimings } from './transport.js'
import { bareHost, type WireHeadersOptions } from './wire.js'

/** How often a request is sent again that the server says it has not processed. */
const maxNotProcessed = 6

/** Options of {@link Origin}. */
export interface OriginOptions extends WireHeadersOptions {
  url: URL
  clock: Clock
  /** Given for https. */
  tls: TLSSettings | undefined
  settings: ConnectionSettings
  proxy: Proxy | undefined
  proxyTLS: TLSSettings
  connect: Dial | undefined
}

/** A request on its way to an answer. */
interface Exchange {
  readonly request: TransportRequest
  /** When it came; milliseconds of the clock. */
  readonly start: number
  /** How often it is sent, this time included. */
  readonly tries: number
}

interface Waiter {
  resolve: (connection: Http2Connection | 'http1') => void
  reject: (reason: unknown) => void
}

/**
 * The connections to one server.
 *
 * Over TLS, requests wait for one connection attempt together and share what it gives. A further HTTP/2 connection is
 * made only when the server allows no more requests on those there are.
 */
export class Origin {
  readonly #options: OriginOptions
  readonly #host: string
  readonly #port: number
  readonly #http1: Http1Pool
  readonly #connections = new Set<Http2Connection>()
  #speaksHttp1: boolean
  /** The socket on which the server said that it speaks HTTP/1.1, until it is used. */
  #spare: Dialed | undefined
  readonly #waiting = new Set<Waiter>()
  #dialing: AbortController | undefined
  /** Of HTTP/1.1, which has a connection made for each request that finds none. */
  readonly #dialingHttp1 = new Set<AbortController>()
  /** Requests from their being sent to the end of their answers. */
  #open = 0
  #unwatch: (() => void) | undefined
  /** Counts how often all connections were closed: those being made meanwhile are of no use either. */
  #generation = 0
  #retired = false
  #closed = false

  constructor(options: OriginOptions) {
    const { url, tls } = options
    this.#options = options
    this.#host = bareHost(url)
    this.#port = Number(url.port || (tls ? 443 : 80))
    this.#speaksHttp1 = tls === undefined
    this.#http1 = new Http1Pool({
      ...options,
      connect: (signal) => this.#connectHttp1(signal),
      onOpen: () => this.#onOpen(),
      onEnd: () => this.#onEnd(),
    })
  }

  /** Nothing is going on, and nothing will. */
  get unused(): boolean {
    return this.#open === 0 && this.#waiting.size === 0 && this.#dialing === undefined
  }

  roundTrip(request: TransportRequest): Promise<TransportResponse> {
    return this.#try({ request, start: this.#options.clock.monotonic(), tries: 1 })
  }

  #try(exchange: Exchange): Promise<TransportResponse> {
    const ready = this.#reserve()
    return ready === undefined ? this.#sendLater(exchange) : this.#send(exchange, ready, { reused: true })
  }

  async #sendLater(exchange: Exchange): Promise<TransportResponse> {
    const connection = await this.#acquire(exchange.request)
    return this.#send(exchange, connection, connection === 'http1' ? {} : connection.timings)
  }

  #send(
    { request, start, tries }: Exchange,
    connection: Http2Connection | 'http1',
    timings: TransportTimings,
  ): Promise<TransportResponse> {
    if (connection === 'http1') return this.#http1.roundTrip(request, start)
    const getConnectionMs = this.#options.clock.monotonic() - start
    return connection.roundTrip(request, { ...timings, getConnectionMs }, () =>
      this.#closed || tries > maxNotProcessed ? undefined : this.#try({ request, start, tries: tries + 1 }),
    )
  }

  close(): void {
    this.#closed = true
    const reason = 'the transport was closed'
    for (const dialing of [this.#dialing, ...this.#dialingHttp1]) dialing?.abort(new DialError('connect', reason))
    this.#spare?.socket.destroy()
    this.#http1.close(new Error(reason))
    for (const connection of this.#connections) connection.destroy(new Error(reason))
  }

  /** Breaks all connections; requests that wait for one go on waiting, for the next. */
  closeConnections(reason: Error): void {
    this.#generation++
    this.#dialing?.abort()
    this.#spare?.socket.destroy()
    this.#http1.close(reason)
    for (const connection of this.#connections) connection.destroy(reason)
  }

  /** Lets the requests at hand end, and closes each connection when it is idle. */
  retire(): void {
    this.#retired = true
    this.#spare?.socket.destroy()
    this.#http1.retire()
    for (const connection of this.#connections) connection.retire()
  }

  /** A place for a request: on an HTTP/2 connection, or in the pool of HTTP/1.1. */
  async #acquire(request: TransportRequest): Promise<Http2Connection | 'http1'> {
    const { signal } = request
    signal?.throwIfAborted()
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(waiter)
        stopListening?.()
      }
      const stopListening =
        signal &&
        whenAborted(signal, () => {
          leave()
          reject(signal.reason)
          if (this.#waiting.size === 0) this.#dialing?.abort()
        })
      const waiter: Waiter = {
        resolve: (found) => {
          leave()
          resolve(found)
        },
        reject: (err) => {
          leave()
          reject(err instanceof DialError ? asConnectionError(request, err) : err)
        },
      }
      this.#waiting.add(waiter)
      this.#dial()
    })
  }

  #reserve(): Http2Connection | 'http1' | undefined {
    if (this.#speaksHttp1) return 'http1'
    for (const connection of this.#connections) if (connection.reserve()) return connection
    return undefined
  }

  /** Makes a connection, unless one is being made or may yet have room for all who wait. */
  #dial(): void {
    if (this.#dialing) return
    for (const connection of this.#connections) if (connection.settling) return
    const controller = new AbortController()
    this.#dialing = controller
    const { tls, settings } = this.#options
    const protocols = tls?.nextProtos ?? (settings.http2 ? ['h2', 'http/1.1'] : ['http/1.1'])
    this.#connect(protocols, controller.signal).then(
      (dialed) => {
        this.#dialing = undefined
        this.#take(dialed)
        this.#serveWaiting()
      },
      (err) => {
        this.#dialing = undefined
        // Without an abort of all who waited there is somebody to tell; after one, who came meanwhile starts anew.
        if (controller.signal.aborted && !this.#closed) this.#serveWaiting()
        else for (const waiter of this.#waiting) waiter.reject(err)
      },
    )
  }

  #take(dialed: Dialed): void {
    const { socket, alpnProtocol, timings } = dialed
    if (this.#closed) {
      socket.destroy()
    } else if (alpnProtocol === 'h2') {
      const connection = new Http2Connection({
        ...this.#options,
        socket,
        timings,
        origin: this.#options.url.origin,
        onChange: () => {
          if (connection.closed) this.#connections.delete(connection)
          this.#serveWaiting()
        },
        onOpen: () => this.#onOpen(),
        onEnd: () => this.#onEnd(),
      })
      this.#connections.add(connection)
    } else {
      this.#speaksHttp1 = true
      this.#spare = dialed
      // An unused socket neither keeps the program running nor brings it down.
      socket.unref().on('error', () => {})
    }
  }

  #onOpen(): void {
    if (this.#open++ === 0) this.#unwatch = this.#options.tls?.certificates?.watch?.()
  }

  #onEnd(): void {
    if (--this.#open > 0) return
    this.#unwatch?.()
    if (this.#retired) this.retire()
  }

  #serveWaiting(): void {
    for (const waiter of this.#waiting) {
      const connection = this.#reserve()
      if (connection === undefined) {
        if (!this.#closed) this.#dial()
        return
      }
      waiter.resolve(connection)
    }
  }

  async #connectHttp1(signal: AbortSignal | undefined): Promise<Dialed> {
    const spare = this.#spare
    this.#spare = undefined
    if (spare && !spare.socket.destroyed && spare.socket.readable) {
      spare.socket.ref()
      return spare
    }
    const dialing = new AbortController()
    const stopListening = signal && whenAborted(signal, () => dialing.abort(signal.reason))
    this.#dialingHttp1.add(dialing)
    try {
      for (;;) {
        signal?.throwIfAborted()
        if (this.#closed) throw new DialError('connect', 'the transport was closed')
        const generation = this.#generation
        const dialed = await this.#connect(['http/1.1'], dialing.signal)
        if (generation === this.#generation && !this.#closed) return dialed
        dialed.socket.destroy()
      }
    } finally {
      stopListening?.()
      this.#dialingHttp1.delete(dialing)
    }
  }

  #connect(alpnProtocols: readonly string[], signal: AbortSignal | undefined): Promise<Dialed> {
    const { clock, tls, proxy, proxyTLS, connect } = this.#options
    return dial({ host: this.#host, port: this.#port, clock, tls, alpnProtocols, proxy, proxyTLS, connect, signal })
  }
}

function asConnectionError({ method, url }: TransportRequest, err: DialError): ConnectionError {
  const { reason, message, cause } = err
  return new ConnectionError({ method, url: printableURL(url), reason, message, cause: cause ?? err })
}
