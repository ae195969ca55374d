// kubewright/informers: one informer for each resource, shared.
export { SharedInformerFactory, type SharedInformerFactoryOptions } from './factory.js'
export { SyncResult } from './sync-result.js'
export type { ClusterInformer, GenericInformer, NamespacedInformer } from './types.js'
