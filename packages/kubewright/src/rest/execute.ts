// Makes calls whose answer is read as a whole: decoded, or as it came.

import { ApiError } from '../meta/index.js'
import { contentTypeOf, handleWarnings, isSuccess, newBody, refusal } from './answer.js'
import type { CallScope } from './call-scope.js'
import { exchange, newRetry, newScope, throttled } from './exchange.js'
import type { PreparedCall } from './prepared-call.js'
import { observed } from './request-events.js'
import { logBody, shownBodySize } from './request-log.js'
import type { ResponseBody } from './response-body.js'
import { asStatus, isJSON, Result } from './result.js'
import { connectionErrorReason, printableURL } from './transport/connection-error.js'
import type { TransportResponse } from './transport/transport.js'

/** Options of {@link callDo}. */
export interface DoOptions {
  signal: AbortSignal | undefined
  /** Have the content of JSON as it came, too. */
  keepRaw: boolean
}

/** Makes a call and decodes its answer. Throws as `Request.do` does. */
export function callDo<T>(call: PreparedCall, { signal, keepRaw }: DoOptions): Promise<Result<T>> {
  return wholeCall(
    call,
    { signal, keep: keepRaw ? Number.POSITIVE_INFINITY : 0 },
    async ({ response, body, scope }) => {
      const { method, url } = call
      const contentType = contentTypeOf(response)
      let object: T | undefined
      let raw: Uint8Array | undefined
      if (isJSON(contentType)) {
        object = await decode<T>(call, body, scope)
        if (keepRaw) raw = body.kept()
      } else {
        raw = await body.bytes()
      }
      const warnings = handleWarnings(call, response)
      const status = asStatus(object)
      if (status && status.status !== 'Success') throw new ApiError(status, { method, url: printableURL(url) })
      const decoded = object === undefined ? undefined : { object }
      return new Result<T>({ method, url, statusCode: response.status, contentType, warnings, raw, decoded })
    },
  )
}

/** Makes a call and gives the content of its answer as it came. Throws as `Request.do` does. */
export function callDoRaw(call: PreparedCall, signal: AbortSignal | undefined): Promise<Uint8Array> {
  return wholeCall(call, { signal, keep: 0 }, async ({ response, body }) => {
    const raw = await body.bytes()
    handleWarnings(call, response)
    return raw
  })
}

async function decode<T>(call: PreparedCall, body: ResponseBody, scope: CallScope): Promise<T | undefined> {
  try {
    return (await body.json()) as T | undefined
  } catch (err) {
    if (!(err instanceof SyntaxError) || scope.signal?.aborted) throw err
    const { method, url } = call
    throw new Error(`${method} ${printableURL(url)}: the answer is not valid JSON: ${err.message}`, { cause: err })
  }
}

/** A success, whose body is to be read. */
interface Answer {
  response: TransportResponse
  body: ResponseBody
  scope: CallScope
}

/**
 * Makes a call whose answer `take` reads to its end, if it is a success.
 *
 * @param keep bytes from the beginning of the content that can be had again after it was read
 */
function wholeCall<R>(
  call: PreparedCall,
  { signal, keep }: { signal: AbortSignal | undefined; keep: number },
  take: (answer: Answer) => Promise<R>,
): Promise<R> {
  const { config, method } = call
  const { maxResponseBytes } = config
  const shown = shownBodySize(config.verbosity)
  if (shown > 0) logRequestBody(call)
  return observed(call, 'do', async (observer) => {
    // Asked here too: an await, even of nothing, costs every call.
    if (call.limiter) await throttled(call, observer, { signal })
    const scope = newScope(call, signal)
    let body: ResponseBody | undefined
    try {
      const retry = newRetry(call, observer, (err) => method === 'GET' && connectionErrorReason(err) === 'lost')
      const response = await exchange(call, { scope, retry, observer, maxResponseBytes })
      scope.doing = 'reading the response body'
      body = newBody(call, response, scope, Math.max(keep, shown))
      if (isSuccess(response)) return await take({ response, body, scope })
      const content = await body.bytes()
      handleWarnings(call, response)
      throw retry.wrapPreviousError(refusal(call, response, content))
    } catch (err) {
      throw scope.signal?.aborted ? scope.signal.reason : err
    } finally {
      scope.dispose()
      if (body) {
        observer?.received(body.size)
        if (shown > 0) logBody(config, 'Response Body', { url: call.url, body: body.kept(), size: body.size })
      }
    }
  })
}

/** A stream is not shown: it can be read once only. */
function logRequestBody({ config, url, body }: PreparedCall): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  if (bytes instanceof Uint8Array) logBody(config, 'Request Body', { url, body: bytes, size: bytes.length })
}
