// HTTP/1.1: a pool of sockets to one server that are kept alive between requests.

import type { Agent, ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type Clock, whenAborted } from '../../clock/index.js'
import { ReadableBody } from './body.js'
import { ConnectionError, isMalformed, printableURL } from './connection-error.js'
import type { ConnectionSettings } from './connection-settings.js'
import { type Dialed, type DialTimings, tcpKeepAliveMs } from './dial.js'
import { DialError } from './dial-error.js'
import type { Proxy } from './proxy.js'
import { isReplayable } from './request-body.js'
import type { TransportRequest, TransportResponse, TransportTimings } from './transport.js'
import { hostPort, refusal, throughProxy } from './tunnel.js'
import {
  bareHost,
  contentEncodingOf,
  headersFromRaw,
  maxHeaderBytes,
  sendBody,
  type WireHeadersOptions,
  wireHeaders,
} from './wire.js'

/** Idle sockets kept; as many as client-go keeps. */
const maxIdle = 25

/** Methods that may be repeated when nobody knows whether the server has seen them. */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Options of {@link Http1Pool}. */
export interface Http1PoolOptions extends WireHeadersOptions {
  /** Makes a socket, ready to speak HTTP/1.1. */
  connect: (signal: AbortSignal | undefined) => Promise<Dialed>
  clock: Clock
  /** What the sockets go through. An HTTP proxy without TLS behind it takes the requests themselves. */
  proxy: Proxy | undefined
  tls: unknown
  settings: Pick<ConnectionSettings, 'idleMs'>
  /** A request is sent. */
  onOpen: () => void
  /** Its answer has ended, or there will be none. */
  onEnd: () => void
}

/** The sockets to one server. Idle ones do not keep the program running. */
export class Http1Pool {
  readonly #options: Http1PoolOptions
  readonly #agent: Agent
  readonly #timings = new WeakMap<Socket, DialTimings>()
  /** The proxy that requests are sent to, for it to pass on. */
  readonly #forwarder: Proxy | undefined

