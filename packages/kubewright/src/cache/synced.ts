// Becoming synced, once: asked for, or waited for.

import { abortable } from '../clock/index.js'

/** Something that becomes synced: an informer, or the registration of a handler. */
export interface Syncable {
  hasSynced(): boolean
  /** Resolves when {@link Syncable.hasSynced} becomes true; rejects when it never will, because it was stopped. */
  readonly synced: Promise<void>
}

/** A promise that resolves or rejects once, and whose state can be read. */
export class SyncedLatch {
  readonly promise: Promise<void>
  #done = false
  #resolve: () => void = () => {}
  #reject: (reason: Error) => void = () => {}

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    // Nobody has to wait for it.
    this.promise.catch(() => {})
  }

  get done(): boolean {
    return this.#done
  }

  resolve(): void {
    this.#done = true
    this.#resolve()
  }

  /** Says that it will never be. Without effect once it is. */
  reject(reason: Error): void {
    this.#reject(reason)
  }
}

/**
 * Waits until all are synced. With nothing to wait for, at once.
 *
 * @throws the signal's reason when it aborts first; Error when one of them is stopped before it is synced.
 */
export async function waitForCacheSync(
  { signal }: { signal?: AbortSignal | undefined },
  ...syncables: readonly Syncable[]
): Promise<void> {
  if (syncables.every((syncable) => syncable.hasSynced())) return
  const all = Promise.all(syncables.map((syncable) => syncable.synced)).then(() => {})
  await abortable(all, signal)
}
