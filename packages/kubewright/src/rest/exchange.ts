// Sends a call until there is an answer that is not to be tried again: scope, limit and retries.

import { messageOf } from '../meta/index.js'
import { CallScope } from './call-scope.js'
import type { PreparedCall } from './prepared-call.js'
import { throttle } from './rate-limit.js'
import type { CallObserver } from './request-events.js'
import { isReplayable } from './transport/request-body.js'
import type { TransportResponse } from './transport/transport.js'
import { WithRetry } from './with-retry.js'

/** Small bodies are read before a retry, so that their connection can be used again. */
const maxDrain = 2048

/** How one call is carried out. */
export interface ExchangeOptions {
  scope: CallScope
  retry: WithRetry
  /** Undefined: nobody listens. */
  observer: CallObserver | undefined
  /** Bytes above which reading the answer's content fails. @defaultValue no limit */
  maxResponseBytes?: number | undefined
}

/**
 * Sends until there is an answer that is not to be tried again, whatever its status.
 *
 * @throws what the transport throws, when that is not worth another try; the signal's reason when it aborts.
 */
export async function exchange(
  call: PreparedCall,
  { scope, retry, observer, maxResponseBytes }: ExchangeOptions,
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
      scope.doing = `waiting to retry after: ${messageOf(err)}`
      continue
    }
    observer?.attempted(start, { response })
    if (!retry.isNextRetry({ response })) return response
    scope.doing = `waiting to retry, as the server asked with status ${response.status}`
    await drain(response)
  }
}

/** The lifetime of a call. The caller disposes of it. */
export function newScope(call: PreparedCall, signal: AbortSignal | undefined): CallScope {
  const { method, url, config } = call
  const timeout = call.timeout || (config.timeout ?? 0)
  return new CallScope({ method, url, clock: config.clock, timeout, signal })
}

/** The tries of a call. */
export function newRetry(
  call: PreparedCall,
  observer: CallObserver | undefined,
  isErrRetryable: (err: unknown) => boolean,
): WithRetry {
  const { config, maxRetries } = call
  return new WithRetry({
    clock: config.clock,
    maxRetries,
    replayable: isReplayable(call),
    isErrRetryable,
    throttle: (options) => throttled(call, observer, options),
  })
}

/** Waits for the client's own limit, telling those who listen how long it took. */
export async function throttled(
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
