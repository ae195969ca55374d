// A work queue that also takes items to be added later.
import { type Clock, realClock, type Timer } from '../clock/index.js'
import { DelayHeap } from './delay-heap.js'
import type { CounterMetric } from './metrics.js'
import { mustBeItem, WorkQueue, type WorkQueueOptions, type WorkQueueWaitOptions } from './work-queue.js'

/**
 * A {@link WorkQueue} with {@link addAfter}.
 *
 * **Guarantees**
 * - Delayed items are added in the order of their times. One timer serves them all, and none is held without them.
 * - An item delayed several times is added once, at the earliest of the times asked for.
 *
 * **Caveats**
 * - `add` leaves a delayed item of the same key in place, so that the item may be handed out again later.
 * - Shutting down drops what is still delayed; a drain does not wait for it.
 */
export class DelayingQueue<T> extends WorkQueue<T> {
  readonly #clock: Clock
  readonly #keyOf: (item: T) => unknown
  readonly #retries: CounterMetric | undefined
  readonly #delayed = new DelayHeap<T>()
  #timer: Timer | undefined
  /** When {@link #timer} fires, in monotonic milliseconds. */
  #timerAt = 0

  constructor(options: WorkQueueOptions<T> = {}) {
    super(options)
    const { name, metrics, clock = realClock, key } = options
    this.#clock = clock
    this.#keyOf = key ?? ((item) => item)
    this.#retries = name ? metrics?.newRetriesMetric(name) : undefined
  }

  /** How many items wait for their time. For information only. */
  get delayedLength(): number {
    return this.#delayed.size
  }

  /**
   * Adds `item` after `delayMs` milliseconds; at once if that is 0 or less. Ignored once the queue is shutting down.
   *
   * @throws RangeError when `delayMs` is not finite; TypeError when `item` is undefined.
   */
  addAfter(item: T, delayMs: number): void {
    if (!Number.isFinite(delayMs))
      throw new RangeError(`cannot add to a work queue after ${delayMs} ms: give a finite delay`)
    mustBeItem(item)
    if (this.shuttingDown) return
    this.#retries?.inc()
    if (delayMs <= 0) {
      this.add(item)
      return
    }
    this.#delayed.insert(this.#keyOf(item), item, this.#clock.monotonic() + delayMs)
    this.#arm()
  }

  override shutDown(): void {
    super.shutDown()
    this.#dropDelayed()
  }

  override shutDownWithDrain(options?: WorkQueueWaitOptions): Promise<void> {
    const drained = super.shutDownWithDrain(options)
    this.#dropDelayed()
    return drained
  }

  /** Sets the timer for the soonest item, unless it is set so already. */
  #arm(): void {
    const next = this.#delayed.peek()
    if (!next || (this.#timer && this.#timerAt <= next.readyAt)) return
    this.#timer?.cancel()
    this.#timerAt = next.readyAt
    this.#timer = this.#clock.setTimer(next.readyAt - this.#clock.monotonic(), this.#addReady)
  }

  readonly #addReady = (): void => {
    this.#timer = undefined
    // Timers of a platform may fire a fraction of a millisecond early; what the timer was set for is ready then.
    const now = Math.max(this.#clock.monotonic(), this.#timerAt)
    for (let next = this.#delayed.peek(); next && next.readyAt <= now; next = this.#delayed.peek()) {
      this.#delayed.pop()
      this.add(next.item)
    }
    this.#arm()
  }

  #dropDelayed(): void {
    this.#delayed.clear()
    this.#timer?.cancel()
    this.#timer = undefined
  }
}
