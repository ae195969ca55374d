// client-go's older queue between reflector and cache: what happened to an object, gathered until somebody takes it.

import type { DeepReadonly } from '../meta/index.js'
import { FifoQueue } from '../workqueue/index.js'
import { DeletedFinalStateUnknown, type Keyed, type KeyFunc, metaNamespaceKeyFunc } from './keys.js'
import { PopGate } from './pop-gate.js'
import type { ReflectorStore, ReplaceOptions, TransformFunc } from './reflector-store.js'

/** `Replaced`: a list brought it. `Sync`: it is in the cache already, and is delivered once more. */
export type DeltaType = 'Added' | 'Updated' | 'Deleted' | 'Replaced' | 'Sync'

/** Something that happened to an object. */
export interface ObjectDelta<T> {
  readonly type: DeltaType
  readonly object: T | DeletedFinalStateUnknown<T>
}

/** What happened to one object, oldest first; never empty. */
export type Deltas<T> = readonly ObjectDelta<T>[]

/** What is in the cache behind the queue: an {@link Indexer}, say. */
export interface KeyListerGetter<T> {
  listKeys(): string[]
  getByKey(key: string): T | DeepReadonly<T> | undefined
}

export interface DeltaFIFOOptions<T> {
  /** For objects, not for a {@link DeletedFinalStateUnknown}. @defaultValue `metaNamespaceKeyFunc` */
  keyFunc?: KeyFunc | undefined
  /** The cache behind the queue: tells which deletions a list has missed. @defaultValue none */
  knownObjects?: KeyListerGetter<NoInfer<T>> | undefined
  /** Whether objects of a list are `Replaced`. @defaultValue false: they are `Sync`, as of a resync */
  emitDeltaTypeReplaced?: boolean | undefined
  transform?: TransformFunc<T> | undefined
}

/** Handles what happened to one object. The next one waits until it is done. */
export type DeltasProcessFunc<T> = (deltas: Deltas<T>, isInInitialList: boolean) => unknown

/**
 * A queue of changes by object, for one consumer. Producers never wait. {@link RealFIFO}, which keeps the order of all
 * changes, is what informers use.
 *
 * **Guarantees**
 * - An object waits once; when it is taken, all that happened to it since is taken with it, in order.
 * - Nothing is merged but two deletions that follow each other. A deletion of what is neither waiting nor known is dropped.
 * - `replace` finds what was deleted meanwhile: a {@link DeletedFinalStateUnknown} for all that waits or is known, and is
 *   not in the list. `resync` adds known objects to which nothing happened.
 * - A write that throws adds nothing.
 */
export class DeltaFIFO<T> implements ReflectorStore<T> {
  readonly transform: TransformFunc<T> | undefined
  readonly #keyFunc: KeyFunc
  readonly #knownObjects: KeyListerGetter<T> | undefined
  readonly #replaced: DeltaType
  readonly #items = new Map<string, ObjectDelta<T>[]>()
  /** Keys, each once, of what is in `#items`. */
  readonly #queue = new FifoQueue<string>()
  readonly #gate = new PopGate()

  constructor(options: DeltaFIFOOptions<T> = {}) {
    this.#keyFunc = options.keyFunc ?? metaNamespaceKeyFunc
    this.#knownObjects = options.knownObjects
    this.#replaced = options.emitDeltaTypeReplaced ? 'Replaced' : 'Sync'
    this.transform = options.transform
  }

  /** How many objects wait. */
  get length(): number {
    return this.#queue.length
  }

  /** Whether all that the first `replace` brought has been taken; or, where something else was written first, at once. */
  hasSynced(): boolean {
    return this.#gate.synced
  }

  isClosed(): boolean {
    return this.#gate.closed
  }

  /**
   * The key of an object, of a missed deletion, or of what `pop` gave.
   *
   * @throws KeyError; Error for an empty list
   */
  keyOf(obj: T | DeletedFinalStateUnknown<T> | Deltas<T>): string {
    const one = Array.isArray(obj) ? newest(obj as Deltas<T>)?.object : obj
    if (one === undefined) throw new Error("0 length Deltas object; can't get key")
    return one instanceof DeletedFinalStateUnknown ? one.key : this.#keyFunc(one as Keyed)
  }

