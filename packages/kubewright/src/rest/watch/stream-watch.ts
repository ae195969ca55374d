// A watch: events out of the body of an answer.

import type { Status } from '../../gen/api/meta/v1.js'
import { messageOf, type Watch, type WatchEvent } from '../../meta/index.js'
import type { CallScope } from '../call-scope.js'
import type { Logger } from '../logger.js'
import type { ObjectDecoder } from '../object-decoder.js'
import { jsonParserFor, parseJSON } from '../parse-json.js'
import { newGenericServerResponse } from '../status-error.js'
import { RequestTimeoutError } from '../timeout-error.js'
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

const eventTypes = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR'])

/** Decodes as it is read: a slow reader slows the server down. */
export class StreamWatch<T> implements Watch<T> {
  readonly #options: StreamWatchOptions
  #iterated = false
  #stopped = false

  constructor(options: StreamWatchOptions) {
    this.#options = options
  }

  stop(): void {
    this.#stopped = true
    this.#options.scope.dispose()
    this.#options.response.close()
  }

  [Symbol.asyncIterator](): AsyncIterator<WatchEvent<T>> {
    if (this.#iterated) throw new Error('a watch can be iterated once; start another watch')
    this.#iterated = true
    const events = this.#events()
    return {
      next: () => events.next(),
      // Stops first: a generator would put the return behind a pending next, which may never come.
      return: async () => {
        this.stop()
        return events.return(undefined)
      },
    }
  }

  async *#events(): AsyncGenerator<WatchEvent<T>, undefined> {
    const { response, scope, call } = this.#options
    const { logger, maxResponseBytes } = call.config
    const parse = jsonParserFor(call.config)
    const { decoder: objects } = call
    const decode = objects ? objects.event.bind(objects) : (bytes: Uint8Array) => parseJSON(bytes, parse)
    const decoder = new JSONStreamDecoder(maxResponseBytes, decode)
    try {
      scope.signal?.throwIfAborted()
      for await (const chunk of response.body) {
        for (const value of decoder.push(chunk)) {
          if (this.#stopped) return
          scope.signal?.throwIfAborted()
          yield asEvent<T>(value)
        }
      }
      scope.signal?.throwIfAborted()
      if (!decoder.isComplete) logger.debug('a watch ended inside an event')
    } catch (err) {
      if (this.#stopped) return
      if (scope.signal?.aborted) {
        if (scope.signal.reason instanceof RequestTimeoutError) return
        throw scope.signal.reason
      }
      if (connectionErrorReason(err) !== undefined) {
        logger.debug('a watch ended with its connection', { error: err })
        return
      }
      yield { type: 'ERROR', object: decodingStatus(call.method, err) }
    } finally {
      this.stop()
    }
  }
}

function asEvent<T>(value: unknown): WatchEvent<T> {
  const { type, object } = (value ?? {}) as { type?: unknown; object?: unknown }
  if (typeof type !== 'string' || !eventTypes.has(type)) {
    throw new Error(`got invalid watch event type: ${typeof type === 'string' ? type : JSON.stringify(type)}`)
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
