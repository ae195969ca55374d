// A work queue that gives failed items back after a wait that a rate limiter decides.
import { DelayingQueue } from './delaying-queue.js'
import { defaultControllerRateLimiter, type RateLimiter } from './rate-limiters.js'
import type { RateLimitingInterface } from './rate-limiting-interface.js'
import type { WorkQueueOptions } from './work-queue.js'

/** Options of a {@link RateLimitingQueue}. */
export interface RateLimitingQueueOptions<T> extends WorkQueueOptions<T> {
  /**
   * Decides the waits. With `key`, give the limiter the same key.
   *
   * @defaultValue {@link defaultControllerRateLimiter}, with the queue's `clock` and `key`
   */
  rateLimiter?: RateLimiter<T> | undefined
}

/**
 * A {@link DelayingQueue} with {@link addRateLimited}: what a controller's workers run on.
 *
 * ```ts
 * for await (const key of queue) {
 *   try { await reconcile(key); queue.forget(key) }
 *   catch { queue.addRateLimited(key) }
 *   finally { queue.done(key) }
 * }
 * ```
 *
 * **Caveats**
 * - Each success, and each giving up, needs `forget`: else the failures of the item are remembered, and its next
 *   failure waits as long as if there had been no success. `forget` does not replace `done`.
 * - A queue does not keep the process alive. A program that awaits one and has nothing else open (no informer, no watch,
 *   no timer) ends there, with Node's exit code 13.
 */
export class RateLimitingQueue<T> extends DelayingQueue<T> implements RateLimitingInterface<T> {
  readonly #rateLimiter: RateLimiter<T>

  constructor(options: RateLimitingQueueOptions<T> = {}) {
    super(options)
    this.#rateLimiter = options.rateLimiter ?? defaultControllerRateLimiter({ clock: options.clock, key: options.key })
  }

  /** Adds `item` after the wait that the rate limiter decides. */
  addRateLimited(item: T): void {
    this.addAfter(item, this.#rateLimiter.when(item))
  }

  /** Ends the rate limiter's tracking of `item`, because it succeeded or was given up. */
  forget(item: T): void {
    this.#rateLimiter.forget(item)
  }

  /** How often `item` was given back by {@link addRateLimited} since it was last forgotten. */
  numRequeues(item: T): number {
    return this.#rateLimiter.numRequeues(item)
  }
}
