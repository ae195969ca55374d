// Where a work queue keeps the items that wait for a worker: the interface, and the default, first in first out.

/**
 * The order in which a work queue hands out its items. A work queue calls these synchronously and keeps each item in
 * here at most once; give an implementation of your own to hand out by priority, say.
 */
export interface Queue<T> {
  /** How many items are held. */
  readonly length: number
  /** An item that is held already was added again: the place to raise its priority. */
  touch(item: T): void
  /** Adds a new item. */
  push(item: T): void
  /** Removes the next item and returns it. Called only while `length` is above 0. */
  pop(): T
}

/** Below this many consumed slots it is not worth moving what is left to the front. */
const minConsumed = 64

/** First in, first out; `push` and `pop` take constant time on average, and memory follows what is held. */
export class FifoQueue<T> implements Queue<T> {
  #slots: (T | undefined)[] = []
  /** Slots before this one are consumed. */
  #head = 0

  get length(): number {
    return this.#slots.length - this.#head
  }

  touch(_item: T): void {}

  push(item: T): void {
    this.#slots.push(item)
  }

  pop(): T {
    const item = this.#slots[this.#head] as T
    this.#slots[this.#head++] = undefined
    if (this.#head >= minConsumed && this.#head * 2 >= this.#slots.length) {
      this.#slots = this.#slots.slice(this.#head)
      this.#head = 0
    }
    return item
  }
}
