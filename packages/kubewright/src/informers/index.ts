// kubewright/informers: one informer for each resource, shared.
export { DynamicSharedInformerFactory, MetadataSharedInformerFactory } from './dynamic-factory.js'
export { SharedInformerFactory } from './factory.js'
export type { InformerFactory, SharedInformerFactoryOptions } from './informer-factory.js'
export type { HoldOptions, InformerHandle } from './informer-handle.js'
export type { BytesStoreOptions, ObjectStoreOptions } from './store-options.js'
export { SyncResult } from './sync-result.js'
export type { BytesInformer, ClusterInformer, GenericInformer, NamespacedInformer } from './types.js'
