// kubewright/retry: trying again.
export {
  defaultBackoff,
  defaultRetry,
  type OnErrorOptions,
  onError,
  type RetryOnConflictOptions,
  retryOnConflict,
} from './retry.js'
