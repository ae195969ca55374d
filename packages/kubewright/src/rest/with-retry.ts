// When a request is sent again, and after how long: client-go's rules.

import { type Clock, sleep } from '../clock/index.js'
import { ApiError, goQuote, messageOf } from '../meta/index.js'
import { RequestTimeoutError } from './timeout-error.js'
import { ConnectionError } from './transport/connection-error.js'
import type { ResponseHeaders } from './transport/headers.js'
import type { TransportResponse } from './transport/transport.js'

/** How often a request is repeated at most. */
export const defaultMaxRetries: number = 10

/** Options of {@link WithRetry}. */
export interface WithRetryOptions {
  clock: Clock
  maxRetries: number
  /** False for bodies that can be sent once only. */
  replayable: boolean
  /** Whether a failure of the connection is worth another try. */
  isErrRetryable: (err: unknown) => boolean
  /** Waits for the client's own limit, before each repetition. */
  throttle: (options: { retryReason: string; signal: AbortSignal | undefined }) => Promise<void>
}

/** The tries of one call. */
export class WithRetry {
  readonly #options: WithRetryOptions
  #retries = 0
  #next: { seconds: number; reason: string } | undefined
  #currentErr: unknown
  #previousErr: unknown

  constructor(options: WithRetryOptions) {
    this.#options = options
  }

  /**
   * What to wait for before the next try; undefined: nothing.
   *
   * @throws the signal's reason
   */
  before(signal: AbortSignal | undefined): Promise<void> | undefined {
    signal?.throwIfAborted()
    return this.#next && this.#wait(this.#next, signal)
  }

  async #wait(next: { seconds: number; reason: string }, signal: AbortSignal | undefined): Promise<void> {
    await sleep(next.seconds * 1000, { signal, clock: this.#options.clock })
    const retryReason = `retries: ${this.#retries}, retry-after: ${next.seconds}s - retry-reason: ${next.reason}`
    await this.#options.throttle({ retryReason, signal })
  }

  /** Whether there is to be another try after this answer or error. */
  isNextRetry(outcome: { response: TransportResponse } | { err: unknown }): boolean {
    const next = this.#judge(outcome)
    if (this.#currentErr !== undefined) this.#previousErr = this.#currentErr
    this.#currentErr = 'err' in outcome ? outcome.err : undefined
    this.#next = next
    return next !== undefined
  }

  #judge(outcome: { response: TransportResponse } | { err: unknown }): { seconds: number; reason: string } | undefined {
    const { maxRetries, replayable, isErrRetryable } = this.#options
    if (!replayable) return undefined
    this.#retries++
    if (this.#retries > maxRetries) return undefined
    if ('err' in outcome) {
      if (!isErrRetryable(outcome.err)) return undefined
      return { seconds: 1, reason: `due to retryable error, error: ${messageOf(outcome.err)}` }
    }
    const { status, headers } = outcome.response
    if (status !== 429 && status < 500) return undefined
    const seconds = retryAfterSeconds(headers)
    if (seconds === undefined) return undefined
    const flowSchema = headers.get('x-kubernetes-pf-flowschema-uid')
    const reason =
      status === 429
        ? `due to server-side throttling, FlowSchema UID: ${goQuote(flowSchema ?? '')}`
        : `due to server-side retry-after, status: ${status}`
    return { seconds, reason }
  }

  /** The error, with the one of an earlier try in its message where that differs. */
  wrapPreviousError<E>(err: E): E {
    const previous = this.#previousErr
    if (previous === undefined || previous === err || messageOf(previous) === messageOf(err)) return err
    if (err instanceof ApiError || err instanceof ConnectionError || err instanceof RequestTimeoutError) {
      err.message = `${err.message} - error from a previous attempt: ${messageOf(previous)}`
    }
    return err
  }
}

/** The `Retry-After` header when it is a whole number of seconds; its other form, a date, counts as absent. */
export function retryAfterSeconds(headers: ResponseHeaders): number | undefined {
  const value = headers.get('retry-after')
  return value !== undefined && /^\d+$/.test(value) ? Number(value) : undefined
}
