// All handlers of an informer: who gets which notification, and who is due for a resync.

import type { DeepReadonly } from '../meta/index.js'
import type { ChangeSink } from './deltas.js'
import { metadataOf } from './indexer.js'
import type { DeletedFinalStateUnknown } from './keys.js'
import type { Notification, ProcessorListener } from './processor-listener.js'

/**
 * Distributes changes to handlers.
 *
 * An update that leaves the version as it was is a resync, or an object that a list brought again: it goes to those
 * handlers only that are syncing. All are at first; at each resync those that are due.
 */
export class SharedProcessor<T> implements ChangeSink<T> {
  /** Each listener, and whether it is syncing. */
  readonly #listeners = new Map<ProcessorListener<T>, boolean>()

  get listeners(): Iterable<ProcessorListener<T>> {
    return this.#listeners.keys()
  }

  add(listener: ProcessorListener<T>): void {
    this.#listeners.set(listener, true)
  }

  /** Returns whether it was there. */
  remove(listener: ProcessorListener<T>): boolean {
    return this.#listeners.delete(listener)
  }

  onAdd(obj: DeepReadonly<T>, isInInitialList: boolean): void {
    this.#distribute({ type: 'add', obj, isInInitialList }, false)
  }

  onUpdate(oldObj: DeepReadonly<T>, obj: DeepReadonly<T>): void {
    const [oldMetadata, metadata] = [metadataOf(oldObj), metadataOf(obj)]
    const isSync =
      oldMetadata !== undefined &&
      metadata !== undefined &&
      (oldMetadata.resourceVersion ?? '') === (metadata.resourceVersion ?? '')
    this.#distribute({ type: 'update', oldObj, obj }, isSync)
  }

  onDelete(obj: DeepReadonly<T> | DeletedFinalStateUnknown<T>): void {
    this.#distribute({ type: 'delete', obj }, false)
  }

  upstreamHasSynced(): void {
    for (const listener of this.#listeners.keys()) listener.upstreamHasSynced()
  }

  /** Marks the handlers that are due as syncing, the others as not. Returns whether there are any. */
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
    for (const [listener, syncing] of this.#listeners) if (!isSync || syncing) listener.add(notification)
  }
}
