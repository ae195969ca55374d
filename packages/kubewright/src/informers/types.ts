// What the factory's accessors give: an informer and a lister on its cache.

import type { ObjectRef, SharedIndexInformer } from '../cache/index.js'
import type { BytesLister, ClusterLister, GenericLister, NamespacedLister } from '../listers/index.js'
import type { KubernetesObject } from '../meta/index.js'

/** Informer and lister of a namespaced resource. `M` is the lister's method for one namespace, such as `deployments`. */
export interface NamespacedInformer<T extends KubernetesObject, M extends string> {
  readonly informer: SharedIndexInformer<T>
  readonly lister: NamespacedLister<T, M>
}

/** Informer and lister of a cluster-scoped resource. */
export interface ClusterInformer<T extends KubernetesObject> {
  readonly informer: SharedIndexInformer<T>
  readonly lister: ClusterLister<T>
}

/** Informer and lister of any resource, by its name or its kind. */
export interface GenericInformer<T extends KubernetesObject = KubernetesObject> {
  readonly informer: SharedIndexInformer<T>
  readonly lister: GenericLister<T>
}

/** Informer and lister of any resource whose objects are kept as bytes. */
export interface BytesInformer<T extends KubernetesObject = KubernetesObject> {
  readonly informer: SharedIndexInformer<ObjectRef<T>>
  readonly lister: BytesLister<T>
}
