// HTTP/2: one connection that carries many requests at once, watched over so that a dead one is noticed.

import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { type Clock, type Timer, whenAborted } from '../../clock/index.js'
import { ReadableBody } from './body.js'
import { ConnectionError, isMalformed, printableURL } from './connection-error.js'
import type { ConnectionSettings } from './connection-settings.js'
import type { DialTimings } from './dial.js'
import { isReplayable } from './request-body.js'
import type { TransportRequest, TransportResponse, TransportTimings } from './transport.js'
import {
  contentEncodingOf,
  headersFromRaw,
  maxHeaderBytes,
  sendBody,
  type WireHeadersOptions,
  wireHeaders,
} from './wire.js'

/** Streams that are opened before the server says how many it allows. */
const initialMaxStreams = 100
/** Bytes that the server may send ahead on a stream, and on all together: a slow reader must not stop the others. */
const streamWindow = 4 * 2 ** 20
const connectionWindow = 2 ** 30

const noError = 0
const refusedStream = 7
const cancel = 8

/** Headers that belong to a connection, which HTTP/2 does not know. */
const connectionHeaders: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
])

/** None where node knows by itself that there is no body: it copies what it is given in a slow way. */
function streamOptions({ method, body }: TransportRequest): { endStream: boolean } | undefined {
  return method === 'GET' && body === undefined ? undefined : { endStream: body === undefined }
}

/** Options of {@link Http2Connection}. */
export interface Http2ConnectionOptions extends WireHeadersOptions {
  socket: Socket
  /** Of the connection's making. */
  timings: DialTimings
  origin: string
  clock: Clock
  settings: ConnectionSettings
  /** A stream ended, more are allowed, no more are taken, or the connection is closed. */
  onChange: () => void
  /** The first of the requests that are open at a time. */
  onOpen: () => void
  /** The last of them. */
  onEnd: () => void
}

/** One connection. While no request is open it does not keep the program running. */
export class Http2Connection {
  readonly #options: Http2ConnectionOptions
  readonly #session: ClientHttp2Session
  #active = 0
  #retired = false
  #closed = false
  #maxStreams = initialMaxStreams
  #knowsMaxStreams = false
  /** Streams above it were not processed; known once the server said that it goes away. */
  #lastStreamID = Number.POSITIVE_INFINITY
  #lastRead: number
  #timer: Timer | undefined
  /** Node's timer of idleness went off during a request; it starts again with traffic only. */
  #isTimerSpent = false

