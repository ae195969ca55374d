/// <reference lib="esnext.disposable" preserve="true" />
// A work queue that hands out what is most important first, and lets nothing wait for ever.
import { type Clock, realClock, type Timer } from '../clock/index.js'
import { type Aged, AgeList } from './age-list.js'
import { QueueMetrics, type WorkQueueMetricsProvider } from './metrics.js'
import { type Placed, RankedHeap } from './ranked-heap.js'
import { ItemExponentialFailureRateLimiter, type RateLimiter } from './rate-limiters.js'
import type { RateLimitingInterface } from './rate-limiting-interface.js'
import { iterate, release, type Waiter, waitIn } from './waiters.js'
import { mustBeItem, type WorkQueueWaitOptions } from './work-queue.js'

/** The priority of what can wait: objects that were there at the start, and changes that change nothing. */
export const lowPriority = -100

/** How {@link PriorityQueue} hands out what others have overtaken for long. */
export interface AgeingOptions {
  /** An item that has waited so many milliseconds, ready and not handed out, has a claim. @defaultValue 10,000 */
  afterMs?: number | undefined
  /** One in so many hand-outs goes to the item that waits longest, if it has a claim. 1: each. @defaultValue 10 */
  oneIn?: number | undefined
}

/** Options of a {@link PriorityQueue}. */
export interface PriorityQueueOptions<T> {
  /** Names the queue in its metrics; a queue without a name has none. */
  name?: string | undefined
  /** Where a named queue reports to. @defaultValue nowhere */
  metrics?: WorkQueueMetricsProvider | undefined
  /** @defaultValue the machine's clock */
  clock?: Clock | undefined
  /** What items are compared by. @defaultValue the item itself */
  key?: ((item: T) => string) | undefined
  /**
   * Decides the waits of what is added rate limited. With `key`, give the limiter the same key.
   *
   * @defaultValue by item 5 ms, doubled at each failure up to 1000 s
   */
  rateLimiter?: RateLimiter<T> | undefined
  /** False for strict priorities, where a steady stream of important items lets others wait for ever. */
  ageing?: AgeingOptions | false | undefined
}

/** How {@link PriorityQueue.addWithOpts} adds. */
export interface AddOptions {
  /** The higher, the sooner. @defaultValue 0 */
  priority?: number | undefined
  /** The same as `priority: lowPriority`, where no `priority` is given. */
  lowPriority?: boolean | undefined
  /** Milliseconds to wait before; 0 or less: none. @defaultValue 0 */
  after?: number | undefined
  /** Wait as long as the rate limiter says; with `after`, the shorter of the two. */
  rateLimited?: boolean | undefined
}

/** What is known of an item between its add and its done. */
interface Entry<T> extends Placed, Aged<Entry<T>> {
  readonly key: unknown
  /** The item that is to be handed out; undefined while it is being processed and was not added again. */
  pending: T | undefined
  processing: boolean
  priority: number
  /** Orders the items of a priority. */
  order: number
  /** When it will be ready, in monotonic milliseconds; undefined: it is. */
  readyAt: number | undefined
  /** Since when it could be handed out, in monotonic milliseconds. */
  since: number
}

/** What is handed out. */
interface Taken<T> {
  item: T
  priority: number
}

/**
 * controller-runtime's priority queue: a {@link RateLimitingInterface} that hands out by priority, and within one priority
 * in the order of adding.
 *
 * **Guarantees**
 * - An item is held once. Added again, it keeps the higher priority and the earlier time; what is ready stays ready. A
 *   raised item goes behind those that had that priority before. A delayed item takes its place when it becomes ready.
 * - An item that is being processed is not handed out again before its `done`; others are, meanwhile.
 * - Nothing starves, unless `ageing` is off: after `afterMs` an item has a claim, and one in `oneIn` hand-outs goes to the
 *   claim that is oldest. So `oneIn` hand-outs for each item that was ready before it are the longest that one waits on.
 *   While all wait less than `afterMs`, priorities alone decide.
 *
 * **Caveats**
 * - Items of equal keys are one: the item that was added first is handed out.
 * - `shutDown` drops what waits, where a {@link WorkQueue} still hands it out; `shutDownWithDrain` hands it out.
 */
