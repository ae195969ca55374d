// kubewright/wait: back-off, and waiting for conditions; apimachinery's util/wait.
export {
  Backoff,
  type BackoffOptions,
  type DelayWithResetOptions,
  delayWithReset,
  jitter,
  type Random,
} from './backoff.js'
export {
  type BackoffUntilOptions,
  backoffUntil,
  type JitterUntilOptions,
  jitterUntil,
  type UntilOptions,
  until,
} from './backoff-until.js'
export { InterruptedError, type InterruptedErrorOptions, interrupted } from './interrupted.js'
export type { ConditionFunc } from './loop-condition.js'
export { type CancellableContext, contextWithOptionalTimeout, type OptionalTimeoutOptions } from './optional-timeout.js'
export {
  type ExponentialBackoffOptions,
  exponentialBackoff,
  type PollOptions,
  type PollTimeoutOptions,
  type PollWithDelayOptions,
  pollUntilContextCancel,
  pollUntilContextTimeout,
  pollWithDelay,
} from './poll.js'
