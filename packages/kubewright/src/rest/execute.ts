// Makes a prepared call: limit, timeout, tries, and what becomes of the answer.

import type { RateLimiter } from '../flowcontrol/index.js'
import type { Watch } from '../meta/index.js'
import { CallScope } from './call-scope.js'
import type { Config, Warning, WarningHandler } from './config.js'
import { throttle } from './rate-limit.js'
import { isJSON, Result } from './result.js'
import { errorFromResponse } from './status-error.js'
import { ConnectionError, connectionErrorReason, printableURL } from './transport/connection-error.js'
import type { RequestHeaders } from './transport/headers.js'
import type { Transport, TransportResponse } from './transport/transport.js'
import { parseWarningHeaders, warningHandlerFor } from './warnings.js'
import { emptyWatch, StreamWatch } from './watch/stream-watch.js'
import { WithRetry } from './with-retry.js'

/** The content of an answer as it arrives. To be read once; `break`, `close()` and the call's signal release the connection. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  /** Media type with its parameters; `''` when the server named none. */
  readonly contentType: string
  /** Idempotent. */
  close(): void
}

/** A built request, ready to go. */
export interface PreparedCall {
  method: string
  url: URL
  headers: RequestHeaders
  body: Uint8Array | string | AsyncIterable<Uint8Array> | undefined
  config: Config
  transport: Transport
  limiter: RateLimiter | undefined
  timeout: number
  maxRetries: number
  warningHandler: WarningHandler | undefined
  /** What the request is about, for messages. */
  target: { group: string | undefined; resource: string; name: string }
}

/** Small bodies are read before a retry, so that their connection can be used again. */
const maxDrain = 2048

export async function callDo<T>(call: PreparedCall, signal: AbortSignal | undefined): Promise<Result<T>> {
  return withScope(call, signal, async (scope) => {
    const retry = newRetry(call, (err) => call.method === 'GET' && connectionErrorReason(err) === 'lost')
    const response = await exchange(call, scope, retry)
    scope.doing = 'reading the response body'
    const raw = await readBody(call, response, scope.signal)
    const warnings = handleWarnings(call, response)
    if (!isSuccess(response.status)) {
      throw retry.wrapPreviousError(errorFromResponse(failedRequest(call), response, raw))
    }
    return new Result<T>({
      method: call.method,
      url: printableURL(call.url),
      statusCode: response.status,
      contentType: contentTypeOf(response),
      warnings,
      raw,
    })
  })
}

export async function callDoRaw(call: PreparedCall, signal: AbortSignal | undefined): Promise<Uint8Array> {
  return (await callDo(call, signal)).raw
}

