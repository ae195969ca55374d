// client-go's synctrack: when all of an initial list has been dealt with, by a handler or by a controller's workers.

import { type Syncable, SyncedLatch } from './synced.js'

/**
 * For what is dealt with one by one, in its order. It is what a handler's registration is made of: a controller whose
 * handlers do the work need only ask that.
 *
 * **Guarantees**: synced once `upstreamHasSynced` was called and each `start` has its `finished`; and from then on.
 */
export class SingleFileTracker implements Syncable {
  readonly #synced = new SyncedLatch()
  #count = 0
  #upstreamSynced = false

  get synced(): Promise<void> {
    return this.#synced.promise
  }

  hasSynced(): boolean {
    return this.#synced.done
  }

  /** An object of the initial list is to be dealt with. */
  start(): void {
    this.#count++
  }

  /** One is dealt with. @throws Error when more are than were started: then being synced means nothing. */
  finished(): void {
    if (this.#count === 0) throw new Error('an object of the initial list is finished that was not started')
    this.#count--
    this.#check()
  }

  /** All of the initial list was started. */
  upstreamHasSynced(): void {
    this.#upstreamSynced = true
    this.#check()
  }

  /** It will never be synced: `synced` rejects with the reason. Without effect once it is. */
  stop(reason: Error): void {
    this.#synced.reject(reason)
  }

  #check(): void {
    if (this.#upstreamSynced && this.#count === 0) this.#synced.resolve()
  }
}

/**
 * For what is dealt with by several workers, in any order: a controller is synced when its workers have seen every object of
 * the initial list.
 *
 * ```ts
 * const tracker = new AsyncTracker<string>()
 * const registration = informer.addEventHandler({
 *   onAdd: (obj, isInInitialList) => {
 *     const key = metaNamespaceKeyFunc(obj)
 *     if (isInInitialList) tracker.start(key)
 *     queue.add(key)
 *   },
 * })
 * void registration.synced.then(() => tracker.upstreamHasSynced(), (err) => tracker.stop(err))
 * // in each worker, after reconcile(key):
 * tracker.finished(key)
 * ```
 *
 * **Guarantees**: synced once `upstreamHasSynced` was called and each started key was finished; and from then on. Keys that
 * were not started may be finished.
 */
export class AsyncTracker<K> implements Syncable {
  readonly #synced = new SyncedLatch()
  readonly #waiting = new Set<K>()
  #upstreamSynced = false

  get synced(): Promise<void> {
    return this.#synced.promise
  }

  hasSynced(): boolean {
    return this.#synced.done
  }

  /** A key of the initial list is to be dealt with. */
  start(key: K): void {
    this.#waiting.add(key)
  }

  /** A key is dealt with. */
  finished(key: K): void {
    this.#waiting.delete(key)
    this.#check()
  }

  /** All of the initial list was started. */
  upstreamHasSynced(): void {
    this.#upstreamSynced = true
    this.#check()
  }

  /** It will never be synced: `synced` rejects with the reason. Without effect once it is. */
  stop(reason: Error): void {
    this.#synced.reject(reason)
  }

  #check(): void {
    if (this.#upstreamSynced && this.#waiting.size === 0) this.#synced.resolve()
  }
}
