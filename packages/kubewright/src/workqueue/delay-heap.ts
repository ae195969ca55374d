// The items that wait for their time, soonest first.
import { type Placed, RankedHeap } from './ranked-heap.js'

/** An item and the time from which it may be added to its queue. */
export interface Delayed<T> {
  readonly item: T
  /** Monotonic time in milliseconds. */
  readonly readyAt: number
}

interface Arrived<T> extends Delayed<T>, Placed {
  readonly key: unknown
  readyAt: number
  /** Orders what is ready at the same time by its arrival. */
  readonly arrival: number
}

/** Holds each key once. All but `peek` take logarithmic time. */
export class DelayHeap<T> {
  readonly #heap = new RankedHeap<Arrived<T>>((a, b) => a.arrival < b.arrival)
  readonly #byKey = new Map<unknown, Arrived<T>>()
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
    const held = this.#byKey.get(key)
    if (!held) {
      const added = { key, item, readyAt, arrival: this.#arrivals++, place: 0 }
      this.#byKey.set(key, added)
      this.#heap.push(added, readyAt)
    } else if (readyAt < held.readyAt) {
      held.readyAt = readyAt
      this.#heap.move(held, readyAt)
    }
  }

  /** Removes the soonest and returns it. */
  pop(): Delayed<T> | undefined {
    const first = this.#heap.pop()
    if (first) this.#byKey.delete(first.key)
    return first
  }

  clear(): void {
    this.#heap.clear()
    this.#byKey.clear()
  }
}
