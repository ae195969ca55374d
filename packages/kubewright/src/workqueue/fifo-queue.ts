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

const fewestSlots = 16

/** First in, first out; `push` and `pop` take constant time on average, and memory follows what is held. */
export class FifoQueue<T> implements Queue<T> {
  /** A ring of 2ⁿ slots: an array from whose front items are taken would have to move the others, or grow for ever. */
  #slots: (T | undefined)[] = emptySlots(fewestSlots)
  #first = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  touch(_item: T): void {}

  push(item: T): void {
    if (this.#length === this.#slots.length) this.#resize(this.#length * 2)
    const slots = this.#slots
    slots[(this.#first + this.#length++) & (slots.length - 1)] = item
  }

  pop(): T {
    const slots = this.#slots
    const item = slots[this.#first] as T
    slots[this.#first] = undefined
    this.#first = (this.#first + 1) & (slots.length - 1)
    // To half where a quarter is used: the next growth is as far away as the next shrinking.
    if (--this.#length < slots.length / 4 && slots.length > fewestSlots) this.#resize(slots.length / 2)
    return item
  }

  #resize(count: number): void {
    const old = this.#slots
    const slots = emptySlots<T>(count)
    for (let i = 0; i < this.#length; i++) slots[i] = old[(this.#first + i) & (old.length - 1)]
    this.#slots = slots
    this.#first = 0
  }
}

function emptySlots<T>(count: number): (T | undefined)[] {
  return new Array<T | undefined>(count).fill(undefined)
}
