// What an informer says of itself when it is asked.

/** A handler, at the time of asking. */
export interface HandlerStatistics {
  /** Its option `name`; without one, `handler 1`, `handler 2`, … */
  readonly name: string
  /** How many notifications it has not been given. */
  readonly pending: number
  /** How many were not delivered, as a later one of the same object took their place; see `maxPendingNotifications`. */
  readonly coalesced: number
  readonly delivered: number
  /** Of those delivered, how many it threw or rejected at. */
  readonly failed: number
  /** For how long its promise for one notification has been pending, in milliseconds; undefined when there is none. */
  readonly runningMs: number | undefined
  /** For how long it has always had something to do, in milliseconds. */
  readonly behindMs: number
}

/** An informer, at the time of asking. */
export interface InformerStatistics {
  readonly name: string
  /** How many objects the cache holds. */
  readonly objects: number
  /** How many entries wait to be applied to the cache. */
  readonly queued: number
  /** For how long there has always been one, in milliseconds. */
  readonly behindMs: number
  /** The newest version seen from the server. */
  readonly lastSyncResourceVersion: string
  /** How far the cache is. */
  readonly lastStoreSyncResourceVersion: string
  readonly counts: {
    /** Pages of lists that were asked for. */
    readonly lists: number
    /** Watches that were asked for: all but one are reconnects. */
    readonly watches: number
    /** Of both, how many failed. */
    readonly failures: number
    /** Events that were applied, by what the server called them. */
    readonly added: number
    readonly updated: number
    readonly deleted: number
    /** Whole lists that were applied. */
    readonly replaced: number
    readonly resyncs: number
    readonly bookmarks: number
  }
  readonly handlers: readonly HandlerStatistics[]
}
