// An unbounded first-in-first-out buffer whose operations all take constant time.

/** How many taken places may stand at the front before they are given back. */
const compactAt = 1024

export class Deque<T> {
  #items: (T | undefined)[] = []
  #head = 0

  get length(): number {
    return this.#items.length - this.#head
  }

  push(item: T): void {
    this.#items.push(item)
  }

  /** Takes the oldest item; undefined when there is none. */
  shift(): T | undefined {
    if (this.length === 0) return undefined
    const item = this.#items[this.#head]
    // The place is emptied at once, so that the item is not kept alive by the buffer.
    this.#items[this.#head++] = undefined
    if (this.length === 0) {
      this.clear()
    } else if (this.#head >= compactAt && this.#head * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#head)
      this.#head = 0
    }
    return item
  }

  clear(): void {
    this.#items.length = 0
    this.#head = 0
  }
}
