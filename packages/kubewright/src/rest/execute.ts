// Makes a prepared call: limit, timeout, tries, and what becomes of the answer.

import type { RateLimiter } from '../flowcontrol/index.js'
import { ApiError, type Watch } from '../meta/index.js'
import { CallScope } from './call-scope.js'
import { certificateTimeProblem } from './certificate-validity.js'
import type { Config, Warning, WarningHandler } from './config.js'
import type { ObjectDecoder } from './object-decoder.js'
import { jsonParserFor } from './parse-json.js'
import { throttle } from './rate-limit.js'
import { CallObserver, type RequestKind } from './request-events.js'
import { logBody, shownBodySize } from './request-log.js'
import { ResponseBody } from './response-body.js'
import { asStatus, isJSON, Result } from './result.js'
import { errorFromResponse } from './status-error.js'
import { connectionErrorReason, printableURL } from './transport/connection-error.js'
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
  /** The part of the path that is the server's own prefix. */
  basePath: string
  headers: RequestHeaders
  body: Uint8Array | string | AsyncIterable<Uint8Array> | undefined
  config: Config
  transport: Transport
  limiter: RateLimiter | undefined
  timeout: number
  maxRetries: number
  warningHandler: WarningHandler | undefined
  decoder: ObjectDecoder<unknown> | undefined
  /** What the request is about, for messages. */
  target: { group: string | undefined; resource: string; name: string }
}

/** Small bodies are read before a retry, so that their connection can be used again. */
const maxDrain = 2048

/** Options of {@link callDo}. */
export interface DoOptions {
  signal: AbortSignal | undefined
  keepRaw: boolean
}

export function callDo<T>(call: PreparedCall, { signal, keepRaw }: DoOptions): Promise<Result<T>> {
  return wholeCall(call, { signal, keep: keepRaw ? Number.POSITIVE_INFINITY : 0 }, async (answer) => {
    const { response, body, scope } = answer
    const contentType = contentTypeOf(response)
    let decoded: { object: T } | undefined
    let raw: Uint8Array | undefined
    if (isJSON(contentType)) {
      const object = await decode<T>(call, body, scope)
      if (object !== undefined) decoded = { object }
      if (keepRaw) raw = body.kept()
    } else {
      raw = await body.bytes()
    }
    const { method, url } = call
    const warnings = handleWarnings(call, response)
    const status = asStatus(decoded?.object)
    if (status && status.status !== 'Success') throw new ApiError(status, { method, url: printableURL(url) })
    return new Result<T>({
      method,
      url,
      statusCode: response.status,
      contentType,
      warnings,
      raw,
      decoded,
    })
  })
}

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

interface Answer {
  response: TransportResponse
  body: ResponseBody
  scope: CallScope
}

