// kubewright/wait: back-off, and loops that wait.
export {
  Backoff,
  type BackoffOptions,
  type DelayWithResetOptions,
  delayWithReset,
  jitter,
  type Random,
} from './backoff.js'
export { type BackoffUntilOptions, backoffUntil } from './backoff-until.js'
