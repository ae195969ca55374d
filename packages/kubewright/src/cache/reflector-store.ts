// Where a reflector puts what it sees.

import type { DeletedFinalStateUnknown } from './keys.js'

/** Changes an object before anything else sees it, to drop what is not needed say. May change it in place. */
export type TransformFunc<T> = (obj: T) => T

/** Options of {@link ReflectorStore.replace}. */
export interface ReplaceOptions {
  /** The objects have been through the store's own `transform` already. */
  transformed?: boolean | undefined
}

/** What a reflector writes to: an {@link Indexer}, or a queue in front of one. */
export interface ReflectorStore<T> {
  add(obj: T): void
  update(obj: T): void
  delete(obj: T | DeletedFinalStateUnknown<T>): void
  replace(objs: readonly T[], resourceVersion: string, options?: ReplaceOptions): void
  /**
   * `replace` with objects by their keys, as `deletionHandlingMetaNamespaceKeyFunc` makes them, which no `transform` has
   * changed. The map is the store's from then on.
   */
  replaceByKey?(objects: Map<string, T>, resourceVersion: string): void
  /** Asked for when the resync period has passed. */
  resync?(): void
  /** Told of versions that came without a change. */
  bookmark?(resourceVersion: string): void
  /** Applied by the reflector to the objects of a stream that it collects before it replaces the store's content. */
  readonly transform?: TransformFunc<T> | undefined
}
