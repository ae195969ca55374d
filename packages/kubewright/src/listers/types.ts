// What a lister offers: typed, readonly reading of an informer's cache.

import type { DeepReadonly, KubernetesObject, Selector } from '../meta/index.js'

/**
 * Reads all objects of a cache.
 *
 * **Caveats**: the objects are the cache's own, shared with everybody: copy what you want to change with
 * `deepCopy`.
 * They may be older than the server's, and newer than the notification being handled. In no particular order.
 */
export interface Lister<T> {
  /**
   * The objects whose labels match. Absent or empty: all.
   *
   * @param selector a label selector as text, such as `app=web,tier in (a,b)`, or parsed.
   * @throws Error when the text is not a label selector.
   */
  list(selector?: string | Selector): DeepReadonly<T>[]
}

/** Reads the objects of a cluster-scoped resource. */
export interface ClusterLister<T> extends Lister<T> {
  /** The object, or undefined when it is gone (or the cache has not seen it yet). */
  get(name: string): DeepReadonly<T> | undefined
}

/** Reads the objects of one namespace. */
export interface NamespaceLister<T> extends Lister<T> {
  /** The object, or undefined when it is gone (or the cache has not seen it yet). */
  get(name: string): DeepReadonly<T> | undefined
}

/**
 * Reads the objects of a namespaced resource: `lister.list()` in all namespaces, and by the resource's own name in one:
 * `lister.deployments('default').get('web')`.
 */
export type NamespacedLister<T, M extends string> = Lister<T> & {
  readonly [method in M]: (namespace: string) => NamespaceLister<T>
}

/** Reads the objects of a resource whose type is not known. */
export interface GenericLister<T = KubernetesObject> extends Lister<T> {
  /** By name, for cluster-scoped resources. */
  get(name: string): DeepReadonly<T> | undefined
  /** In one namespace. */
  byNamespace(namespace: string): NamespaceLister<T>
}

/**
 * Reads the objects of a namespace out of a cache of bytes.
 *
 * **Guarantees**: each call decodes anew; what it gives is the reader's own, to be changed.
 */
export interface BytesNamespaceLister<T> {
  /** As {@link Lister.list}: only what the selector lets through is decoded. */
  list(selector?: string | Selector): T[]
  /** The object, or undefined when it is gone (or the cache has not seen it yet). */
  get(name: string): T | undefined
}

/** As {@link BytesNamespaceLister}, of the whole cache: `get` is for cluster-scoped resources. */
export interface BytesLister<T = KubernetesObject> extends BytesNamespaceLister<T> {
  /** In one namespace. */
  byNamespace(namespace: string): BytesNamespaceLister<T>
}
