// What a controller needs of a queue, whichever queue it is.
import type { WorkQueueWaitOptions } from './work-queue.js'

/**
 * What {@link RateLimitingQueue} and {@link PriorityQueue} have in common: client-go's
 * `workqueue.TypedRateLimitingInterface`. Take this where either is to be accepted.
 */
export interface RateLimitingInterface<T> extends AsyncIterable<T> {
  /** How many items wait to be handed out. For information only. */
  readonly length: number
  readonly shuttingDown: boolean
  add(item: T): void
  addAfter(item: T, delayMs: number): void
  addRateLimited(item: T): void
  forget(item: T): void
  numRequeues(item: T): number
  get(options?: WorkQueueWaitOptions): Promise<T | undefined>
  tryGet(): T | undefined
  done(item: T): void
  shutDown(): void
  shutDownWithDrain(options?: WorkQueueWaitOptions): Promise<void>
}
