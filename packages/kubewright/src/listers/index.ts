// kubewright/listers: typed reading of informers' caches.
export { newBytesLister } from './bytes-lister.js'
export { listAll, listAllByNamespace, newClusterLister, newGenericLister, newNamespacedLister } from './lister.js'
export type {
  BytesLister,
  BytesNamespaceLister,
  ClusterLister,
  GenericLister,
  Lister,
  NamespacedLister,
  NamespaceLister,
} from './types.js'
