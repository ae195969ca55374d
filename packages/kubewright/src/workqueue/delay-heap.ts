// The items that wait for their time, soonest first: a binary heap that finds an item by its key.

/** An item and the time from which it may be added to its queue. */
export interface Delayed<T> {
  readonly key: unknown
  readonly item: T
  /** Monotonic time in milliseconds. */
  readonly readyAt: number
}

interface Node<T> extends Delayed<T> {
  readyAt: number
  /** Orders what is ready at the same time by its arrival. */
  readonly arrival: number
  index: number
}

/** A min-heap by `readyAt` that holds each key once. All but `peek` take logarithmic time. */
export class DelayHeap<T> {
  readonly #heap: Node<T>[] = []
  readonly #nodes = new Map<unknown, Node<T>>()
  #arrivals = 0

  get size(): number {
    return this.#heap.length
  }

  /** The soonest, left in place. */
  peek(): Delayed<T> | undefined {
    return this.#heap[0]
  }

  /** Adds an item. If its key is held already, the earlier of the two times holds. */
  insert(key: unknown, item: T, readyAt: number): void {
    let node = this.#nodes.get(key)
    if (!node) {
      node = { key, item, readyAt, arrival: this.#arrivals++, index: this.#heap.length }
      this.#nodes.set(key, node)
      this.#heap.push(node)
    } else if (readyAt < node.readyAt) {
      node.readyAt = readyAt
    } else {
      return
    }
    this.#siftUp(node)
  }

  /** Removes the soonest and returns it. */
  pop(): Delayed<T> | undefined {
    const top = this.#heap[0]
    const last = this.#heap.pop()
    if (!top || !last) return undefined
    this.#nodes.delete(top.key)
    if (last !== top) this.#siftDown(last)
    return top
  }

  clear(): void {
    this.#heap.length = 0
    this.#nodes.clear()
  }

  #siftUp(node: Node<T>): void {
    while (node.index > 0) {
      const parent = this.#heap[(node.index - 1) >> 1] as Node<T>
      if (!isBefore(node, parent)) break
      const { index } = parent
      this.#place(parent, node.index)
      node.index = index
    }
    this.#place(node, node.index)
  }

  /** Places `node` from the root downwards. */
  #siftDown(node: Node<T>): void {
    node.index = 0
    for (;;) {
      const left = this.#heap[2 * node.index + 1]
      const right = this.#heap[2 * node.index + 2]
      const child = right && left && isBefore(right, left) ? right : left
      if (!child || !isBefore(child, node)) break
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

function isBefore<T>(a: Node<T>, b: Node<T>): boolean {
  return a.readyAt < b.readyAt || (a.readyAt === b.readyAt && a.arrival < b.arrival)
}
