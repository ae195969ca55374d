// kubewright: what a first program needs. Each room's whole surface is its subpath: kubewright/cache, kubewright/rest, …
export {
  DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  isDeletedFinalStateUnknown,
  metaNamespaceKeyFunc,
  type ResourceEventHandler,
  SharedIndexInformer,
  splitMetaNamespaceKey,
  waitForCacheSync,
} from './cache/index.js'
export { buildConfigFromFlags, type GetConfigOptions, getConfig } from './clientcmd/index.js'
export { DynamicClient } from './dynamic/index.js'
export {
  DynamicSharedInformerFactory,
  SharedInformerFactory,
  type SharedInformerFactoryOptions,
} from './informers/index.js'
export { type ApplyConfiguration, Clientset, type ClientsetInterface, tables } from './kubernetes/index.js'
export {
  ApiError,
  applyPatch,
  asApiError,
  type CallOptions,
  type CreateOptions,
  type DeepReadonly,
  type DeleteOptions,
  deepCopy,
  defineResource,
  type GetOptions,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isExpiredOrGone,
  isForbidden,
  isGone,
  isInternalError,
  isInvalid,
  isNotFound,
  isResourceExpired,
  isServiceUnavailable,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
  jsonPatch,
  type Kind,
  type KubernetesList,
  type KubernetesObject,
  type ListOptions,
  mergePatch,
  type Patch,
  type PatchOptions,
  type Status,
  type StoredList,
  strategicMergePatch,
  type Unstructured,
  type UpdateOptions,
  type Watch,
  type WatchEvent,
} from './meta/index.js'
export { MetadataClient } from './metadata/index.js'
export { Config, type ConfigOptions, ConnectionError, inClusterConfig, NotInClusterError } from './rest/index.js'
export { retryOnConflict } from './retry/index.js'
export { setupSignalHandler } from './signals/index.js'
export { DelayingQueue, RateLimitingQueue, WorkQueue } from './workqueue/index.js'
