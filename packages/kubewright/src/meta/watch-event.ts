// What a watch delivers.

import type { Status } from '../gen/api/meta/v1.js'
import type { KubernetesObject } from './object.js'

/** One event of a watch, as on the wire. */
export type WatchEvent<T = KubernetesObject> =
  | { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: T }
  /** Progress without a change: only `metadata.resourceVersion` (and annotations) of the object mean something. */
  | { type: 'BOOKMARK'; object: KubernetesObject }
  /** The server ends the watch with an error, such as 410 when the version asked for is gone. */
  | { type: 'ERROR'; object: Status }

/**
 * A running watch.
 *
 * **Guarantees**: it may be iterated once; `break`, `stop()` and the call's signal release its connection; a signal
 * that aborts ends the iteration with the signal's reason; the server closing the stream ends it normally.
 */
export interface Watch<T = KubernetesObject> extends AsyncIterable<WatchEvent<T>> {
  /** Ends the watch and releases its connection. Idempotent; a pending iteration ends normally. */
  stop(): void
}