  constructor(options: Http2ConnectionOptions) {
    const { socket, origin, clock, settings, onChange } = options
    this.#options = options
    this.#lastRead = clock.monotonic()
    this.#session = process.getBuiltinModule('node:http2').connect(origin, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: streamWindow, maxHeaderListSize: maxHeaderBytes },
      maxSessionMemory: 1024,
      maxHeaderListPairs: maxHeaderBytes,
      maxSendHeaderBlockLength: maxHeaderBytes,
    })
    this.#session.unref()
    // Node would wait for the server to close its half too, which not all do.
    socket.on('finish', () => socket.destroy())
    this.#session.setTimeout(settings.idleMs)
    this.#session.on('timeout', () => {
      if (this.#active === 0) this.retire()
      else this.#isTimerSpent = true
    })
    this.#session.once('connect', () => {
      if (!this.#session.destroyed) this.#session.setLocalWindowSize(connectionWindow)
    })
    this.#session.on('remoteSettings', ({ maxConcurrentStreams }) => {
      this.#maxStreams = maxConcurrentStreams ?? Number.POSITIVE_INFINITY
      this.#knowsMaxStreams = true
      onChange()
    })
    this.#session.on('goaway', (_code, lastStreamID) => {
      this.#lastStreamID = lastStreamID
      this.#retire()
    })
    // Each open stream reports the failure too.
    this.#session.on('error', () => this.#retire())
    this.#session.on('close', () => {
      this.#retired = true
      this.#closed = true
      onChange()
    })
  }

  /** Of the connection's making. */
  get timings(): DialTimings {
    return this.#options.timings
  }

  /** Nothing goes on any more. A connection that only takes no new requests is not closed yet. */
  get closed(): boolean {
    return this.#closed
  }

  /** The server is about to say how many requests it takes; those that find no place should wait for that. */
  get settling(): boolean {
    return !this.#knowsMaxStreams && !this.#retired
  }

  /** Takes a place for a request; false when there is none. */
  reserve(): boolean {
    if (this.#retired || this.#active >= this.#maxStreams) return false
    if (this.#session.closed || this.#session.destroyed) return false
    this.#active++
    if (this.#active === 1) {
      this.#session.ref()
      this.#watchOver()
      this.#options.onOpen()
    }
    return true
  }

  /** Gives a place back that was not used. */
  release(): void {
    this.#active--
    if (this.#active === 0) {
      this.#timer?.cancel()
      this.#timer = undefined
      this.#session.unref()
      if (this.#isTimerSpent) {
        this.#isTimerSpent = false
        this.#session.setTimeout(this.#options.settings.idleMs)
      }
      this.#options.onEnd()
    }
    this.#options.onChange()
  }

  /** Takes no more requests, and closes when those that are open have ended. */
  retire(): void {
    this.#retire()
    this.#session.close()
  }

  /** Closes at once; what is open fails for this reason. */
  destroy(reason: Error): void {
    this.#retire()
    this.#session.destroy(reason)
  }

  /**
   * Sends a request on the place reserved for it.
   *
   * @param again sends a request once more that the server has not processed; undefined: that is enough.
   */
  roundTrip(
    request: TransportRequest,
    timings: TransportTimings,
    again: () => Promise<TransportResponse> | undefined,
  ): Promise<TransportResponse> {
    const { body, signal } = request
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        this.release()
        reject(signal.reason)
        return
      }
      let stream: ClientHttp2Stream
      try {
        stream = this.#open(request)
      } catch (err) {
        this.release()
        if (this.#retired || this.#session.closed) resolve(this.#notAnswered(request, undefined, err, again))
        else reject(err)
        return
      }
      let closed = false
      const close = (): void => {
        closed = true
        stopListening?.()
        if (stream.destroyed || (stream.readableEnded && stream.writableFinished)) return
        if (stream.writableFinished && !stream.closed) stream.close(cancel)
        stream.destroy()
      }
      const stopListening =
        signal &&
        whenAborted(signal, () => {
          close()
          reject(signal.reason)
        })
      const { clock } = this.#options
      let sent = clock.monotonic()
      if (body !== undefined) {
        stream.on('finish', () => {
          sent = clock.monotonic()
        })
      }
      let answered = false
      let failure: unknown
      stream.on('error', (err) => {
        failure = err
      })
      stream.on('close', () => {
        stopListening?.()
        this.release()
        // Comes after any error.
        if (answered) return
        if (signal?.aborted) reject(signal.reason)
        else resolve(this.#notAnswered(request, stream, failure, again))
      })
      stream.on('response', (parsed, _flags, raw: string[] = []) => {
        answered = true
        this.#lastRead = clock.monotonic()
        const status = Number(parsed[':status'])
        const headers = headersFromRaw(raw)
        const body = new ReadableBody({
          request,
          source: stream,
          contentEncoding: contentEncodingOf(status, headers),
          onRead: () => {
            this.#lastRead = clock.monotonic()
          },
          isComplete: () => !signal?.aborted && (closed || (stream.rstCode ?? noError) === noError),
          close,
        })
        resolve({ status, headers, timings: { ...timings, firstByteMs: this.#lastRead - sent }, body, close })
      })
      if (body !== undefined) sendBody(stream, body)
    })
  }

  #open(request: TransportRequest): ClientHttp2Stream {
    const { method, url } = request
    const pseudo = {
      ':method': method,
      ':scheme': 'https',
      ':authority': url.host,
      ':path': url.pathname + url.search,
    }
    const headers = wireHeaders(request, this.#options, pseudo, connectionHeaders)
    return this.#session.request(headers, streamOptions(request))
  }

  #retire(): void {
    if (this.#retired) return
    this.#retired = true
    this.#options.onChange()
  }

  /** Sends the request again where that can do no harm; else fails with what happened. */
  async #notAnswered(
    request: TransportRequest,
    stream: ClientHttp2Stream | undefined,
    cause: unknown,
    again: () => Promise<TransportResponse> | undefined,
  ): Promise<TransportResponse> {
    const { method, url } = request
    const message = cause instanceof Error ? cause.message : `stream closed with code ${stream?.rstCode ?? 0}`
    const facts = { method, url: printableURL(url), cause }
    if (isMalformed(cause)) {
      const problem = `${url.host} agreed to HTTP/2 and did not answer in it (${message}); is there a proxy in between?`
      throw new ConnectionError({ ...facts, reason: 'protocol', message: problem })
    }
    const notProcessed =
      stream === undefined ||
      stream.rstCode === refusedStream ||
      (stream.id ?? Number.POSITIVE_INFINITY) > this.#lastStreamID
    const retried = notProcessed && isReplayable(request) ? again() : undefined
    if (retried !== undefined) return retried
    throw new ConnectionError({
      ...facts,
      reason: 'lost',
      message: `the connection to ${url.host} was closed before an answer came (${message})`,
    })
  }

  /** Sets the timer of the next look; runs only while requests are open. */
  #watchOver(): void {
    const { clock, settings } = this.#options
    const { readIdleMs } = settings
    if (readIdleMs === 0) return
    this.#timer = clock.setTimer(this.#lastRead + readIdleMs - clock.monotonic(), () => {
      if (clock.monotonic() - this.#lastRead < readIdleMs) this.#watchOver()
      else this.#ping()
    })
  }

  #ping(): void {
    const { clock, settings } = this.#options
    const { readIdleMs, pingTimeoutMs } = settings
    const asked = clock.monotonic()
    this.#timer = clock.setTimer(pingTimeoutMs, () => {
      if (this.#lastRead > asked) this.#watchOver()
      else this.#session.destroy(new Error(`no sign of the server for ${(readIdleMs + pingTimeoutMs) / 1000}s`))
    })
    if (this.#session.destroyed) return
    this.#session.ping((err) => {
      if (err) return
      this.#lastRead = clock.monotonic()
      if (this.#active === 0) return
      this.#timer?.cancel()
      this.#watchOver()
    })
  }
}
