// kubewright/watch: watches that go on, waiting for what they bring, and watches of one's own; client-go's tools/watch.
export { type FilterFunc, filterWatch } from '../meta/index.js'
export { type CancellableContext, contextWithOptionalTimeout, type OptionalTimeoutOptions } from '../wait/index.js'
export { Broadcaster, type BroadcasterOptions, type FullChannelBehavior } from './broadcaster.js'
export { FakeWatcher, type FakeWatcherOptions, RaceFreeFakeWatcher } from './fake-watcher.js'
export {
  type InformerWatcher,
  type InformerWatcherOptions,
  newIndexerInformerWatcher,
  type PreconditionFunc,
  type UntilWithSyncOptions,
  untilWithSync,
} from './informer-watcher.js'
export { RetryWatcher, type RetryWatcherOptions } from './retry-watcher.js'
export {
  type ConditionFunc,
  type Conditions,
  type UntilOptions,
  type UntilWithoutRetryOptions,
  until,
  untilWithoutRetry,
  WatchClosedError,
} from './until.js'
export { prepareWatchListOptionsFromListOptions } from './watch-list-options.js'
export type { Watcher } from './watcher.js'