  /** @throws KeyError; what `transform` throws */
  add(obj: T): void {
    this.#gate.populate()
    this.#queueAction('Added', obj)
  }

  /** @throws KeyError; what `transform` throws */
  update(obj: T): void {
    this.#gate.populate()
    this.#queueAction('Updated', obj)
  }

  /** @throws KeyError; what `transform` throws */
  delete(obj: T | DeletedFinalStateUnknown<T>): void {
    const key = this.keyOf(obj)
    this.#gate.populate()
    if (this.#items.has(key) || this.#knownObjects?.getByKey(key) !== undefined) this.#queueAction('Deleted', obj)
  }

  /** @throws KeyError; what `transform` throws */
  replace(objs: readonly T[], _resourceVersion: string, { transformed = false }: ReplaceOptions = {}): void {
    const prepared = objs.map((original) => {
      const key = this.keyOf(original)
      return { key, object: transformed ? original : this.#transformed(original) }
    })
    const keys = new Set(prepared.map(({ key }) => key))
    for (const { key, object } of prepared) this.#push(key, { type: this.#replaced, object })
    this.#gate.populateWith(keys.size + this.#deleteOthers(keys))
  }

  resync(): void {
    for (const key of this.#knownObjects?.listKeys() ?? []) {
      const object = this.#knownObjects?.getByKey(key) as T | undefined
      // What is queued is newer than what is known.
      if (object !== undefined && !this.#items.has(key)) this.#push(key, { type: 'Sync', object })
    }
  }

  /**
   * Waits for an object to which something happened, takes it and processes it.
   *
   * @returns what was taken.
   * @throws FIFOClosedError when the queue is closed and empty; what `process` throws, and the object stays taken.
   */
  async pop(process: DeltasProcessFunc<T>): Promise<Deltas<T>> {
    while (this.#queue.length === 0) await this.#gate.waitUntil(() => this.#queue.length > 0)
    const isInInitialList = !this.#gate.synced
    const key = this.#queue.pop()
    const deltas = this.#items.get(key) ?? []
    this.#items.delete(key)
    this.#gate.taken()
    await process(deltas, isInInitialList)
    return deltas
  }

  /** Ends waiting: what is queued can still be popped. Idempotent. */
  close(): void {
    this.#gate.close()
  }

  /** Returns how many were deleted. */
  #deleteOthers(keys: ReadonlySet<string>): number {
    const gone = new Map<string, T | undefined>()
    for (const [key, deltas] of this.#items) if (!keys.has(key)) gone.set(key, lastState(deltas))
    for (const key of this.#knownObjects?.listKeys() ?? []) {
      if (!keys.has(key) && !this.#items.has(key)) gone.set(key, this.#knownObjects?.getByKey(key) as T | undefined)
    }
    for (const [key, last] of gone) {
      this.#push(key, {
        type: 'Deleted',
        object: new DeletedFinalStateUnknown<T>(key, last as DeepReadonly<T> | undefined),
      })
    }
    return gone.size
  }

  #queueAction(type: DeltaType, obj: T | DeletedFinalStateUnknown<T>): void {
    const key = this.keyOf(obj)
    const object = obj instanceof DeletedFinalStateUnknown ? obj : this.#transformed(obj)
    this.#push(key, { type, object })
  }

  #transformed(obj: T): T {
    return this.transform ? this.transform(obj) : obj
  }

  #push(key: string, delta: ObjectDelta<T>): void {
    const deltas = this.#items.get(key)
    if (!deltas) {
      this.#items.set(key, [delta])
      this.#queue.push(key)
    } else if (delta.type !== 'Deleted' || newest(deltas)?.type !== 'Deleted') {
      deltas.push(delta)
    } else if (newest(deltas)?.object instanceof DeletedFinalStateUnknown) {
      deltas[deltas.length - 1] = delta
    }
    this.#gate.wake()
  }
}

/** What happened to an object first. */
export function oldest<T>(deltas: Deltas<T>): ObjectDelta<T> | undefined {
  return deltas[0]
}

/** What happened to an object last. */
export function newest<T>(deltas: Deltas<T>): ObjectDelta<T> | undefined {
  return deltas.at(-1)
}

function lastState<T>(deltas: Deltas<T>): T | undefined {
  const last = newest(deltas)?.object
  return last instanceof DeletedFinalStateUnknown ? (last.obj as T | undefined) : last
}
