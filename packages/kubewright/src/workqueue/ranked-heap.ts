// The heap below the others: of delayed items, of priorities, and of what is found by its key.

/** What a {@link RankedHeap} holds. The heap writes there where in it the item is, so that it need not be looked for. */
export interface Placed {
  place: number
}

const fewestRanks = 16

/**
 * A binary heap of items by a number, the least first, and by `isBefore` where numbers are equal. An item is in one such
 * heap at a time. `peek` and `size` take constant time, the rest logarithmic.
 *
 * Items that are equal in order come out as from Go's `container/heap`, which it equals step by step.
 */
export class RankedHeap<T extends Placed> {
  readonly #isBefore: (a: T, b: T) => boolean
  readonly #items: T[] = []
  /**
   * Rank by place, beside each other in memory: of a million items each comparison of two that are elsewhere would wait for
   * memory, which is most of what a heap of that size costs.
   */
  #ranks = new Float64Array(fewestRanks)

  /** @param isBefore whether `a` comes out before `b`. Must not change its answer for items that are held. */
  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore
  }

  get size(): number {
    return this.#items.length
  }

  /** The first, left in place. */
  peek(): T | undefined {
    return this.#items[0]
  }

  /** Adds an item that is not held. */
  push(item: T, rank: number): void {
    const place = this.#items.length
    if (place === this.#ranks.length) this.#resize(place * 2)
    this.#items.push(item)
    this.#siftUp(place, item, rank)
  }

  /** Gives a held item another rank, or the same one where `isBefore` places it anew. */
  move(item: T, rank: number): void {
    const { place } = item
    this.#siftDown(place, item, rank)
    if (item.place === place) this.#siftUp(place, item, rank)
  }

  /** Removes the first and returns it. */
  pop(): T | undefined {
    const first = this.#items[0]
    if (first) this.remove(first)
    return first
  }

  /** Removes an item that is held. */
  remove(item: T): void {
    const last = this.#items.pop() as T
    const rank = this.#ranks[this.#items.length] as number
    if (last !== item) {
      last.place = item.place
      this.move(last, rank)
    }
    if (this.#items.length < this.#ranks.length / 4 && this.#ranks.length > fewestRanks) {
      this.#resize(this.#ranks.length / 2)
    }
  }

  clear(): void {
    this.#items.length = 0
    this.#ranks = new Float64Array(fewestRanks)
  }

  #siftUp(from: number, item: T, rank: number): void {
    let place = from
    while (place > 0) {
      const above = (place - 1) >> 1
      if (!this.#comesBefore(item, rank, above)) break
      this.#put(place, this.#items[above] as T, this.#ranks[above] as number)
      place = above
    }
    this.#put(place, item, rank)
  }

  #siftDown(from: number, item: T, rank: number): void {
    const count = this.#items.length
    let place = from
    for (let below = 2 * place + 1; below < count; below = 2 * place + 1) {
      const right = below + 1
      if (right < count && this.#comesBefore(this.#items[right] as T, this.#ranks[right] as number, below))
        below = right
      const [child, childRank] = [this.#items[below] as T, this.#ranks[below] as number]
      if (childRank > rank || (childRank === rank && !this.#isBefore(child, item))) break
      this.#put(place, child, childRank)
      place = below
    }
    this.#put(place, item, rank)
  }

  #comesBefore(item: T, rank: number, place: number): boolean {
    const other = this.#ranks[place] as number
    return rank < other || (rank === other && this.#isBefore(item, this.#items[place] as T))
  }

  #put(place: number, item: T, rank: number): void {
    this.#items[place] = item
    this.#ranks[place] = rank
    item.place = place
  }

  #resize(count: number): void {
    const ranks = new Float64Array(count)
    ranks.set(this.#ranks.subarray(0, this.#items.length))
    this.#ranks = ranks
  }
}
