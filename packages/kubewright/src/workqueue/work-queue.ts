/// <reference lib="esnext.disposable" preserve="true" />
// The work queue: each item is processed by one worker at a time, and once however often it was added meanwhile.
import { type Clock, realClock } from '../clock/index.js'
import { FifoQueue, type Queue } from './fifo-queue.js'
import { QueueMetrics, type WorkQueueMetricsProvider } from './metrics.js'
import { iterate, release, type Waiter, waitIn } from './waiters.js'

/** Options of a {@link WorkQueue}. */
export interface WorkQueueOptions<T> {
  /** Names the queue in its metrics; a queue without a name has none. */
  name?: string | undefined
  /** Where a named queue reports to. @defaultValue nowhere */
  metrics?: WorkQueueMetricsProvider | undefined
  /** @defaultValue the machine's clock */
  clock?: Clock | undefined
  /**
   * What items are compared by: items of equal keys are the same item, and the one added first is handed out. Needed
   * for items that are objects, which would else be compared by identity.
   *
   * @defaultValue the item itself
   */
  key?: ((item: T) => string) | undefined
  /** Where the items wait. @defaultValue a new {@link FifoQueue} */
  queue?: Queue<T> | undefined
}

/** Options of {@link WorkQueue.get} and {@link WorkQueue.shutDownWithDrain}. */
export interface WorkQueueWaitOptions {
  /** Ends the wait: the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

/** What is known of an item between its add and its done. */
interface Entry<T> {
  /** The item that waits to be handed out; undefined while it is being processed and was not added again. */
  pending: T | undefined
  processing: boolean
}

/** An order of items as one of entries. */
class EntriesInOrder<T> implements Queue<Entry<T>> {
  readonly #items: Queue<T>
  readonly #entryOf: (item: T) => Entry<T> | undefined

  constructor(items: Queue<T>, entryOf: (item: T) => Entry<T> | undefined) {
    this.#items = items
    this.#entryOf = entryOf
  }

  get length(): number {
    return this.#items.length
  }

  touch(): void {}

  push({ pending }: Entry<T>): void {
    this.#items.push(pending as T)
  }

  pop(): Entry<T> {
    const item = this.#items.pop()
    const entry = this.#entryOf(item)
    if (!entry) throw new Error('cannot hand out an item of the work queue: its `queue` gave one that is not held')
    entry.pending = item
    return entry
  }
}

/**
 * A queue of things to do, each named by an item (in a controller: the key of an object).
 *
 * ```ts
 * for await (const key of queue) {
 *   try { await reconcile(key) } finally { queue.done(key) }
 * }
 * ```
 *
 * **Guarantees**
 * - Items are handed out in the order they were added, each to one caller.
 * - An item added several times before it is handed out is handed out once.
 * - An item is never handed out while it is being processed. If it is added then, it is queued again, once, at `done`.
 * - After `shutDown` nothing is accepted, and what had been accepted is still handed out.
 *
 * **Caveats**
 * - Each item handed out needs its `done`, also when its processing failed.
 * - Handing out gives no turn to the event loop. A worker that never waits for anything else should do so by itself.
 */
export class WorkQueue<T> implements AsyncIterable<T> {
  /** The order that was asked for; undefined: the order of adding. */
  readonly #order: Queue<T> | undefined
  /** The entries, and not their items: what is handed out need not be looked for, which takes a tenth of the time of an item. */
  readonly #waiting: Queue<Entry<T>>
  readonly #keyOf: (item: T) => unknown
  readonly #metrics: QueueMetrics | undefined
  readonly #entries = new Map<unknown, Entry<T>>()
  /** How many entries are being processed. */
  #processing = 0
  #shuttingDown = false
  /** Callers of `get`, longest waiting first. There are none while items are queued. */
  readonly #getters = new Set<Waiter<T | undefined>>()
  readonly #drainers = new Set<Waiter<void>>()

