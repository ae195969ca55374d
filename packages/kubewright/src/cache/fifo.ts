// client-go's simplest queue in front of a cache: the newest state of each object.

import { FifoQueue } from '../workqueue/index.js'
import {
  type DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  type Keyed,
  type KeyFunc,
} from './keys.js'
import { PopGate } from './pop-gate.js'
import type { ReflectorStore } from './reflector-store.js'

export interface FIFOOptions {
  /** @defaultValue `deletionHandlingMetaNamespaceKeyFunc` */
  keyFunc?: KeyFunc | undefined
}

/**
 * A queue of objects for one consumer. Producers never wait.
 *
 * **Guarantees**: an object waits once, in its newest state. A deleted one waits no more: the consumer is never told of
 * deletions.
 */
export class FIFO<T> implements ReflectorStore<T> {
  readonly #keyFunc: KeyFunc
  readonly #items = new Map<string, T>()
  /** Keys; those of objects that were deleted are skipped. */
  #queue = new FifoQueue<string>()
  readonly #gate = new PopGate()

  constructor({ keyFunc = deletionHandlingMetaNamespaceKeyFunc }: FIFOOptions = {}) {
    this.#keyFunc = keyFunc
  }

  /** How many objects wait. */
  get length(): number {
    return this.#items.size
  }

  /** Whether all that the first `replace` brought is processed; or, where something else was written first, at once. */
  hasSynced(): boolean {
    return this.#gate.synced
  }

  isClosed(): boolean {
    return this.#gate.closed
  }

  /** @throws KeyError */
  add(obj: T): void {
    const key = this.#keyOf(obj)
    this.#gate.populate()
    if (!this.#items.has(key)) this.#queue.push(key)
    this.#items.set(key, obj)
    this.#gate.wake()
  }

  /** The same as `add`. @throws KeyError */
  update(obj: T): void {
    this.add(obj)
  }

  /** @throws KeyError */
  delete(obj: T | DeletedFinalStateUnknown<T>): void {
    const key = this.#keyOf(obj)
    this.#gate.populate()
    this.#items.delete(key)
  }

  /** @throws KeyError; nothing is replaced then. */
  replace(objs: readonly T[], _resourceVersion: string): void {
    const items = new Map(objs.map((obj) => [this.#keyOf(obj), obj] as const))
    this.#gate.populateWith(items.size)
    this.#items.clear()
    this.#queue = new FifoQueue()
    for (const [key, obj] of items) {
      this.#items.set(key, obj)
      this.#queue.push(key)
    }
    this.#gate.wake()
  }

  /**
   * Waits for an object, takes it and processes it.
   *
   * @returns the object.
   * @throws FIFOClosedError when the queue is closed and empty; what `process` throws, and the object stays taken.
   */
  async pop(process: (obj: T, isInInitialList: boolean) => unknown): Promise<T> {
    for (;;) {
      while (this.#queue.length === 0) await this.#gate.waitUntil(() => this.#queue.length > 0)
      const isInInitialList = !this.#gate.synced
      const key = this.#queue.pop()
      const obj = this.#items.get(key)
      if (obj === undefined) {
        this.#gate.taken()
        continue
      }
      this.#items.delete(key)
      try {
        await process(obj, isInInitialList)
      } finally {
        this.#gate.taken()
      }
      return obj
    }
  }

  /** Ends waiting: what is queued can still be popped. Idempotent. */
  close(): void {
    this.#gate.close()
  }

  #keyOf(obj: T | DeletedFinalStateUnknown<T>): string {
    return this.#keyFunc(obj as Keyed)
  }
}