/** Makes a call whose answer `take` reads to its end, if it is a success. */
function wholeCall<R>(
  call: PreparedCall,
  { signal, keep }: { signal: AbortSignal | undefined; keep: number },
  take: (answer: Answer) => Promise<R>,
): Promise<R> {
  const { config } = call
  const shown = shownBodySize(config.verbosity)
  if (shown > 0) logRequestBody(call)
  return observed(call, 'do', async (observer) => {
    if (call.limiter) await throttled(call, observer, { signal })
    const scope = newScope(call, signal)
    let body: ResponseBody | undefined
    try {
      const retry = newRetry(call, observer, (err) => call.method === 'GET' && connectionErrorReason(err) === 'lost')
      const response = await exchange(call, scope, retry, observer, config.maxResponseBytes)
      scope.doing = 'reading the response body'
      body = newBody(call, response, scope, Math.max(keep, shown))
      if (isSuccess(response.status)) return await take({ response, body, scope })
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

function logRequestBody({ config, url, body }: PreparedCall): void {
  if (body === undefined || (typeof body !== 'string' && !(body instanceof Uint8Array))) return
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  logBody(config, 'Request Body', { url, body: bytes, size: bytes.length })
}

/** Runs a call, telling those who listen of its beginning and end. */
function observed<R>(
  call: PreparedCall,
  kind: RequestKind,
  run: (observer: CallObserver | undefined) => Promise<R>,
): Promise<R> {
  const observer = CallObserver.start(call, kind)
  return observer === undefined ? run(undefined) : observedBy(observer, run)
}

async function observedBy<R>(observer: CallObserver, run: (observer: CallObserver) => Promise<R>): Promise<R> {
  try {
    const result = await run(observer)
    observer.ended()
    return result
  } catch (err) {
    observer.failed(err)
    throw err
  }
}

async function throttled(
  call: PreparedCall,
  observer: CallObserver | undefined,
  options: { signal: AbortSignal | undefined; retryReason?: string },
): Promise<void> {
  if (call.limiter === undefined) return
  const { clock } = call.config
  const start = observer && clock.monotonic()
  try {
    await throttle({ ...call, ...options })
  } finally {
    if (start !== undefined) observer?.throttled(clock.monotonic() - start)
  }
}

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

/** Takes no token for its first try: a watch is few requests and long ones. */
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
    const response = await exchange(call, scope, retry, observer)
    // What is streamed has no limit, what the server has to say of a failure has.
    const body = isSuccess(response.status)
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

/** Sends until there is an answer that is not to be tried again. */
async function exchange(
  call: PreparedCall,
  scope: CallScope,
  retry: WithRetry,
  observer: CallObserver | undefined,
  maxResponseBytes?: number,
): Promise<TransportResponse> {
  const { method, url, headers, body, transport } = call
  const request = { method, url, headers, body, signal: scope.signal, maxResponseBytes }
  for (;;) {
    const waiting = retry.before(scope.signal)
    if (waiting) await waiting
    scope.doing = 'waiting for the response headers'
    const start = observer ? call.config.clock.monotonic() : 0
    let response: TransportResponse
    try {
      response = await transport.roundTrip(request)
    } catch (err) {
      observer?.attempted(start, { err })
      if (scope.signal?.aborted) throw scope.signal.reason
      if (!retry.isNextRetry({ err })) throw retry.wrapPreviousError(err)
      scope.doing = `waiting to retry after: ${err instanceof Error ? err.message : err}`
      continue
    }
    observer?.attempted(start, { response })
    if (!retry.isNextRetry({ response })) return response
    scope.doing = `waiting to retry, as the server asked with status ${response.status}`
    await drain(response)
  }
}

function newScope(call: PreparedCall, signal: AbortSignal | undefined): CallScope {
  const { method, url, config } = call
  const timeout = call.timeout || (config.timeout ?? 0)
  return new CallScope({ method, url, clock: config.clock, timeout, signal })
}

function newRetry(
  call: PreparedCall,
  observer: CallObserver | undefined,
  isErrRetryable: (err: unknown) => boolean,
): WithRetry {
  const { body, config, maxRetries } = call
  return new WithRetry({
    clock: config.clock,
    maxRetries,
    replayable: body === undefined || typeof body === 'string' || body instanceof Uint8Array,
    isErrRetryable,
    throttle: (options) => throttled(call, observer, options),
  })
}

function newBody(call: PreparedCall, response: TransportResponse, scope: CallScope, keep: number): ResponseBody {
  const { clock } = call.config
  const parse = jsonParserFor(call.config)
  return new ResponseBody({ request: call, response, signal: scope.signal, clock, parse, keep, decoder: call.decoder })
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

function refusal(
  { method, url, target, config }: PreparedCall,
  response: TransportResponse,
  body: Uint8Array,
): ApiError {
  const err = errorFromResponse({ method, url: printableURL(url), ...target }, response, body)
  const problem = response.status === 401 ? certificateTimeProblem(config) : undefined
  if (problem !== undefined) err.message += `; ${problem}`
  return err
}
