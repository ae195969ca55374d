// The body of an answer: decompressed, read once, its failures explained.

import type { Readable } from 'node:stream'
import { messageOf } from '../../meta/index.js'
import { ConnectionError, type ConnectionErrorReason, isMalformed, printableURL } from './connection-error.js'
import type { TransportRequest } from './transport.js'

/** Options of {@link ReadableBody}. */
export interface ReadableBodyOptions {
  request: TransportRequest
  source: Readable
  contentEncoding: string | undefined
  /** Called at each chunk and at the end: a sign of life. */
  onRead?: (() => void) | undefined
  /** Whether all was received, asked when the source has ended: HTTP/2 streams end quietly when they are cut off. */
  isComplete?: (() => boolean) | undefined
  /** What broke the exchange, where the source itself only knows that it broke. */
  failure?: (() => unknown) | undefined
  /** Releases the exchange. Idempotent. */
  close: () => void
}

/** Chunks held for a reader who is slower than the stream, before the stream is told to wait. */
const maxQueued = 16

/**
 * A node stream as bytes whose errors are ConnectionErrors, or the signal's reason; with a fraction of the work of node's
 * own iterator. What arrived before a failure comes before it.
 */
export class ReadableBody implements AsyncIterable<Uint8Array> {
  readonly #options: ReadableBodyOptions
  readonly #stream: Readable
  /** Undefined until somebody reads. */
  #queue: Uint8Array[] | undefined
  #size = 0
  #wake: (() => void) | undefined

  constructor(options: ReadableBodyOptions) {
    const { source, contentEncoding } = options
    this.#options = options
    this.#stream = contentEncoding?.trim().toLowerCase() === 'gzip' ? gunzip(source) : source
  }

  /**
   * The next chunk; undefined at the end. The loop of {@link ReadableBody} with less work: who stops before the end
   * closes the exchange.
   */
  async next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const chunk = this.poll()
      if (chunk !== undefined) return chunk ?? undefined
      await this.arrival()
    }
  }

  /** What there is now: a chunk, null at the end, or undefined when {@link ReadableBody.arrival} is to be awaited. */
  poll(): Uint8Array | null | undefined {
    const { request, onRead, isComplete, failure, close } = this.#options
    const { signal, maxResponseBytes = Number.POSITIVE_INFINITY } = request
    try {
      signal?.throwIfAborted()
      const queue = this.#queue ?? this.#listen()
      const chunk = queue.shift()
      if (chunk === undefined && !this.#isAtEnd()) return undefined
      onRead?.()
      this.#size += chunk?.length ?? 0
      if (this.#size > maxResponseBytes) {
        throw this.#error(
          'size',
          `the response is larger than the ${maxResponseBytes} bytes that maxResponseBytes of the Config allows; ` +
            'ask for less at a time (limit), or allow more',
        )
      }
      if (chunk !== undefined) return chunk
      if (isComplete?.() === false) throw new Error('closed before its end')
      close()
      return null
    } catch (thrown) {
      close()
      if (signal?.aborted) throw signal.reason
      if (thrown instanceof ConnectionError) throw thrown
      const err = failure?.() ?? thrown
      const message = messageOf(err)
      if (isMalformed(err)) {
        throw this.#error(
          'protocol',
          `the response body is not what its headers say (${message}); is there a proxy that changes answers?`,
          err,
        )
      }
      throw this.#error('lost', `the connection broke while the response body was read (${message}); try again`, err)
    }
  }

  /** The next chunk that has arrived; undefined where {@link ReadableBody.poll} would tell more, or is to be asked first. */
  arrived(): Uint8Array | undefined {
    return this.#queue?.length ? (this.poll() ?? undefined) : undefined
  }

  /** Resolves when there is something to {@link ReadableBody.poll}. */
  arrival(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    return {
      next: async () => {
        const value = await this.next()
        return value === undefined ? { done: true, value } : { done: false, value }
      },
      return: async () => {
        this.#options.close()
        return { done: true, value: undefined }
      },
    }
  }

  #listen(): Uint8Array[] {
    const queue: Uint8Array[] = []
    this.#queue = queue
    const wake = (): void => this.#wake?.()
    this.#stream.on('data', (chunk: Uint8Array) => {
      if (queue.push(chunk) >= maxQueued) this.#stream.pause()
      wake()
    })
    this.#stream.on('end', wake).on('error', wake).on('close', wake)
    return queue
  }

  /** Whether nothing more will come; if something may, the stream flows. Throws what broke the stream. */
  #isAtEnd(): boolean {
    const stream = this.#stream
    if (stream.errored) throw stream.errored
    if (stream.readableEnded) return true
    if (stream.destroyed) throw new Error('closed before its end')
    if (stream.isPaused()) stream.resume()
    return false
  }

  #error(reason: ConnectionErrorReason, message: string, cause?: unknown): ConnectionError {
    const { method, url } = this.#options.request
    return new ConnectionError({ method, url: printableURL(url), reason, message, cause })
  }
}

function gunzip(source: Readable): Readable {
  const { createGunzip } = process.getBuiltinModule('node:zlib')
  // Errors of either end reach the reader through the pipeline's last stream.
  return process.getBuiltinModule('node:stream').pipeline(source, createGunzip(), () => {})
}
