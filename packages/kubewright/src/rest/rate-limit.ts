// The client's own limit on requests: the limiter of a Config, and waiting for it without puzzling the user.

import { type RateLimiter, TokenBucketRateLimiter } from '../flowcontrol/index.js'
import { messageOf } from '../meta/index.js'
import type { Config } from './config.js'

/** Requests a second when the Config says nothing. */
export const defaultQPS: number = 5
/** Requests at once when the Config says nothing. */
export const defaultBurst: number = 10

/** From how many milliseconds on a wait is told to the user. */
const longWaitMs = 1000
/** At most one message in so many milliseconds, for each Config. */
const messageIntervalMs = 1000

/** The limiter that a Config asks for; undefined when its `qps` is negative. */
export function rateLimiterFor(config: Config): RateLimiter | undefined {
  if (config.rateLimiter) return config.rateLimiter
  const qps = config.qps || defaultQPS
  if (qps < 0) return undefined
  return new TokenBucketRateLimiter({ qps, burst: config.burst || defaultBurst, clock: config.clock })
}

/** Options of {@link throttle}. */
export interface ThrottleOptions {
  config: Config
  limiter: RateLimiter | undefined
  method: string
  url: URL
  /** Why the request is sent again, where it is. */
  retryReason?: string | undefined
  signal?: AbortSignal | undefined
}

const lastMessage = new WeakMap<Config, number>()

/**
 * Waits until the limiter lets a request pass.
 *
 * @throws the signal's reason; or an Error around what a limiter of the user's own throws.
 */
export async function throttle({ config, limiter, method, url, retryReason, signal }: ThrottleOptions): Promise<void> {
  if (limiter === undefined) return
  const { clock, logger } = config
  const start = clock.monotonic()
  try {
    await limiter.wait({ signal })
  } catch (err) {
    if (signal?.aborted) throw signal.reason
    throw new Error(`client rate limiter Wait returned an error: ${messageOf(err)}`, {
      cause: err,
    })
  }
  const now = clock.monotonic()
  const waited = now - start
  if (waited <= longWaitMs || now - (lastMessage.get(config) ?? Number.NEGATIVE_INFINITY) < messageIntervalMs) return
  lastMessage.set(config, now)
  const reason = retryReason ?? 'client-side throttling, not priority and fairness'
  logger.warn(
    `waited ${(waited / 1000).toFixed(1)}s before sending a request: the client's own limit of ${limiter.qps} requests a second, ` +
      'not the server, makes it wait; qps and burst of the Config change it',
    { method, url: url.pathname, reason },
  )
}
