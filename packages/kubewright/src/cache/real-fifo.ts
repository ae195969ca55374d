// The queue between reflector and cache: every change, in the order it arrived.

import { FifoQueue } from '../workqueue/index.js'
import { DeletedFinalStateUnknown, deletionHandlingMetaNamespaceKeyFunc, type Keyed, type KeyFunc } from './keys.js'
import { PopGate } from './pop-gate.js'
import type { ReflectorStore, ReplaceOptions, TransformFunc } from './reflector-store.js'

/** One entry of the queue. */
export type Delta<T> =
  | { readonly type: 'Added' | 'Updated'; readonly key: string; readonly object: T }
  | { readonly type: 'Deleted'; readonly key: string; readonly object: T | DeletedFinalStateUnknown<T> }
  /** The content as a whole, by key, as a list or a stream of the initial objects gave it. */
  | { readonly type: 'ReplacedAll'; readonly objects: Map<string, T>; readonly resourceVersion: string }
  /** Everything in the cache is to be delivered once more. */
  | { readonly type: 'SyncAll' }
  | { readonly type: 'Bookmark'; readonly resourceVersion: string }

/** Handles one entry. The next one waits until it is done. */
export type PopProcessFunc<T> = (delta: Delta<T>, isInInitialList: boolean) => void | Promise<void>

export interface RealFIFOOptions<T> {
  /** @defaultValue `deletionHandlingMetaNamespaceKeyFunc` */
  keyFunc?: KeyFunc | undefined
  transform?: TransformFunc<T> | undefined
}

/**
 * A queue of changes for one consumer. Producers never wait.
 *
 * **Guarantees**: entries come out in the order they went in; none is merged or dropped; `transform` is applied once to
 * each object, and not to a {@link DeletedFinalStateUnknown}. A write that throws adds nothing, a deletion excepted.
 */
export class RealFIFO<T> implements ReflectorStore<T> {
  readonly transform: TransformFunc<T> | undefined
  readonly #keyFunc: KeyFunc
  readonly #items = new FifoQueue<Delta<T>>()
  readonly #gate = new PopGate()

  constructor({ keyFunc = deletionHandlingMetaNamespaceKeyFunc, transform }: RealFIFOOptions<T> = {}) {
    this.#keyFunc = keyFunc
    this.transform = transform
  }

  /** How many entries wait. */
  get length(): number {
    return this.#items.length
  }

  /**
   * Whether the first content is processed: the entries that were queued by the end of the first `replace`; or, where
   * something else was written first, at once.
   */
  hasSynced(): boolean {
    return this.#gate.synced
  }

  /** @throws KeyError; what `transform` throws */
  add(obj: T): void {
    this.#addObject('Added', obj)
  }

  /** @throws KeyError; what `transform` throws */
  update(obj: T): void {
    this.#addObject('Updated', obj)
  }

  /** @throws KeyError; what `transform` throws: the object is then deleted without its last state, as it is gone anyway */
  delete(obj: T | DeletedFinalStateUnknown<T>): void {
    this.#gate.populate()
    if (obj instanceof DeletedFinalStateUnknown || !this.transform) {
      this.#push({ type: 'Deleted', key: this.#keyOf(obj), object: obj })
      return
    }
    const key = this.#keyOf(obj)
    let object: T | DeletedFinalStateUnknown<T> = new DeletedFinalStateUnknown<T>(key, undefined)
    try {
      object = this.transform(obj)
    } finally {
      this.#push({ type: 'Deleted', key, object })
    }
  }

  /** @throws KeyError; what `transform` throws */
  replace(objs: readonly T[], resourceVersion: string, { transformed = false }: ReplaceOptions = {}): void {
    const transform = transformed ? undefined : this.transform
    const objects = new Map<string, T>()
    for (const original of objs) {
      const obj = transform ? transform(original) : original
      objects.set(this.#keyOf(obj), obj)
    }
    this.#replaceAll(objects, resourceVersion)
  }

  replaceByKey(objects: Map<string, T>, resourceVersion: string): void {
    if (this.transform || this.#keyFunc !== deletionHandlingMetaNamespaceKeyFunc) {
      this.replace([...objects.values()], resourceVersion)
    } else {
      this.#replaceAll(objects, resourceVersion)
    }
  }

  resync(): void {
    this.#push({ type: 'SyncAll' })
  }

  bookmark(resourceVersion: string): void {
    this.#push({ type: 'Bookmark', resourceVersion })
  }

  /**
   * Waits for an entry, takes it out and processes it.
   *
   * @throws FIFOClosedError when the queue is closed and empty; what `process` throws, and the entry stays taken.
   */
  async pop(process: PopProcessFunc<T>): Promise<void> {
    while (this.#items.length === 0) await this.#gate.waitUntil(() => this.#items.length > 0)
    await this.popReady(process)
  }

  /**
   * {@link RealFIFO.pop} of a queue that is not empty, without waiting for anything but `process`: undefined when that
   * has returned no promise.
   */
  popReady(process: PopProcessFunc<T>): Promise<void> | undefined {
    const isInInitialList = !this.#gate.synced
    const delta = this.#items.pop()
    // Only when it is processed: whoever sees hasSynced() must find the content in the cache.
    const taken = (): void => this.#gate.taken()
    let processing: void | Promise<void>
    try {
      processing = process(delta, isInInitialList)
    } catch (err) {
      taken()
      throw err
    }
    if (processing) return Promise.resolve(processing).finally(taken)
    taken()
    return undefined
  }

  /** Ends waiting: what is queued can still be popped. Idempotent. */
  close(): void {
    this.#gate.close()
  }

  #addObject(type: 'Added' | 'Updated', obj: T): void {
    this.#gate.populate()
    const object = this.transform ? this.transform(obj) : obj
    this.#push({ type, key: this.#keyOf(object), object })
  }

  #replaceAll(objects: Map<string, T>, resourceVersion: string): void {
    this.#push({ type: 'ReplacedAll', objects, resourceVersion })
    this.#gate.populateWith(this.#items.length)
  }

  #push(delta: Delta<T>): void {
    this.#items.push(delta)
    this.#gate.wake()
  }

  #keyOf(obj: T | DeletedFinalStateUnknown<T>): string {
    return this.#keyFunc(obj as Keyed)
  }
}
