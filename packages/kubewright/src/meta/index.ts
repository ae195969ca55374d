// kubewright/meta: shapes, options, errors, patches and selectors that all rooms share. No I/O.
export type { Condition, LabelSelector, ListMeta, ObjectMeta, OwnerReference, Status } from '../gen/api/meta/v1.js'
export type { Duration, IntOrString, MicroTime, Quantity, Time } from '../gen/scalars.js'
export {
  ApiError,
  asApiError,
  hasStatusCause,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isExpiredOrGone,
  isForbidden,
  isGone,
  isInternalError,
  isInvalid,
  isMethodNotSupported,
  isNotAcceptable,
  isNotFound,
  isRequestEntityTooLarge,
  isResourceExpired,
  isServerTimeout,
  isServiceUnavailable,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
  isUnexpectedServerError,
  isUnsupportedMediaType,
  suggestsClientDelay,
} from './errors.js'
export { type GroupVersionKind, type GroupVersionResource, type Kind, kind, type Subresource } from './kind.js'
export type { DeepReadonly, KubernetesList, KubernetesObject, Mutable, ObjectMetaLike } from './object.js'
export type {
  ApplyOptions,
  CallOptions,
  CreateOptions,
  DeleteOptions,
  DeletionPropagation,
  FieldValidation,
  GetOptions,
  ListOptions,
  PatchOptions,
  UpdateOptions,
  WriteOptions,
} from './options.js'
export { applyPatch, type JsonPatchOperation, jsonPatch, mergePatch, type Patch, strategicMergePatch } from './patch.js'
export type { Watch, WatchEvent } from './watch-event.js'
