// A heap that finds what it holds by key: client-go's Heap.
import { type Placed, RankedHeap } from './ranked-heap.js'

interface Node<T> extends Placed {
  readonly key: unknown
  item: T
}

/**
 * A heap that holds each key once. `get`, `has`, `peek` and `size` take constant time, the rest logarithmic.
 *
 * Items that are equal in order come out as from Go's `container/heap`, which it equals step by step.
 */
export class KeyedHeap<T> {
  readonly #heap: RankedHeap<Node<T>>
  readonly #nodes = new Map<unknown, Node<T>>()

  /** @param isBefore whether `a` comes out before `b`. Must not change its answer for items that are held. */
  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#heap = new RankedHeap((a, b) => isBefore(a.item, b.item))
  }

  get size(): number {
    return this.#heap.size
  }

  has(key: unknown): boolean {
    return this.#nodes.has(key)
  }

  get(key: unknown): T | undefined {
    return this.#nodes.get(key)?.item
  }

  /** The first, left in place. */
  peek(): T | undefined {
    return this.#heap.peek()?.item
  }

  /** Adds an item, or puts it in the place of the one with its key. */
  set(key: unknown, item: T): void {
    const node = this.#nodes.get(key)
    if (node) {
      node.item = item
      this.#heap.move(node, 0)
      return
    }
    const added = { key, item, place: 0 }
    this.#nodes.set(key, added)
    this.#heap.push(added, 0)
  }

  /** Removes the first and returns it. */
  pop(): T | undefined {
    const first = this.#heap.pop()
    if (first) this.#nodes.delete(first.key)
    return first?.item
  }

  /** Returns whether there was one. */
  delete(key: unknown): boolean {
    const node = this.#nodes.get(key)
    if (!node) return false
    this.#nodes.delete(key)
    this.#heap.remove(node)
    return true
  }

  clear(): void {
    this.#heap.clear()
    this.#nodes.clear()
  }

  /** What is held, by its keys, in no particular order. */
  *entries(): Generator<[key: unknown, item: T]> {
    for (const { key, item } of this.#nodes.values()) yield [key, item]
  }
}
