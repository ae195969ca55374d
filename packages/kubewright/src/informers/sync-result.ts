// What became of waiting for several caches.

import { type Syncable, waitForCacheSync } from '../cache/index.js'
import { messageOf } from '../meta/index.js'

/** An informer that is waited for. */
export interface Awaited extends Syncable {
  /** Of the resource. */
  readonly name: string
  /** It was given up while it was waited for: there is nothing to say of it. */
  readonly isReleased: boolean
}

/** The result of a factory's `waitForCacheSync`. */
export class SyncResult {
  /** By resource, such as `deployments.v1.apps` or `pods.v1`: whether its cache is synced. */
  readonly synced: ReadonlyMap<string, boolean>
  /** Why the waiting ended before all were: the signal's reason, or what stopped an informer. Else undefined. */
  readonly err: unknown

  constructor(synced: ReadonlyMap<string, boolean>, err: unknown) {
    this.synced = synced
    this.err = err
  }

  /** Waits for all. */
  static async of(informers: readonly Awaited[], signal: AbortSignal | undefined): Promise<SyncResult> {
    let err: unknown
    try {
      await waitForCacheSync({ signal }, ...informers)
    } catch (reason) {
      err = reason
    }
    const needed = informers.filter(({ isReleased }) => !isReleased)
    return new SyncResult(new Map(needed.map((informer) => [informer.name, informer.hasSynced()])), err)
  }

  /** An error that names the resources which are not synced; undefined when all are. */
  asError(): Error | undefined {
    const missing = [...this.synced].filter(([, synced]) => !synced).map(([name]) => name)
    if (missing.length === 0) return undefined
    const cause = messageOf(this.err)
    return new Error(`failed to sync all caches: ${missing.sort().join(', ')}: ${cause}`, { cause: this.err })
  }
}
