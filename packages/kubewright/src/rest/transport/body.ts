// The body of an answer: decompressed, read once, its failures explained.

import type { Readable } from 'node:stream'
import { ConnectionError, printableURL } from './connection-error.js'
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
  const fail = (cause: unknown): never => {
    close()
    if (request.signal?.aborted) throw request.signal.reason
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new ConnectionError({
      method: request.method,
      url: printableURL(request.url),
      reason: 'lost',
      message: `the connection broke while the response body was read (${message}); try again`,
      cause,
    })
  }
  return {
    [Symbol.asyncIterator]() {
      const chunks: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]()
      return {
        async next() {
          try {
            const result = await chunks.next()
            onRead?.()
            if (!result.done) return result
            if (isComplete?.() === false) throw new Error('closed before its end')
            close()
            return result
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

function gunzip(source: Readable): Readable {
  const { createGunzip } = process.getBuiltinModule('node:zlib')
  // Errors of either end reach the reader through the pipeline's last stream.
  return process.getBuiltinModule('node:stream').pipeline(source, createGunzip(), () => {})
}
