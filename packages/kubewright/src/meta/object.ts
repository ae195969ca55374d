// The shapes that all Kubernetes objects share, and how a type is made readonly in depth.

/**
 * `T` with every property and array readonly, in depth: the type of what caches give out, and of what functions
 * take that only read. A plain `T` is always accepted where a `DeepReadonly<T>` is asked for.
 */
export type DeepReadonly<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends readonly (infer U)[]
    ? readonly DeepReadonly<U>[]
    : T extends object
      ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
      : T

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

/** Any Kubernetes list. */
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

/** The opposite of {@link DeepReadonly}: the type of a copy, by `structuredClone` say, of what a cache gave out. */
export type Mutable<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends readonly (infer U)[]
    ? Mutable<U>[]
    : T extends object
      ? { -readonly [K in keyof T]: Mutable<T[K]> }
      : T