export class PriorityQueue<T> implements RateLimitingInterface<T> {
  readonly #clock: Clock
  readonly #keyOf: (item: T) => unknown
  readonly #rateLimiter: RateLimiter<T>
  readonly #metrics: QueueMetrics | undefined
  readonly #retries: { inc(): void } | undefined
  readonly #ageing: Required<{ [K in keyof AgeingOptions]: number }> | undefined
  /** All that is to be handed out or being processed. What is to be handed out is in `#ready`, in `#waiting`, or held. */
  readonly #entries = new Map<unknown, Entry<T>>()
  readonly #ready = new RankedHeap<Entry<T>>((a, b) => a.order < b.order)
  /** The same items as `#ready`; none without ageing. */
  readonly #ages = new AgeList<Entry<T>>()
  readonly #waiting = new RankedHeap<Entry<T>>(isMoreImportant)
  readonly #getters = new Set<Waiter<Taken<T> | undefined>>()
  readonly #drainers = new Set<Waiter<void>>()
  /** How many are being processed. */
  #processing = 0
  /** How many are ready and are being processed. */
  #held = 0
  #order = 0
  /** Hand-outs since the last one by age. */
  #byPriority = 0
  #shuttingDown = false
  #timer: Timer | undefined
  #timerAt = 0

  /** @throws RangeError when an option of `ageing` is not a number of 0 or more, or `oneIn` is below 1. */
  constructor(options: PriorityQueueOptions<T> = {}) {
    const { name, metrics, clock = realClock, key, ageing = {} } = options
    this.#clock = clock
    this.#keyOf = key ?? ((item) => item)
    this.#rateLimiter = options.rateLimiter ?? new ItemExponentialFailureRateLimiter<T>(5, 1_000_000, { key })
    this.#ageing = ageing === false ? undefined : checkAgeing(ageing)
    if (!name || !metrics) return
    this.#metrics = new QueueMetrics(metrics, name, clock, metrics.newDepthMetricWithPriority?.(name))
    this.#retries = metrics.newRetriesMetric(name)
  }

  /** How many items are ready, those included that are being processed and were added again. For information only. */
  get length(): number {
    return this.#ready.size + this.#held
  }

  /** How many items wait for their time. For information only. */
  get delayedLength(): number {
    return this.#waiting.size
  }

  get shuttingDown(): boolean {
    return this.#shuttingDown
  }

  /** Adds `item` with priority 0. Ignored once the queue is shutting down. */
  add(item: T): void {
    this.addWithOpts({}, item)
  }

  /** Adds `item` with priority 0 after `delayMs` milliseconds. */
  addAfter(item: T, delayMs: number): void {
    this.addWithOpts({ after: delayMs }, item)
  }

  /** Adds `item` with priority 0 after the wait that the rate limiter decides. */
  addRateLimited(item: T): void {
    this.addWithOpts({ rateLimited: true }, item)
  }