  constructor(options: Http1PoolOptions) {
    this.#options = options
    this.#forwarder = options.tls || options.proxy?.isSocks ? undefined : options.proxy
    const { Agent } = process.getBuiltinModule('node:http')
    this.#agent = new Agent({
      keepAlive: true,
      keepAliveMsecs: tcpKeepAliveMs,
      maxFreeSockets: maxIdle,
      scheduling: 'lifo',
      // Of idle sockets: node closes them then, or before the server does, where that has said when.
      timeout: options.settings.idleMs,
    })
    const create = (request: { dialSignal?: AbortSignal }, done: (err: unknown, socket?: Socket) => void): void => {
      options.connect(request.dialSignal).then(
        ({ socket, timings }) => {
          this.#timings.set(socket, timings)
          // A server may answer and leave while a request is still being sent: the socket then fails with nobody listening.
          socket.on('error', () => {})
          done(null, socket)
        },
        (err) => done(err),
      )
    }
    Object.assign(this.#agent, { createConnection: create })
  }

  /** Sends a request; again when a kept socket turns out to have been closed by the server meanwhile. */
  async roundTrip(request: TransportRequest, start: number): Promise<TransportResponse> {
    for (;;) {
      try {
        return await this.#send(request, start)
      } catch (err) {
        if (!(err instanceof StaleSocketError)) throw err
        if (!safeMethods.has(request.method) || !isReplayable(request)) throw err.error
      }
    }
  }

  /** Breaks all connections; what is open fails for this reason. Later requests make new ones. */
  close(reason: Error): void {
    for (const sockets of Object.values(this.#agent.sockets)) for (const socket of sockets ?? []) socket.destroy(reason)
    this.#agent.destroy()
  }

  /** Closes what is idle, and what is not as soon as it is. */
  retire(): void {
    this.#agent.maxFreeSockets = 0
    for (const sockets of Object.values(this.#agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy()
  }

  #send(request: TransportRequest, start: number): Promise<TransportResponse> {
    const { body, signal } = request
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason)
        return
      }
      // Before the request has a socket: this may close them all.
      this.#options.onOpen()
      let outgoing: ClientRequest
      try {
        outgoing = this.#outgoing(request)
      } catch (err) {
        // A header that HTTP does not allow.
        this.#options.onEnd()
        reject(err)
        return
      }
      const timings = this.#timed(outgoing, start)
      const stopListening =
        signal &&
        whenAborted(signal, () => {
          outgoing.destroy()
          reject(signal.reason)
        })
      const release = (): void => stopListening?.()
      let failure: Error | undefined
      outgoing.on('error', (cause) => {
        failure ??= cause
        release()
        reject(this.#explain(request, outgoing, failure))
      })
      outgoing.once('close', () => {
        this.#options.onEnd()
        // A body that fails before there is a socket ends the request without an error. Later, this changes nothing.
        release()
        reject(this.#explain(request, outgoing, failure ?? new Error('closed before it was sent')))
      })
      outgoing.on('response', (incoming) => {
        if (this.#forwarder && incoming.statusCode === 407) {
          release()
          outgoing.destroy()
          reject(this.#refused(request, this.#forwarder))
          return
        }
        const response = this.#respond(request, outgoing, incoming, { release, failure: () => failure })
        resolve({ ...response, timings: timings() })
      })
      outgoing.on('upgrade', (incoming, socket) => {
        socket.destroy()
        release()
        reject(this.#explain(request, outgoing, new Error(`unexpected answer with status ${incoming.statusCode}`)))
      })
      sendBody(outgoing, body, (err) => {
        failure = err
      })
    })
  }

  /** A request as node sends it, without its body. Throws for a header that HTTP does not allow. */
  #outgoing(request: TransportRequest): ClientRequest {
    const { method, url, signal } = request
    const forwarder = this.#forwarder
    const options = {
      agent: this.#agent,
      host: bareHost(url),
      port: url.port,
      method,
      path: (forwarder ? url.origin : '') + url.pathname + url.search,
      headers: {
        ...wireHeaders(request, this.#options, { host: url.host }),
        ...(forwarder?.authorization && { 'proxy-authorization': forwarder.authorization }),
      },
      dialSignal: signal,
      maxHeaderSize: maxHeaderBytes,
    }
    const outgoing = process.getBuiltinModule('node:http').request(options)
    // Node would leave out those above a number, and say nothing.
    outgoing.maxHeadersCount = 0
    return outgoing
  }

  /** Follows a request; what it gives tells where the time went, once the answer's headers are there. */
  #timed(outgoing: ClientRequest, start: number): () => TransportTimings {
    const { clock } = this.#options
    let timings: TransportTimings = {}
    let sent = start
    outgoing.once('socket', (socket) => {
      sent = clock.monotonic()
      const made = outgoing.reusedSocket ? { reused: true } : this.#timings.get(socket)
      timings = { ...made, getConnectionMs: sent - start }
    })
    outgoing.once('finish', () => {
      sent = clock.monotonic()
    })
    return () => ({ ...timings, firstByteMs: clock.monotonic() - sent })
  }

  #respond(
    request: TransportRequest,
    outgoing: ClientRequest,
    incoming: IncomingMessage,
    { release, failure }: { release: () => void; failure: () => unknown },
  ): TransportResponse {
    const headers = headersFromRaw(incoming.rawHeaders)
    const close = (): void => {
      release()
      if (!incoming.readableEnded || !outgoing.writableFinished) outgoing.destroy()
    }
    return {
      status: incoming.statusCode ?? 0,
      headers,
      body: new ReadableBody({
        request,
        source: incoming,
        contentEncoding: contentEncodingOf(incoming.statusCode, headers),
        failure,
        close,
      }),
      close,
    }
  }

  #refused({ method, url }: TransportRequest, proxy: Proxy): ConnectionError {
    const message = `${throughProxy(hostPort(bareHost(url), Number(url.port || 80)), proxy)}: ${refusal(407, undefined)}`
    return new ConnectionError({ method, url: printableURL(url), reason: 'proxy', message })
  }

  #explain(request: TransportRequest, outgoing: ClientRequest, cause: Error): unknown {
    const { method, url, signal } = request
    if (signal?.aborted) return signal.reason
    const facts = { method, url: printableURL(url) }
    if (cause instanceof DialError) {
      return new ConnectionError({
        ...facts,
        reason: cause.reason,
        message: cause.message,
        cause: cause.cause ?? cause,
      })
    }
    const isProtocol = isMalformed(cause)
    const error = new ConnectionError({
      ...facts,
      reason: isProtocol ? 'protocol' : 'lost',
      message: isProtocol
        ? `${url.host} did not answer in HTTP (${cause.message}); should the host of the Config begin with https://?`
        : `the connection to ${url.host} was closed before an answer came (${cause.message})`,
      cause,
    })
    return !isProtocol && outgoing.reusedSocket ? new StaleSocketError(error) : error
  }
}

/** A kept socket broke before any byte of the answer. */
class StaleSocketError extends Error {
  readonly error: ConnectionError

  constructor(error: ConnectionError) {
    super(error.message)
    this.error = error
  }
}
