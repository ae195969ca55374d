// The token bucket: `qps` tokens a second flow in, at most `burst` are kept, and who waits books a token of the future.

import { type Clock, realClock, sleep } from '../clock/index.js'
import type { RateLimiter, RateLimiterWaitOptions } from './rate-limiter.js'

/** Options of {@link TokenBucketRateLimiter}. */
export interface TokenBucketOptions {
  /** Tokens a second, above 0; `Infinity`: no limit. */
  qps: number
  /** Tokens that the full bucket holds, a whole number above 0. */
  burst: number
  /** @defaultValue the machine's clock */
  clock?: Clock | undefined
}

/**
 * A token bucket with the arithmetic of Go's `x/time/rate`.
 *
 * **Guarantees**: it starts full; waits are served in the order they were asked for; an aborted wait gives its token
 * back, as far as later waits have not been booked behind it.
 */
export class TokenBucketRateLimiter implements RateLimiter {
  readonly qps: number
  readonly burst: number
  readonly #clock: Clock
  #tokens: number
  #last: number
  /** When the latest booked token may be used. */
  #lastEvent: number

  /** @throws RangeError when `qps` or `burst` is not above 0. */
  constructor({ qps, burst, clock = realClock }: TokenBucketOptions) {
    if (!(qps > 0)) throw new RangeError(`a token bucket's qps must be above 0, not ${qps}`)
    if (!(burst >= 1)) throw new RangeError(`a token bucket's burst must be 1 or more, not ${burst}`)
    this.qps = qps
    this.burst = Math.floor(burst)
    this.#clock = clock
    this.#tokens = this.burst
    this.#last = clock.monotonic()
    this.#lastEvent = this.#last
  }

  tryAccept(): boolean {
    if (this.qps === Number.POSITIVE_INFINITY) return true
    this.#refill()
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    this.#lastEvent = this.#last
    return true
  }

  /** Takes a token, if need be one of the future, and gives the milliseconds until it may be used. */
  reserve(): number {
    if (this.qps === Number.POSITIVE_INFINITY) return 0
    this.#refill()
    this.#tokens -= 1
    const delay = Math.max(0, (-this.#tokens / this.qps) * 1000)
    this.#lastEvent = this.#last + delay
    return delay
  }

  async wait({ signal }: RateLimiterWaitOptions = {}): Promise<void> {
    signal?.throwIfAborted()
    const delay = this.reserve()
    if (delay === 0) return
    const dueAt = this.#lastEvent
    try {
      await sleep(delay, { signal, clock: this.#clock })
    } catch (err) {
      this.#giveBack(dueAt)
      throw err
    }
  }

  #refill(): void {
    const now = this.#clock.monotonic()
    this.#tokens = Math.min(this.burst, this.#tokens + ((now - this.#last) / 1000) * this.qps)
    this.#last = now
  }

  /** What was booked behind this wait keeps its time, so only the rest of its token comes back. */
  #giveBack(dueAt: number): void {
    const bookedBehind = ((this.#lastEvent - dueAt) / 1000) * this.qps
    const restored = 1 - bookedBehind
    if (restored <= 0) return
    this.#refill()
    this.#tokens = Math.min(this.burst, this.#tokens + restored)
    if (dueAt === this.#lastEvent) {
      const previous = dueAt - 1000 / this.qps
      if (previous >= this.#last) this.#lastEvent = previous
    }
  }
}
