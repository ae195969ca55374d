// How long an item has to wait before its next try: the limiters that a rate-limiting queue asks.
import type { Clock } from '../clock/index.js'
import { type TokenBucketOptions, TokenBucketRateLimiter } from '../flowcontrol/index.js'

/** Decides when an item may be tried again. */
export interface RateLimiter<T> {
  /** Counts a failure of `item` and gives the wait before its next try, in milliseconds. */
  when(item: T): number
  /** Ends the tracking of `item`, because it succeeded or was given up. */
  forget(item: T): void
  /** How many failures of `item` were counted since it was last forgotten. */
  numRequeues(item: T): number
}

/** Options of the limiters that count by item. */
export interface ItemRateLimiterOptions<T> {
  /** What items are counted by; give the one of the queue. @defaultValue the item itself */
  key?: ((item: T) => string) | undefined
}

/** Failures by item. */
class FailureCounter<T> {
  readonly #failures = new Map<unknown, number>()
  readonly #keyOf: (item: T) => unknown

  constructor({ key }: ItemRateLimiterOptions<T>) {
    this.#keyOf = key ?? ((item) => item)
  }

  /** Counts one more and returns how many there had been before. */
  increment(item: T): number {
    const before = this.get(item)
    this.#failures.set(this.#keyOf(item), before + 1)
    return before
  }

  get(item: T): number {
    return this.#failures.get(this.#keyOf(item)) ?? 0
  }

  delete(item: T): void {
    this.#failures.delete(this.#keyOf(item))
  }
}

/** Waits `baseMs` × 2^failures milliseconds, at most `maxMs`. */
export class ItemExponentialFailureRateLimiter<T> implements RateLimiter<T> {
  readonly #failures: FailureCounter<T>
  readonly #baseMs: number
  readonly #maxMs: number

  constructor(baseMs: number, maxMs: number, options: ItemRateLimiterOptions<T> = {}) {
    this.#baseMs = baseMs
    this.#maxMs = maxMs
    this.#failures = new FailureCounter(options)
  }

  when(item: T): number {
    // As much as a number can hold: 2 ** 1024 is infinite, and 0 times that is not a number.
    const factor = Math.min(2 ** this.#failures.increment(item), Number.MAX_VALUE)
    return Math.min(this.#baseMs * factor, this.#maxMs)
  }

  forget(item: T): void {
    this.#failures.delete(item)
  }

  numRequeues(item: T): number {
    return this.#failures.get(item)
  }
}

/** Waits `fastMs` milliseconds for the first `maxFastAttempts` tries of an item, and `slowMs` from then on. */
export class ItemFastSlowRateLimiter<T> implements RateLimiter<T> {
  readonly #failures: FailureCounter<T>
  readonly #fastMs: number
  readonly #slowMs: number
  readonly #maxFastAttempts: number

  constructor(fastMs: number, slowMs: number, maxFastAttempts: number, options: ItemRateLimiterOptions<T> = {}) {
    this.#fastMs = fastMs
    this.#slowMs = slowMs
    this.#maxFastAttempts = maxFastAttempts
    this.#failures = new FailureCounter(options)
  }

  when(item: T): number {
    return this.#failures.increment(item) < this.#maxFastAttempts ? this.#fastMs : this.#slowMs
  }

  forget(item: T): void {
    this.#failures.delete(item)
  }

  numRequeues(item: T): number {
    return this.#failures.get(item)
  }
}

/**
 * A token bucket for all items together. Each call takes a token, if need be one of the future, and gives the wait
 * until it is there. Counts nothing by item.
 */
export class BucketRateLimiter<T> implements RateLimiter<T> {
  readonly #bucket: TokenBucketRateLimiter

  /** @throws RangeError when `qps` is not above 0, or `burst` is below 1. */
  constructor(options: TokenBucketOptions) {
    this.#bucket = new TokenBucketRateLimiter(options)
  }

  when(_item: T): number {
    return this.#bucket.reserve()
  }

  forget(_item: T): void {}

  numRequeues(_item: T): number {
    return 0
  }
}

/**
 * Asks several limiters and gives the longest wait.
 *
 * **Caveats**
 * - With a token bucket among them its burst may seem exceeded, by items that another limiter held back longer.
 */
export class MaxOfRateLimiter<T> implements RateLimiter<T> {
  readonly #limiters: readonly RateLimiter<T>[]

  constructor(...limiters: readonly RateLimiter<T>[]) {
    this.#limiters = limiters
  }

  when(item: T): number {
    return this.#limiters.reduce((longest, limiter) => Math.max(longest, limiter.when(item)), 0)
  }

  forget(item: T): void {
    for (const limiter of this.#limiters) limiter.forget(item)
  }

  numRequeues(item: T): number {
    return this.#limiters.reduce((most, limiter) => Math.max(most, limiter.numRequeues(item)), 0)
  }
}

/** Gives what another limiter gives, at most `maxMs` milliseconds. */
export class WithMaxWaitRateLimiter<T> implements RateLimiter<T> {
  readonly #limiter: RateLimiter<T>
  readonly #maxMs: number

  constructor(limiter: RateLimiter<T>, maxMs: number) {
    this.#limiter = limiter
    this.#maxMs = maxMs
  }

  when(item: T): number {
    return Math.min(this.#limiter.when(item), this.#maxMs)
  }

  forget(item: T): void {
    this.#limiter.forget(item)
  }

  numRequeues(item: T): number {
    return this.#limiter.numRequeues(item)
  }
}

/** Options of {@link defaultControllerRateLimiter}. */
export interface ControllerRateLimiterOptions<T> extends ItemRateLimiterOptions<T> {
  /** @defaultValue the machine's clock */
  clock?: Clock | undefined
}

/**
 * A controller's usual limiter: by item 5 ms, doubled at each failure up to 1000 s; and over all items a bucket of
 * 100 tokens, refilled by 10 a second. The longer wait holds.
 */
export function defaultControllerRateLimiter<T>({ clock, key }: ControllerRateLimiterOptions<T> = {}): RateLimiter<T> {
  return new MaxOfRateLimiter(
    new ItemExponentialFailureRateLimiter<T>(5, 1_000_000, { key }),
    new BucketRateLimiter<T>({ qps: 10, burst: 100, clock }),
  )
}

/** By item 1 ms, doubled at each failure up to 1000 s; nothing over all items. */
export function defaultItemBasedRateLimiter<T>(options: ItemRateLimiterOptions<T> = {}): RateLimiter<T> {
  return new ItemExponentialFailureRateLimiter<T>(1, 1_000_000, options)
}
