// The body of an answer: decompressed, read once, its failures explained.

import type { Readable } from 'node:stream'
import { ConnectionError, type ConnectionErrorReason, printableURL } from './connection-error.js'
import type { TransportRequest } from './transport.js'

/** Options of {@link readableBody}. */
export interface ReadableBodyOptions {
  request: TransportRequest
  source: Readable
  contentEncoding: string | undefined
  /** Called at each chunk and at the end: a sign of life. */
  onRead?: (() => void) | undefined
  /** Whether all was received, asked when the source has ended: HTTP/2 streams end quietly when they are cut off. */
  isComplete?: (() => boolean) | undefined
  /** Releases the exchange. Idempotent. */
  close: () => void
}

/** A node stream as an iterable of bytes whose errors are ConnectionErrors, or the signal's reason. */
export function readableBody({
  request,
  source,
  contentEncoding,
  onRead,
  isComplete,
  close,
}: ReadableBodyOptions): AsyncIterable<Uint8Array> {
  const stream = contentEncoding?.trim().toLowerCase() === 'gzip' ? gunzip(source) : source
  const error = (reason: ConnectionErrorReason, message: string, cause?: unknown): ConnectionError =>
    new ConnectionError({ method: request.method, url: printableURL(request.url), reason, message, cause })
  const fail = (cause: unknown): never => {
    close()
    if (request.signal?.aborted) throw request.signal.reason
    if (cause instanceof ConnectionError) throw cause
    const message = cause instanceof Error ? cause.message : String(cause)
    throw error('lost', `the connection broke while the response body was read (${message}); try again`, cause)
  }
  const { maxResponseBytes = Number.POSITIVE_INFINITY } = request
  let size = 0
  return {
    [Symbol.asyncIterator]() {
      const chunks = new Chunks(stream)
      return {
        async next() {
          try {
            request.signal?.throwIfAborted()
            const value = await chunks.next()
            onRead?.()
            size += value?.length ?? 0
            if (size > maxResponseBytes) {
              throw error(
                'size',
                `the response is larger than the ${maxResponseBytes} bytes that maxResponseBytes of the Config allows; ` +
                  'ask for less at a time (limit), or allow more',
              )
            }
            if (value !== undefined) return { done: false, value }
            if (isComplete?.() === false) throw new Error('closed before its end')
            close()
            return { done: true, value }
          } catch (err) {
            return fail(err)
          }
        },
        async return() {
          close()
          return { done: true, value: undefined }
        },
      }
    },
  }
}

/** Chunks held for a reader who is slower than the stream, before the stream is told to wait. */
const maxQueued = 16

/**
 * The chunks of a stream, one after the other, with a fraction of the work of node's own iterator. What arrived before a
 * failure comes before it.
 */
class Chunks {
  readonly #stream: Readable
  readonly #queue: Uint8Array[] = []
  #wake: (() => void) | undefined

  constructor(stream: Readable) {
    this.#stream = stream
    const wake = (): void => this.#wake?.()
    stream.on('data', (chunk: Uint8Array) => {
      if (this.#queue.push(chunk) >= maxQueued) stream.pause()
      wake()
    })
    stream.on('end', wake).on('error', wake).on('close', wake)
  }

  /** Undefined at the end. */
  async next(): Promise<Uint8Array | undefined> {
    const stream = this.#stream
    for (;;) {
      const chunk = this.#queue.shift()
      if (chunk !== undefined) return chunk
      if (stream.errored) throw stream.errored
      if (stream.readableEnded) return undefined
      if (stream.destroyed) throw new Error('closed before its end')
      if (stream.isPaused()) stream.resume()
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}

function gunzip(source: Readable): Readable {
  const { createGunzip } = process.getBuiltinModule('node:zlib')
  // Errors of either end reach the reader through the pipeline's last stream.
  return process.getBuiltinModule('node:stream').pipeline(source, createGunzip(), () => {})
}
