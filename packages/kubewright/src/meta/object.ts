// The shapes that all Kubernetes objects share, and how a type is made readonly in depth.

/**
 * `T` with every property and array readonly, in depth: the type of what caches give out, and of what functions take
 * that only read. A plain `T` is always accepted where a `DeepReadonly<T>` is asked for. What a cache gave out becomes
 * yours to change with {@link deepCopy}.
 */
// A mapped type and no conditional one at the top, so that editors show `DeepReadonly<Deployment>` and not its expansion.
export type DeepReadonly<T> = { readonly [K in keyof T]: ReadonlyValue<T[K]> }

/** What may be anything, or is a function, stays as it is. */
type ReadonlyValue<V> = unknown extends V ? V : V extends (...args: never[]) => unknown ? V : DeepReadonly<V>

/** The part of an object's metadata that the library itself reads. */
export interface ObjectMetaLike {
  name?: string
  namespace?: string
  uid?: string
  resourceVersion?: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
}

/** Any Kubernetes object. Generated kinds and custom resources are all assignable to it. */
export interface KubernetesObject {
  apiVersion?: string
  kind?: string
  metadata?: ObjectMetaLike
}

/** Any Kubernetes list; one that a server has sent is a {@link StoredList}. */
export interface KubernetesList<T> {
  apiVersion?: string
  kind?: string
  metadata: {
    resourceVersion?: string
    /** Present when there is a next page. */
    continue?: string
    remainingItemCount?: number
  }
  items: T[]
}

/** A list as the server sends it. */
export interface StoredList<T> extends KubernetesList<T> {
  metadata: {
    /** What the list shows, and what a watch goes on from. */
    resourceVersion: string
    /** Present when there is a next page. */
    continue?: string
    remainingItemCount?: number
  }
}