  /**
   * Adds items. Ignored once the queue is shutting down.
   *
   * @throws RangeError when `priority` or `after` is not finite; TypeError when an item is undefined. Nothing is added then.
   */
  addWithOpts(options: AddOptions, ...items: readonly T[]): void {
    const priority = options.priority ?? (options.lowPriority ? lowPriority : 0)
    const { after = 0, rateLimited = false } = options
    if (!Number.isFinite(priority) || !Number.isFinite(after)) {
      throw new RangeError(
        `cannot add to a work queue with priority ${priority} after ${after} ms: give finite numbers`,
      )
    }
    items.forEach(mustBeItem)
    if (this.#shuttingDown) return
    for (const item of items) {
      const limited = rateLimited ? this.#rateLimiter.when(item) : undefined
      this.#addOne(item, priority, limited !== undefined && (after === 0 || limited < after) ? limited : after)
    }
  }

  /** As {@link getWithPriority}, without the priority. */
  async get(options: WorkQueueWaitOptions = {}): Promise<T | undefined> {
    return (await this.getWithPriority(options))?.item
  }

  /**
   * Hands out the next item and the priority it had, as soon as there is one. Call {@link done} with it when its
   * processing has ended; give it back with its priority if it failed.
   *
   * @returns undefined when the queue is shut down: the worker's end.
   * @throws the signal's reason, when `signal` is or becomes aborted; no item is lost by it.
   */
  async getWithPriority({ signal }: WorkQueueWaitOptions = {}): Promise<{ item: T; priority: number } | undefined> {
    signal?.throwIfAborted()
    if (this.#ready.size > 0) return this.#pop()
    // While draining, what is held will become free and has to find somebody.
    if (this.#shuttingDown && this.#held === 0) return undefined
    return waitIn(this.#getters, signal)
  }

  /** As {@link tryGetWithPriority}, without the priority. */
  tryGet(): T | undefined {
    return this.tryGetWithPriority()?.item
  }

  /**
   * Hands out the next item if there is one now: as {@link getWithPriority}, without the promise. No caller of that is
   * overtaken, for none waits while there are items.
   *
   * @returns undefined when there is none now. Only `get` tells the end.
   */
  tryGetWithPriority(): { item: T; priority: number } | undefined {
    return this.#ready.size > 0 ? this.#pop() : undefined
  }

  /** Says that the processing of `item` has ended. Harmless for an item that is not being processed. */
  done(item: T): void {
    const key = this.#keyOf(item)
    const entry = this.#entries.get(key)
    if (!entry?.processing) return
    this.#metrics?.done(key)
    entry.processing = false
    this.#processing--
    if (entry.pending === undefined) {
      this.#entries.delete(key)
    } else if (entry.readyAt === undefined) {
      this.#held--
      this.#offer(entry)
    }
    this.#checkDrained()
  }

  /** Ends the rate limiter's tracking of `item`, because it succeeded or was given up. */
  forget(item: T): void {
    this.#rateLimiter.forget(item)
  }

  /** How often `item` was added rate limited since it was last forgotten. */
  numRequeues(item: T): number {
    return this.#rateLimiter.numRequeues(item)
  }

  /** Accepts and hands out nothing more; what waits is dropped. Also ends the wait of a drain. Idempotent. */
  shutDown(): void {
    this.#beginShutDown()
    for (const entry of this.#entries.values()) {
      if (entry.processing) entry.pending = undefined
      else this.#entries.delete(entry.key)
    }
    this.#ready.clear()
    this.#ages.clear()
    this.#held = 0
    release(this.#getters)
    release(this.#drainers)
  }

  /**
   * Accepts nothing more, drops what is delayed, and waits until all that is ready has been handed out and is done.
   *
   * **Caveats**
   * - Waits for ever if there is no worker left or one never calls `done`: give a signal, or call {@link shutDown}.
   *
   * @throws the signal's reason, when `signal` is or becomes aborted; the queue is shut down all the same.
   */
  shutDownWithDrain({ signal }: WorkQueueWaitOptions = {}): Promise<void> {
    this.#beginShutDown()
    this.#checkDrained()
    if (this.#drained) return Promise.resolve()
    if (signal?.aborted) return Promise.reject(signal.reason)
    return waitIn(this.#drainers, signal)
  }

  /** Shuts the queue down, without waiting. */
  [Symbol.dispose](): void {
    this.shutDown()
  }

  /** Hands out items until the queue is shut down. Leaving a loop leaves the queue as it is. */
  [Symbol.asyncIterator](): AsyncIterator<T, undefined> {
    return iterate(this)
  }

  #addOne(item: T, priority: number, after: number): void {
    const key = this.#keyOf(item)
    const readyAt = after > 0 ? this.#clock.monotonic() + after : undefined
    if (readyAt !== undefined) this.#retries?.inc()
    const known = this.#entries.get(key)
    if (known?.pending !== undefined) {
      this.#addAgain(known, priority, readyAt)
      return
    }
    const entry = known ?? newEntry<T>(key)
    if (!known) this.#entries.set(key, entry)
    entry.pending = item
    entry.priority = priority
    entry.order = this.#order++
    if (readyAt === undefined) {
      this.#becomeReady(entry)
    } else {
      entry.readyAt = readyAt
      this.#waiting.push(entry, readyAt)
      this.#arm()
    }
  }

  #addAgain(entry: Entry<T>, priority: number, readyAt: number | undefined): void {
    const raised = priority > entry.priority
    const wasReady = entry.readyAt === undefined
    if (raised) {
      if (wasReady) this.#metrics?.reprioritized(entry.priority, priority)
      entry.priority = priority
      entry.order = this.#order++
    }
    if (wasReady) {
      if (raised && !entry.processing) this.#ready.move(entry, -priority)
    } else if (readyAt === undefined) {
      this.#waiting.remove(entry)
      this.#becomeReady(entry)
    } else {
      entry.readyAt = Math.min(entry.readyAt as number, readyAt)
      this.#waiting.move(entry, entry.readyAt)
      this.#arm()
    }
  }

  #becomeReady(entry: Entry<T>): void {
    entry.readyAt = undefined
    this.#metrics?.added(entry.key, entry.priority)
    if (entry.processing) this.#held++
    else this.#offer(entry)
  }

  /** Gives it to one who waits, or keeps it until somebody asks. */
  #offer(entry: Entry<T>): void {
    this.#ready.push(entry, -entry.priority)
    if (this.#ageing) {
      entry.since = this.#clock.monotonic()
      this.#ages.add(entry)
    }
    if (this.#getters.size === 0) return
    const [getter] = this.#getters
    this.#getters.delete(getter as Waiter<Taken<T> | undefined>)
    getter?.resolve(this.#pop())
  }

  #pop(): Taken<T> {
    const entry = this.#takeAged() ?? this.#ready.peek()
    if (!entry) throw new Error('cannot hand out an item: none is ready')
    const { key, pending, priority } = entry
    this.#ready.remove(entry)
    if (this.#ageing) this.#ages.remove(entry)
    entry.pending = undefined
    entry.processing = true
    this.#processing++
    this.#metrics?.handedOut(key, priority)
    if (this.#shuttingDown && this.#ready.size + this.#held === 0) release(this.#getters)
    return { item: pending as T, priority }
  }

  /** The item that waits longest, if it has a claim and it is its turn. */
  #takeAged(): Entry<T> | undefined {
    if (!this.#ageing || ++this.#byPriority < this.#ageing.oneIn) return undefined
    const { oldest } = this.#ages
    if (!oldest || this.#clock.monotonic() - oldest.since < this.#ageing.afterMs) return undefined
    this.#byPriority = 0
    return oldest
  }

  #arm(): void {
    const at = this.#waiting.peek()?.readyAt
    if (at === undefined || (this.#timer && this.#timerAt <= at)) return
    this.#timer?.cancel()
    this.#timerAt = at
    this.#timer = this.#clock.setTimer(at - this.#clock.monotonic(), this.#promote)
  }

  readonly #promote = (): void => {
    this.#timer = undefined
    // Timers of a platform may fire a fraction of a millisecond early; what the timer was set for is ready then.
    const now = Math.max(this.#clock.monotonic(), this.#timerAt)
    const due: Entry<T>[] = []
    for (let next = this.#waiting.peek(); next && (next.readyAt as number) <= now; next = this.#waiting.peek()) {
      this.#waiting.pop()
      next.order = this.#order++
      due.push(next)
    }
    for (const entry of due) this.#becomeReady(entry)
    this.#arm()
  }

  #beginShutDown(): void {
    if (this.#shuttingDown) return
    this.#shuttingDown = true
    this.#metrics?.stop()
    this.#waiting.clear()
    this.#timer?.cancel()
    this.#timer = undefined
  }

  get #drained(): boolean {
    return this.#ready.size === 0 && this.#processing === 0
  }

  #checkDrained(): void {
    if (!this.#shuttingDown || this.#ready.size + this.#held > 0) return
    release(this.#getters)
    if (this.#drained) release(this.#drainers)
  }
}

function isMoreImportant<T>(a: Entry<T>, b: Entry<T>): boolean {
  return a.priority > b.priority || (a.priority === b.priority && a.order < b.order)
}

function newEntry<T>(key: unknown): Entry<T> {
  return {
    key,
    pending: undefined,
    processing: false,
    priority: 0,
    order: 0,
    readyAt: undefined,
    since: 0,
    place: 0,
    older: undefined,
    newer: undefined,
  }
}

function checkAgeing({ afterMs = 10_000, oneIn = 10 }: AgeingOptions): { afterMs: number; oneIn: number } {
  if (!(afterMs >= 0) || !(oneIn >= 1)) {
    throw new RangeError(`cannot make a priority queue: ageing after ${afterMs} ms of one in ${oneIn} means nothing`)
  }
  return { afterMs, oneIn }
}
