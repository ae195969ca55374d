// The items that wait for their time, soonest first.
import { KeyedHeap } from './keyed-heap.js'

/** An item and the time from which it may be added to its queue. */
export interface Delayed<T> {
  readonly key: unknown
  readonly item: T
  /** Monotonic time in milliseconds. */
  readonly readyAt: number
}

interface Arrived<T> extends Delayed<T> {
  /** Orders what is ready at the same time by its arrival. */
  readonly arrival: number
}

/** Holds each key once. All but `peek` take logarithmic time. */
export class DelayHeap<T> {
  readonly #heap = new KeyedHeap<Arrived<T>>(
    (a, b) => a.readyAt < b.readyAt || (a.readyAt === b.readyAt && a.arrival < b.arrival),
  )
  #arrivals = 0

  get size(): number {
    return this.#heap.size
  }

  /** The soonest, left in place. */
  peek(): Delayed<T> | undefined {
    return this.#heap.peek()
  }

  /** Adds an item. If its key is held already, the earlier of the two times holds. */
  insert(key: unknown, item: T, readyAt: number): void {
    const held = this.#heap.get(key)
    if (!held) this.#heap.set(key, { key, item, readyAt, arrival: this.#arrivals++ })
    else if (readyAt < held.readyAt) this.#heap.set(key, { ...held, readyAt })
  }

  /** Removes the soonest and returns it. */
  pop(): Delayed<T> | undefined {
    return this.#heap.pop()
  }

  clear(): void {
    this.#heap.clear()
  }
}
