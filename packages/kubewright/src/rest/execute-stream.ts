// Makes calls whose answer is read as it comes: streams of bytes, and watches.

import type { Watch } from '../meta/index.js'
import { contentTypeOf, handleWarnings, isSuccess, newBody, refusal } from './answer.js'
import type { CallScope } from './call-scope.js'
import { exchange, newRetry, newScope, throttled } from './exchange.js'
import type { PreparedCall } from './prepared-call.js'
import { type CallObserver, observed } from './request-events.js'
import { isJSON } from './result.js'
import { connectionErrorReason, printableURL } from './transport/connection-error.js'
import type { TransportResponse } from './transport/transport.js'
import { emptyWatch, StreamWatch } from './watch/stream-watch.js'

/** The content of an answer as it arrives. To be read once; `break`, `close()` and the call's signal release the connection. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  /** Media type with its parameters; `''` when the server named none. */
  readonly contentType: string
  /** Idempotent. */
  close(): void
}

/** Makes a call up to its headers, and gives its content as it arrives. */
export async function callStream(call: PreparedCall, signal: AbortSignal | undefined): Promise<ByteStream> {
  const { response, scope } = await observed(call, 'stream', async (observer) => {
    await throttled(call, observer, { signal })
    return open(call, signal, observer, () => false)
  })
  const close = (): void => {
    scope.dispose()
    response.close()
  }
  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      yield* response.body
    } catch (err) {
      throw scope.signal?.aborted ? scope.signal.reason : err
    } finally {
      close()
    }
  }
  return { contentType: contentTypeOf(response), close, [Symbol.asyncIterator]: read }
}

/** Makes a call whose answer is a watch. Takes no token for its first try: a watch is few requests and long ones. */
export async function callWatch<T>(call: PreparedCall, signal: AbortSignal | undefined): Promise<Watch<T>> {
  try {
    const { response, scope } = await observed(call, 'watch', (observer) =>
      open(call, signal, observer, isLostOrTimeout),
    )
    const contentType = contentTypeOf(response)
    if (!isJSON(contentType)) {
      scope.dispose()
      response.close()
      throw new Error(
        `${call.method} ${printableURL(call.url)}: cannot decode a watch of content type ${contentType}: only ` +
          'application/json is understood',
      )
    }
    return new StreamWatch<T>({ call, response, scope })
  } catch (err) {
    if (isLostOrTimeout(err)) return emptyWatch()
    throw err
  }
}

/** What ends a watch that could have gone on: to its user it is over, and is begun again. */
function isLostOrTimeout(err: unknown): boolean {
  const reason = connectionErrorReason(err)
  return reason === 'lost' || reason === 'timeout'
}

/** Makes a call up to its headers. The scope that is given back covers the body, and is the caller's to dispose of. */
async function open(
  call: PreparedCall,
  signal: AbortSignal | undefined,
  observer: CallObserver | undefined,
  isErrRetryable: (err: unknown) => boolean,
): Promise<{ response: TransportResponse; scope: CallScope }> {
  const scope = newScope(call, signal)
  try {
    const retry = newRetry(call, observer, isErrRetryable)
    const response = await exchange(call, { scope, retry, observer })
    // What is streamed has no limit, what the server has to say of a failure has.
    const body = isSuccess(response)
      ? undefined
      : await newBody(call, response, scope, 0).bytes({ atMost: call.config.maxResponseBytes })
    handleWarnings(call, response)
    if (body) throw retry.wrapPreviousError(refusal(call, response, body))
    scope.doing = 'reading the response body'
    // A timeout of the request's own is left to the server from here on; the Config's is for the whole exchange.
    scope.relax(call.config.timeout ?? 0)
    return { response, scope }
  } catch (err) {
    scope.dispose()
    throw scope.signal?.aborted ? scope.signal.reason : err
  }
}
