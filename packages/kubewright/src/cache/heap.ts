// client-go's Heap: objects by key, of which the least is taken first.

import { whenAborted } from '../clock/index.js'
import { KeyedHeap } from '../workqueue/index.js'

/** Options of a {@link Heap}. */
export interface HeapOptions<T> {
  keyFunc: (obj: T) => string
  /** Whether `a` is taken before `b`. */
  lessFunc: (a: T, b: T) => boolean
}

/** A priority queue of objects for any number of consumers, each object once. */
export class Heap<T> {
  readonly #keyFunc: (obj: T) => string
  readonly #heap: KeyedHeap<T>
  /** Called when there may be something to take. */
  readonly #waiting = new Set<() => void>()
  #closed = false

  constructor({ keyFunc, lessFunc }: HeapOptions<T>) {
    this.#keyFunc = keyFunc
    this.#heap = new KeyedHeap(lessFunc)
  }

  get length(): number {
    return this.#heap.size
  }

  isClosed(): boolean {
    return this.#closed
  }

  /** Adds an object, or puts it in the place of the one with its key. @throws what `keyFunc` throws; Error when closed */
  add(obj: T): void {
    this.bulkAdd([obj])
  }

  /** The same as `add`. @throws what `keyFunc` throws; Error when closed */
  update(obj: T): void {
    this.add(obj)
  }

  /** As `add`, of many. @throws what `keyFunc` throws; Error when closed. Nothing is added then. */
  bulkAdd(objs: readonly T[]): void {
    const keyed = objs.map((obj) => [this.#keyFunc(obj), obj] as const)
    this.#mustBeOpen()
    for (const [key, obj] of keyed) this.#heap.set(key, obj)
    this.#wakeAll()
  }

  /** Adds an object, unless there is one with its key. @throws what `keyFunc` throws; Error when closed */
  addIfNotPresent(obj: T): void {
    const key = this.#keyFunc(obj)
    this.#mustBeOpen()
    if (this.#heap.has(key)) return
    this.#heap.set(key, obj)
    this.#wakeAll()
  }

  /** Removes the object with this one's key. @throws what `keyFunc` throws; Error when there is none */
  delete(obj: T): void {
    if (!this.#heap.delete(this.#keyFunc(obj))) throw new Error('object not found')
  }

  /**
   * Waits for an object and takes the least.
   *
   * @throws Error when it is closed and empty; the signal's reason when it aborts.
   */
  async pop({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<T> {
    signal?.throwIfAborted()
    while (this.#heap.size === 0) {
      this.#mustBeOpen()
      await this.#change(signal)
    }
    return this.#heap.pop() as T
  }

  list(): T[] {
    return [...this.#heap.entries()].map(([, obj]) => obj)
  }

  listKeys(): string[] {
    return [...this.#heap.entries()].map(([key]) => key as string)
  }

  /** @throws what `keyFunc` throws */
  get(obj: T): T | undefined {
    return this.getByKey(this.#keyFunc(obj))
  }

  getByKey(key: string): T | undefined {
    return this.#heap.get(key)
  }

  /** Accepts nothing more, and ends waiting: what is held can still be popped. Idempotent. */
  close(): void {
    this.#closed = true
    this.#wakeAll()
  }

  #mustBeOpen(): void {
    if (this.#closed) throw new Error('heap is closed')
  }

  #wakeAll(): void {
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }

  #change(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const wake = (): void => {
        stopListening?.()
        resolve()
      }
      const stopListening =
        signal &&
        whenAborted(signal, () => {
          this.#waiting.delete(wake)
          reject(signal.reason)
        })
      this.#waiting.add(wake)
    })
  }
}