export async function callStream(call: PreparedCall, signal: AbortSignal | undefined): Promise<ByteStream> {
  await throttle({ ...call, signal })
  const { response, scope } = await open(call, signal, () => false)
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

/** Takes no token for its first try: a watch is few requests and long ones. */
export async function callWatch<T>(call: PreparedCall, signal: AbortSignal | undefined): Promise<Watch<T>> {
  try {
    const { response, scope } = await open(call, signal, isLostOrTimeout)
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

/** Runs a call whose end is known when `run` settles. */
async function withScope<R>(
  call: PreparedCall,
  signal: AbortSignal | undefined,
  run: (scope: CallScope) => Promise<R>,
): Promise<R> {
  await throttle({ ...call, signal })
  const scope = newScope(call, signal)
  try {
    return await run(scope)
  } catch (err) {
    throw scope.signal?.aborted ? scope.signal.reason : err
  } finally {
    scope.dispose()
  }
}

/** Makes a call up to its headers. The scope that is given back covers the body, and is the caller's to dispose of. */
async function open(
  call: PreparedCall,
  signal: AbortSignal | undefined,
  isErrRetryable: (err: unknown) => boolean,
): Promise<{ response: TransportResponse; scope: CallScope }> {
  const scope = newScope(call, signal)
  try {
    const retry = newRetry(call, isErrRetryable)
    const response = await exchange(call, scope, retry)
    const succeeded = isSuccess(response.status)
    const body = succeeded ? undefined : await readBody(call, response, scope.signal)
    handleWarnings(call, response)
    if (body) throw retry.wrapPreviousError(errorFromResponse(failedRequest(call), response, body))
    scope.doing = 'reading the response body'
    // A timeout of the request's own is left to the server from here on; the Config's is for the whole exchange.
    scope.relax(call.config.timeout ?? 0)
    return { response, scope }
  } catch (err) {
    scope.dispose()
    throw scope.signal?.aborted ? scope.signal.reason : err
  }
}

/** Sends until there is an answer that is not to be tried again. */
async function exchange(call: PreparedCall, scope: CallScope, retry: WithRetry): Promise<TransportResponse> {
  const { method, url, headers, body, transport } = call
  const request = {
    method,
    url,
    headers,
    ...(body !== undefined && { body }),
    ...(scope.signal && { signal: scope.signal }),
  }
  for (;;) {
    await retry.before(scope.signal)
    scope.doing = 'waiting for the response headers'
    let response: TransportResponse
    try {
      response = await transport.roundTrip(request)
    } catch (err) {
      if (scope.signal?.aborted) throw scope.signal.reason
      if (!retry.isNextRetry({ err })) throw retry.wrapPreviousError(err)
      scope.doing = `waiting to retry after: ${err instanceof Error ? err.message : err}`
      continue
    }
    if (!retry.isNextRetry({ response })) return response
    scope.doing = `waiting to retry, as the server asked with status ${response.status}`
    await drain(response)
  }
}

function newScope(call: PreparedCall, signal: AbortSignal | undefined): CallScope {
  const { method, url, config } = call
  const timeout = call.timeout || (config.timeout ?? 0)
  return new CallScope({ method, url: printableURL(url), clock: config.clock, timeout, signal })
}

function newRetry(call: PreparedCall, isErrRetryable: (err: unknown) => boolean): WithRetry {
  const { body, config, maxRetries } = call
  return new WithRetry({
    clock: config.clock,
    maxRetries,
    replayable: body === undefined || typeof body === 'string' || body instanceof Uint8Array,
    isErrRetryable,
    throttle: (options) => throttle({ ...call, ...options }),
  })
}

async function readBody(
  call: PreparedCall,
  response: TransportResponse,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of response.body) chunks.push(chunk)
  } catch (err) {
    if (signal?.aborted) throw signal.reason
    if (err instanceof ConnectionError) throw err
    throw new ConnectionError({
      method: call.method,
      url: printableURL(call.url),
      reason: connectionErrorReason(err) ?? 'protocol',
      message: `unexpected error when reading response body. Please retry. Original error: ${err instanceof Error ? err.message : err}`,
      cause: err,
    })
  } finally {
    response.close()
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
}

async function drain(response: TransportResponse): Promise<void> {
  try {
    let size = 0
    if (Number(response.headers.get('content-length') ?? 0) > maxDrain) return
    for await (const chunk of response.body) if ((size += chunk.length) > maxDrain) break
  } catch {
    // What is thrown away need not be whole.
  } finally {
    response.close()
  }
}

function handleWarnings(call: PreparedCall, response: TransportResponse): readonly Warning[] {
  const values = response.headers.getAll('warning')
  if (values.length === 0) return []
  const warnings = parseWarningHeaders(values)
  const handler = call.warningHandler ?? warningHandlerFor(call.config)
  for (const warning of warnings) handler(warning)
  return warnings
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 206
}

function contentTypeOf(response: TransportResponse): string {
  return response.headers.get('content-type') ?? ''
}

function failedRequest({ method, url, target }: PreparedCall): Parameters<typeof errorFromResponse>[0] {
  return { method, url: printableURL(url), ...target }
}
