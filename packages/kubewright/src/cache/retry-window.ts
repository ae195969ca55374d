// For how long a kind of failure is answered by trying again at once.

import type { Clock } from '../clock/index.js'

/** A pause this long without such a failure, in milliseconds, and the next one opens a new window. */
const minResetMs = 60_000

/** client-go's RetryWithDeadline. */
export class RetryWindow {
  readonly #maxMs: number
  readonly #isRetryable: (err: unknown) => boolean
  readonly #clock: Clock
  #firstErrorAt: number | undefined
  #lastErrorAt: number | undefined

  /** @param maxMs how long after the first failure of a window there are retries; 0: never. */
  constructor(maxMs: number, isRetryable: (err: unknown) => boolean, clock: Clock) {
    this.#maxMs = maxMs
    this.#isRetryable = isRetryable
    this.#clock = clock
  }

  /** Notes a failure. */
  after(err: unknown): void {
    if (!this.#isRetryable(err)) return
    const now = this.#clock.monotonic()
    if (this.#lastErrorAt === undefined || now - this.#lastErrorAt >= minResetMs) this.#firstErrorAt = undefined
    this.#firstErrorAt ??= now
    this.#lastErrorAt = now
  }

  shouldRetry(): boolean {
    if (this.#maxMs <= 0) return false
    if (this.#firstErrorAt !== undefined && this.#clock.monotonic() - this.#firstErrorAt <= this.#maxMs) return true
    this.#firstErrorAt = undefined
    this.#lastErrorAt = undefined
    return false
  }
}
