// Limits how often something is done: client-go's flowcontrol.RateLimiter, and the two trivial ones.
import { whenAborted } from '../clock/index.js'

/** Limits a rate. Made by {@link TokenBucketRateLimiter}, or your own. */
export interface RateLimiter {
  /** Requests a second, on average. `Infinity`: no limit. */
  readonly qps: number
  /** Takes a token if one is there; false, and nothing taken, if not. */
  tryAccept(): boolean
  /**
   * Takes a token and resolves when it may be used.
   *
   * @throws the signal's reason when it aborts first; the token is given back.
   */
  wait(options?: RateLimiterWaitOptions): Promise<void>
}

/** Options of {@link RateLimiter.wait}. */
export interface RateLimiterWaitOptions {
  signal?: AbortSignal | undefined
}

/** A limiter that never makes anyone wait. */
export function fakeAlwaysRateLimiter(): RateLimiter {
  return {
    qps: Number.POSITIVE_INFINITY,
    tryAccept: () => true,
    wait: async ({ signal } = {}) => signal?.throwIfAborted(),
  }
}

/** A limiter that lets nothing pass; for tests. Its `wait` ends only by the signal. */
export function fakeNeverRateLimiter(): RateLimiter {
  return {
    qps: 0,
    tryAccept: () => false,
    wait: ({ signal } = {}) =>
      new Promise((_resolve, reject) => {
        if (signal?.aborted) reject(signal.reason)
        else if (signal) whenAborted(signal, () => reject(signal.reason))
      }),
  }
}
