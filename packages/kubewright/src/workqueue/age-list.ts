// Items by how long they have been there.

/** What an {@link AgeList} holds: an item in one list at a time. The list writes there which items are beside it. */
export interface Aged<T> {
  older: T | undefined
  newer: T | undefined
}

/** Items in the order of adding, of which any can be removed; all in constant time. */
export class AgeList<T extends Aged<T>> {
  #oldest: T | undefined
  #newest: T | undefined

  get oldest(): T | undefined {
    return this.#oldest
  }

  /** Adds an item that is not held. */
  add(item: T): void {
    item.older = this.#newest
    if (this.#newest) this.#newest.newer = item
    else this.#oldest = item
    this.#newest = item
  }

  /** Removes an item that is held. */
  remove(item: T): void {
    if (item.older) item.older.newer = item.newer
    else this.#oldest = item.newer
    if (item.newer) item.newer.older = item.older
    else this.#newest = item.older
    item.older = undefined
    item.newer = undefined
  }

  clear(): void {
    this.#oldest = undefined
    this.#newest = undefined
  }
}
