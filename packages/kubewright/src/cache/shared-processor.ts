// All handlers of an informer: who gets which notification, and who is due for a resync.

import type { DeepReadonly } from '../meta/index.js'
import type { ChangeSink } from './deltas.js'
import { metadataOf } from './indexer.js'
import type { DeletedFinalStateUnknown } from './keys.js'
import type { Notification, ProcessorListener } from './processor-listener.js'

/**
 * Distributes changes to handlers.
 *
 * An object that is delivered once more is a resync: it goes to those handlers only that are due. One that a list brought
 * again in the version that was known is nothing to tell of.
 */
export class SharedProcessor<T> implements ChangeSink<T> {
  /** Each listener, and whether it was due at the last resync. */
  readonly #listeners = new Map<ProcessorListener<T>, boolean>()

  get listeners(): Iterable<ProcessorListener<T>> {
    return this.#listeners.keys()
  }

  add(listener: ProcessorListener<T>): void {
    this.#listeners.set(listener, false)
  }

  /** Returns whether it was there. */
  remove(listener: ProcessorListener<T>): boolean {
    return this.#listeners.delete(listener)
  }

  onAdd(obj: DeepReadonly<T>, isInInitialList: boolean): void {
    this.#distribute({ type: 'add', obj, isInInitialList }, false)
  }

  onAddAll(objs: Iterable<DeepReadonly<T>>, isInInitialList: boolean): void {
    const notifications = Array.from(objs, (obj): Notification<T> => ({ type: 'add', obj, isInInitialList }))
    for (const listener of this.#listeners.keys()) {
      for (const notification of notifications) listener.add(notification)
    }
  }

  onUpdate(oldObj: DeepReadonly<T>, obj: DeepReadonly<T>): void {
    const isSync = oldObj === obj
    if (!isSync && isSameVersion(oldObj, obj)) return
    this.#distribute({ type: 'update', oldObj, obj }, isSync)
  }

  onDelete(obj: DeepReadonly<T> | DeletedFinalStateUnknown<T>): void {
    this.#distribute({ type: 'delete', obj }, false)
  }

  upstreamHasSynced(): void {
    for (const listener of this.#listeners.keys()) listener.upstreamHasSynced()
  }

  /** Notes which handlers are due. Returns whether any is. */
  shouldResync(): boolean {
    let needed = false
    for (const listener of this.#listeners.keys()) {
      const due = listener.takeResync()
      this.#listeners.set(listener, due)
      needed ||= due
    }
    return needed
  }

  /** Drops all handlers. Resolves when each is done with what it has. */
  async stop(): Promise<void> {
    const listeners = [...this.#listeners.keys()]
    this.#listeners.clear()
    await Promise.all(listeners.map((listener) => listener.stop('the informer stopped')))
  }

  #distribute(notification: Notification<T>, isSync: boolean): void {
    for (const [listener, due] of this.#listeners) if (!isSync || due) listener.add(notification)
  }
}

/** Of objects without a version nobody can say whether they changed. */
function isSameVersion(oldObj: unknown, obj: unknown): boolean {
  const version = metadataOf(obj)?.resourceVersion
  return version !== undefined && version !== '' && version === metadataOf(oldObj)?.resourceVersion
}
