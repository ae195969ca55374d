// kubewright/flowcontrol: limits on how often something is done.
export {
  fakeAlwaysRateLimiter,
  fakeNeverRateLimiter,
  type RateLimiter,
  type RateLimiterWaitOptions,
} from './rate-limiter.js'
export { type TokenBucketOptions, TokenBucketRateLimiter } from './token-bucket.js'
