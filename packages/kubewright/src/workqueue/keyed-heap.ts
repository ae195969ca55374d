// A heap that finds what it holds by key: the order of delayed items, of priorities, and of client-go's Heap.

interface Node<T> {
  readonly key: unknown
  item: T
  index: number
}

/**
 * A binary heap that holds each key once. `get`, `has`, `peek` and `size` take constant time, the rest logarithmic.
 *
 * Items that are equal in order come out as from Go's `container/heap`, which it equals step by step.
 */
export class KeyedHeap<T> {
  readonly #isBefore: (a: T, b: T) => boolean
  readonly #heap: Node<T>[] = []
  readonly #nodes = new Map<unknown, Node<T>>()

  /** @param isBefore whether `a` comes out before `b`. Must not change its answer for items that are held. */
  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore
  }

  get size(): number {
    return this.#heap.length
  }

  has(key: unknown): boolean {
    return this.#nodes.has(key)
  }

  get(key: unknown): T | undefined {
    return this.#nodes.get(key)?.item
  }

  /** The first, left in place. */
  peek(): T | undefined {
    return this.#heap[0]?.item
  }

  /** Adds an item, or puts it in the place of the one with its key. */
  set(key: unknown, item: T): void {
    const node = this.#nodes.get(key)
    if (node) {
      node.item = item
      this.#fix(node)
      return
    }
    const added = { key, item, index: this.#heap.length }
    this.#nodes.set(key, added)
    this.#heap.push(added)
    this.#siftUp(added)
  }

  /** Removes the first and returns it. */
  pop(): T | undefined {
    const first = this.#heap[0]
    if (first) this.#remove(first)
    return first?.item
  }

  /** Returns whether there was one. */
  delete(key: unknown): boolean {
    const node = this.#nodes.get(key)
    if (node) this.#remove(node)
    return node !== undefined
  }

  clear(): void {
    this.#heap.length = 0
    this.#nodes.clear()
  }

  /** What is held, by its keys, in no particular order. */
  *entries(): Generator<[key: unknown, item: T]> {
    for (const { key, item } of this.#nodes.values()) yield [key, item]
  }

  #remove(node: Node<T>): void {
    this.#nodes.delete(node.key)
    const last = this.#heap.pop()
    if (!last || last === node) return
    this.#place(last, node.index)
    this.#fix(last)
  }

  #fix(node: Node<T>): void {
    const { index } = node
    this.#siftDown(node)
    if (node.index === index) this.#siftUp(node)
  }

  #siftUp(node: Node<T>): void {
    while (node.index > 0) {
      const parent = this.#heap[(node.index - 1) >> 1] as Node<T>
      if (!this.#isBefore(node.item, parent.item)) break
      const { index } = parent
      this.#place(parent, node.index)
      node.index = index
    }
    this.#place(node, node.index)
  }

  #siftDown(node: Node<T>): void {
    for (;;) {
      const left = this.#heap[2 * node.index + 1]
      const right = this.#heap[2 * node.index + 2]
      const child = right && left && this.#isBefore(right.item, left.item) ? right : left
      if (!child || !this.#isBefore(child.item, node.item)) break
      const { index } = child
      this.#place(child, node.index)
      node.index = index
    }
    this.#place(node, node.index)
  }

  #place(node: Node<T>, index: number): void {
    this.#heap[index] = node
    node.index = index
  }
}
