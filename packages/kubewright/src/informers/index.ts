// kubewright/informers: one informer for each resource, shared.
export { DynamicSharedInformerFactory, MetadataSharedInformerFactory } from './dynamic-factory.js'
export { SharedInformerFactory } from './factory.js'
export type { InformerFactory, SharedInformerFactoryOptions } from './informer-factory.js'
export { SyncResult } from './sync-result.js'
export type { ClusterInformer, GenericInformer, NamespacedInformer } from './types.js'
