// A watch: events out of the body of an answer.

import type { Status } from '../../gen/api/meta/v1.js'
import { messageOf, shown, type Watch, type WatchEvent } from '../../meta/index.js'
import type { CallScope } from '../call-scope.js'
import type { Logger } from '../logger.js'
import type { ObjectDecoder } from '../object-decoder.js'
import { jsonParserFor, parseJSON } from '../parse-json.js'
import { newGenericServerResponse } from '../status-error.js'
import { RequestTimeoutError } from '../timeout-error.js'
import { ReadableBody } from '../transport/body.js'
import { connectionErrorReason } from '../transport/connection-error.js'
import type { TransportResponse } from '../transport/transport.js'
import { JSONStreamDecoder } from './json-stream.js'

/** Options of {@link StreamWatch}. */
export interface StreamWatchOptions {
  call: {
    method: string
    config: { logger: Logger; maxResponseBytes: number; losslessIntegers: boolean }
    decoder?: ObjectDecoder<unknown> | undefined
  }
  response: TransportResponse
  /** Disposed of when the watch ends. */
  scope: CallScope
}

/** An iterator of a watch that may give out what is there without a promise for each event. */
export interface WatchIterator<T> extends AsyncIterator<WatchEvent<T>> {
  /**
   * The next event, if it has arrived; undefined when `next` has to be asked, which also tells of the end and of errors.
   * Not to be called while a `next` is pending.
   */
  ready?(): WatchEvent<T> | undefined
}

const eventTypes = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR'])

/** Decodes as it is read: a slow reader slows the server down. */
export class StreamWatch<T> implements Watch<T> {
  readonly #options: StreamWatchOptions
  readonly #decoder: JSONStreamDecoder
  /** What went wrong outside of the loop over the events, which is told there. */
  #failure: { reason: unknown } | undefined
  /** Of a body that is none of ours. */
  #chunks: AsyncIterator<Uint8Array> | undefined
  #iterated = false
  #stopped = false
  /** Calls of `next` that have not been answered, and the last of them. */
  #pending = 0
  #lastNext: Promise<unknown> | undefined

  constructor(options: StreamWatchOptions) {
    this.#options = options
    const { config, decoder: objects } = options.call
    const parse = jsonParserFor(config)
    const decode = objects ? objects.event.bind(objects) : (bytes: Uint8Array) => parseJSON(bytes, parse)
    this.#decoder = new JSONStreamDecoder(config.maxResponseBytes, decode)
  }

  stop(): void {
    if (this.#stopped) return
    this.#stopped = true
    this.#options.scope.dispose()
    this.#options.response.close()
    // A generator of somebody else's has what to release of its own. What it says to that is of no concern any more.
    this.#chunks?.return?.().catch(() => {})
  }

  [Symbol.asyncIterator](): WatchIterator<T> {
    if (this.#iterated) throw new Error('a watch can be iterated once; start another watch')
    this.#iterated = true
    return {
      next: () => this.#next(),
      ready: () => this.#ready(),
      return: async () => {
        this.stop()
        return end
      },
    }
  }

  /** Who asks again before there was an answer gets the next event, as from a generator. */
  #next(): Promise<IteratorResult<WatchEvent<T>, undefined>> {
    const read = (): Promise<IteratorResult<WatchEvent<T>, undefined>> => this.#read()
    const next = this.#pending++ > 0 && this.#lastNext ? this.#lastNext.then(read, read) : read()
    // One that is answered already would keep its event from the garbage collector.
    this.#lastNext = this.#pending > 0 ? next : undefined
    return next
  }

  #ready(): WatchEvent<T> | undefined {
    if (this.#stopped || this.#failure) return undefined
    try {
      return this.#nextDecoded()
    } catch (reason) {
      this.#failure = { reason }
      return undefined
    }
  }

  /** The next event of the chunks read so far. */
  #nextDecoded(): WatchEvent<T> | undefined {
    const { response, scope } = this.#options
    const { body } = response
    for (;;) {
      scope.signal?.throwIfAborted()
      const next = this.#decoder.next()
      if (next !== undefined) return asEvent<T>(next)
      // Its end it tells once, to the loop.
      const chunk = body instanceof ReadableBody ? body.arrived() : undefined
      if (!chunk) return undefined
      this.#decoder.push(chunk)
    }
  }

  async #read(): Promise<IteratorResult<WatchEvent<T>, undefined>> {
    const { scope } = this.#options
    try {
      do {
        const value = this.#ready()
        if (value) return { done: false, value }
        if (this.#stopped) return end
        if (this.#failure) throw this.#failure.reason
      } while (await this.#moreCame())
      if (this.#stopped) return end
      scope.signal?.throwIfAborted()
      if (!this.#decoder.isComplete) this.#options.call.config.logger.debug('a watch ended inside an event')
      this.stop()
      return end
    } catch (err) {
      if (this.#stopped) return end
      try {
        const value = this.#errorEvent(err)
        return value ? { done: false, value } : end
      } finally {
        this.stop()
      }
    } finally {
      if (--this.#pending === 0) this.#lastNext = undefined
    }
  }

  /** Waits for bytes. False when there will be no more. */
  async #moreCame(): Promise<boolean> {
    const { body } = this.#options.response
    if (body instanceof ReadableBody) {
      const chunk = await body.next()
      if (chunk) this.#decoder.push(chunk)
      return chunk !== undefined
    }
    this.#chunks ??= body[Symbol.asyncIterator]()
    const { done, value } = await this.#chunks.next()
    if (!done) this.#decoder.push(value)
    return !done
  }

  /** The last event of a watch that failed; undefined where it just ends. @throws the signal's reason */
  #errorEvent(err: unknown): WatchEvent<T> | undefined {
    const { scope, call } = this.#options
    if (scope.signal?.aborted) {
      if (scope.signal.reason instanceof RequestTimeoutError) return undefined
      throw scope.signal.reason
    }
    if (connectionErrorReason(err) !== undefined) {
      call.config.logger.debug('a watch ended with its connection', { error: err })
      return undefined
    }
    return { type: 'ERROR', object: decodingStatus(call.method, err) }
  }
}

const end: IteratorReturnResult<undefined> = { done: true, value: undefined }

function asEvent<T>(value: unknown): WatchEvent<T> {
  const { type, object } = (value ?? {}) as { type?: unknown; object?: unknown }
  if (typeof type !== 'string' || !eventTypes.has(type)) {
    throw new Error(`got invalid watch event type: ${typeof type === 'string' ? type : shown(type, 200)}`)
  }
  if (typeof object !== 'object' || object === null) throw new Error(`a watch event of type ${type} has no object`)
  return value as WatchEvent<T>
}

/** apimachinery's report of what a client could not decode. */
function decodingStatus(method: string, err: unknown): Status {
  const message = `unable to decode an event from the watch stream: ${messageOf(err)}`
  const status = newGenericServerResponse({
    code: 500,
    method,
    serverMessage: message,
    retryAfterSeconds: 0,
    isUnexpectedResponse: true,
  })
  status.details?.causes?.push({ reason: 'ClientWatchDecoding', message })
  return status
}

/** A watch that has ended. */
export function emptyWatch<T>(): Watch<T> {
  return {
    stop: () => {},
    [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
  }
}
