// kubewright/listers: typed reading of informers' caches.
export { listAll, listAllByNamespace, newClusterLister, newGenericLister, newNamespacedLister } from './lister.js'
export type { ClusterLister, GenericLister, Lister, NamespacedLister, NamespaceLister } from './types.js'
