// kubewright/cache: caches that follow the server, client-go's tools/cache.
export type { FieldFilterOptions } from './bytes/byte-filter.js'
export { type BytesInformerOptions, type BytesKind, newBytesInformer } from './bytes/bytes-informer.js'
export type { FieldPath } from './bytes/field-path.js'
export type { ObjectRef, RefMetadata } from './bytes/object-ref.js'
export type { ExpectedKind } from './consume-watch.js'
export {
  DeltaFIFO,
  type DeltaFIFOOptions,
  type Deltas,
  type DeltasProcessFunc,
  type DeltaType,
  type KeyListerGetter,
  newest,
  type ObjectDelta,
  oldest,
} from './delta-fifo.js'
export { type FilteringHandlerOptions, filteringHandler, type ResourceEventHandler } from './event-handler.js'
export {
  type ExpirationPolicy,
  ExpirationStore,
  type ExpirationStoreOptions,
  newTTLStore,
  type TimestampedEntry,
  TTLPolicy,
} from './expiration-store.js'
export { FIFO, type FIFOOptions } from './fifo.js'
export { Heap, type HeapOptions } from './heap.js'
export {
  type Indexer,
  type IndexerOptions,
  type Indexers,
  type IndexFunc,
  metaNamespaceIndexFunc,
  namespaceIndex,
} from './indexer.js'
export type {
  InformerBacklogEvent,
  InformerChangeEvent,
  InformerInfo,
  InformerListEvent,
  InformerSyncedEvent,
  InformerWatchEvent,
} from './informer-events.js'
export type { HandlerStatistics, InformerStatistics } from './informer-statistics.js'
export {
  DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  isDeletedFinalStateUnknown,
  KeyError,
  type Keyed,
  type KeyFunc,
  metaNamespaceKeyFunc,
  type ObjectName,
  splitMetaNamespaceKey,
} from './keys.js'
export { Lazy } from './lazy.js'
export type { ListerWatcher } from './lister-watcher.js'
export { MutationCache, type MutationCacheOptions } from './mutation-cache.js'
export { FIFOClosedError } from './pop-gate.js'
export type { HandlerErrorHandler, ResourceEventHandlerRegistration } from './processor-listener.js'
export { ReadYourWrites, type ReadYourWritesOptions } from './read-your-writes.js'
export { type Delta, type PopProcessFunc, RealFIFO, type RealFIFOOptions } from './real-fifo.js'
export { recordingClient } from './recording-client.js'
export { Reflector, type ReflectorOptions, type WatchErrorHandler } from './reflector.js'
export type { ReflectorStore, ReplaceOptions, TransformFunc } from './reflector-store.js'
export { type HandlerOptions, SharedIndexInformer, type SharedIndexInformerOptions } from './shared-informer.js'
export { newIndexer } from './store.js'
export { type Syncable, waitForCacheSync } from './synced.js'
export { AsyncTracker, SingleFileTracker } from './synctrack.js'
export { UndeltaStore, type UndeltaStoreOptions } from './undelta-store.js'
export { StalledWatchError, VeryShortWatchError, WatchEventError } from './watch-errors.js'