  constructor({ name, metrics, clock = realClock, key, queue }: WorkQueueOptions<T> = {}) {
    this.#order = queue
    this.#waiting = queue
      ? new EntriesInOrder(queue, (item) => this.#entries.get(this.#keyOf(item)))
      : new FifoQueue<Entry<T>>()
    this.#keyOf = key ?? ((item) => item)
    this.#metrics = name && metrics ? new QueueMetrics(metrics, name, clock) : undefined
  }

  /** How many items wait to be handed out; neither those being processed nor those delayed. For information only. */
  get length(): number {
    return this.#waiting.length
  }

  /** Whether the queue was told to shut down. */
  get shuttingDown(): boolean {
    return this.#shuttingDown
  }

  /**
   * Marks `item` as needing work. Ignored once the queue is shutting down.
   *
   * @throws TypeError when `item` is undefined, which `get` could not tell from the end.
   */
  add(item: T): void {
    mustBeItem(item)
    if (this.#shuttingDown) return
    const key = this.#keyOf(item)
    const entry = this.#entries.get(key)
    if (entry?.pending !== undefined) {
      if (!entry.processing) this.#order?.touch(item)
      return
    }
    this.#metrics?.added(key)
    if (entry) {
      entry.pending = item
    } else {
      const added = { pending: item, processing: false }
      this.#entries.set(key, added)
      this.#push(added)
    }
  }

  /**
   * Hands out the next item, as soon as there is one. Call {@link done} with it when its processing has ended.
   *
   * @returns undefined when the queue is shut down and empty: the worker's end.
   * @throws the signal's reason, when `signal` is or becomes aborted; no item is lost by it.
   */
  async get({ signal }: WorkQueueWaitOptions = {}): Promise<T | undefined> {
    signal?.throwIfAborted()
    if (this.#waiting.length > 0) return this.#pop()
    if (this.#shuttingDown) return undefined
    return waitIn(this.#getters, signal)
  }

  /**
   * Hands out the next item if there is one now: as {@link get}, without the promise. No caller of `get` is overtaken, for
   * none waits while there are items.
   *
   * ```ts
   * for (let key = queue.tryGet(); key !== undefined; key = queue.tryGet()) {
   *   console.log(key)
   *   queue.done(key)
   * }
   * ```
   *
   * @returns undefined when there is none now: all are being processed, delayed, or none is left. Only `get` tells the end.
   */
  tryGet(): T | undefined {
    return this.#waiting.length > 0 ? this.#pop() : undefined
  }

  /**
   * Says that the processing of `item` has ended. If it was added meanwhile, it is queued again. Harmless for an item
   * that is not being processed.
   */
  done(item: T): void {
    const key = this.#keyOf(item)
    const entry = this.#entries.get(key)
    if (!entry?.processing) return
    this.#metrics?.done(key)
    this.#processing--
    entry.processing = false
    if (entry.pending === undefined) {
      this.#entries.delete(key)
      if (this.#drainers.size > 0 && this.#idle) release(this.#drainers)
    } else {
      this.#push(entry)
    }
  }

  /**
   * Accepts no more items. What is queued is still handed out; then `get` gives undefined and loops over the queue
   * end. Also ends the wait of {@link shutDownWithDrain}. Idempotent.
   */
  shutDown(): void {
    this.#beginShutDown()
    release(this.#drainers)
  }

  /**
   * Shuts down, and waits until all that was queued has been handed out and is done.
   *
   * **Caveats**
   * - Waits for ever if there is no worker left or one never calls `done`: give a signal, or call {@link shutDown}.
   *
   * @throws the signal's reason, when `signal` is or becomes aborted; the queue is shut down all the same.
   */
  shutDownWithDrain({ signal }: WorkQueueWaitOptions = {}): Promise<void> {
    this.#beginShutDown()
    if (this.#idle) return Promise.resolve()
    if (signal?.aborted) return Promise.reject(signal.reason)
    return waitIn(this.#drainers, signal)
  }

  /** Shuts the queue down, without waiting. */
  [Symbol.dispose](): void {
    this.shutDown()
  }

  /**
   * Hands out items until the queue is shut down and empty. Any number of loops may run over one queue; each item goes
   * to one of them. Leaving a loop leaves the queue as it is.
   */
  [Symbol.asyncIterator](): AsyncIterator<T, undefined> {
    return iterate(this)
  }

  get #idle(): boolean {
    return this.#processing === 0 && this.#waiting.length === 0
  }

  #push(entry: Entry<T>): void {
    this.#waiting.push(entry)
    if (this.#getters.size === 0) return
    const next = this.#pop()
    const [getter] = this.#getters
    this.#getters.delete(getter as Waiter<T | undefined>)
    getter?.resolve(next)
  }

  #pop(): T {
    const entry = this.#waiting.pop()
    const item = entry.pending as T
    entry.pending = undefined
    entry.processing = true
    this.#processing++
    this.#metrics?.handedOut(this.#keyOf(item))
    return item
  }

  #beginShutDown(): void {
    if (this.#shuttingDown) return
    this.#shuttingDown = true
    this.#metrics?.stop()
    release(this.#getters)
  }
}

/** @throws TypeError when `item` is undefined. */
export function mustBeItem(item: unknown): void {
  if (item === undefined) throw new TypeError('cannot add undefined to a work queue: give it an item, such as a key')
}
