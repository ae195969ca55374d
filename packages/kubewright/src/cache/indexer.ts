// What a cache of objects offers: storing by key, and finding by index.

import type { DeepReadonly, KubernetesObject } from '../meta/index.js'
import type { DeletedFinalStateUnknown, KeyFunc } from './keys.js'

/** The values under which an object is found in an index; none: the object is not in it. Must depend on `obj` alone. */
export type IndexFunc<T> = (obj: DeepReadonly<T>) => readonly string[]

/** Index functions by the name of their index. */
export type Indexers<T> = Readonly<Record<string, IndexFunc<T>>>

/** The index by namespace: what listers of one namespace use. */
export const namespaceIndex = 'namespace'

/**
 * Indexes by namespace; cluster-scoped objects have the namespace `''`.
 *
 * @throws Error when the object has no metadata.
 */
export function metaNamespaceIndexFunc(obj: {
  readonly metadata?: { readonly namespace?: string | undefined } | undefined
}): string[] {
  if (!obj.metadata) throw new Error('object has no metadata')
  return [obj.metadata.namespace ?? '']
}

/**
 * Objects by key, and by the values of indices.
 *
 * **Guarantees**: every call is one step: nobody sees half of a change. What is read are the stored objects themselves,
 * in no particular order.
 *
 * **Caveats**: the objects are shared. Changing one in place changes it for everybody, and leaves indices wrong.
 */
export interface Indexer<T> {
  /** Stores an object under its key, in place of the one there. @throws KeyError; Error when an index function throws */
  add(obj: T): void
  /** The same as `add`. */
  update(obj: T): void
  /** Removes the object with this one's key, if there is one. @throws KeyError */
  delete(obj: T | DeletedFinalStateUnknown<T>): void
  /**
   * Replaces the whole content in one step.
   *
   * @param resourceVersion the version of the list that `objs` are.
   * @throws KeyError; Error when an index function throws. The content is then as it was.
   */
  replace(objs: readonly T[], resourceVersion: string): void
  /** The stored object with this one's key. @throws KeyError */
  get(obj: T | DeepReadonly<T>): DeepReadonly<T> | undefined
  getByKey(key: string): DeepReadonly<T> | undefined
  list(): DeepReadonly<T>[]
  listKeys(): string[]

  /** The objects that share an indexed value with this one. @throws Error when there is no such index */
  index(name: string, obj: DeepReadonly<T>): DeepReadonly<T>[]
  /** The objects with this value in an index. @throws Error when there is no such index */
  byIndex(name: string, value: string): DeepReadonly<T>[]
  /** The keys, sorted, of the objects with this value in an index. @throws Error when there is no such index */
  indexKeys(name: string, value: string): string[]
  /** All values in an index; none when there is no such index. */
  listIndexFuncValues(name: string): string[]
  getIndexers(): Indexers<T>
  /**
   * Adds indices, and what is stored to them.
   *
   * @throws Error when there is an index of that name already, or an index function throws. Nothing is then added.
   */
  addIndexers(indexers: Indexers<T>): void

  /** Notes that the content is as new as this version. */
  bookmark(resourceVersion: string): void
  /** The newest version that was written, replaced with or bookmarked; `''` before the first. */
  lastStoreSyncResourceVersion(): string
}

/** Options of {@link newIndexer}. */
export interface IndexerOptions<T> {
  /** @defaultValue `deletionHandlingMetaNamespaceKeyFunc` */
  keyFunc?: KeyFunc | undefined
  /** @defaultValue the index by namespace; `{}` for none */
  indexers?: Indexers<T> | undefined
  /**
   * Told when an index function throws; the object is then stored, and missing from that index.
   *
   * @defaultValue throws: nothing is stored
   */
  onIndexError?: ((err: Error) => void) | undefined
  /** Told of each object that was in the cache, or passed by it, and is no longer needed there. */
  onDropped?: ((obj: T) => void) | undefined
}

/** The metadata that a cache looks at, of any object. */
export function metadataOf(obj: unknown): KubernetesObject['metadata'] {
  return (obj as KubernetesObject | undefined)?.metadata
}
