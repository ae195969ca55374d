// kubewright/workqueue: the queues that controllers work from.
export { DelayingQueue } from './delaying-queue.js'
export { FifoQueue, type Queue } from './fifo-queue.js'
export type {
  CounterMetric,
  GaugeMetric,
  HistogramMetric,
  SettableGaugeMetric,
  WorkQueueMetricsProvider,
} from './metrics.js'
export {
  BucketRateLimiter,
  type ControllerRateLimiterOptions,
  defaultControllerRateLimiter,
  defaultItemBasedRateLimiter,
  ItemExponentialFailureRateLimiter,
  ItemFastSlowRateLimiter,
  type ItemRateLimiterOptions,
  MaxOfRateLimiter,
  type RateLimiter,
  WithMaxWaitRateLimiter,
} from './rate-limiters.js'
export { RateLimitingQueue, type RateLimitingQueueOptions } from './rate-limiting-queue.js'
export { WorkQueue, type WorkQueueOptions, type WorkQueueWaitOptions } from './work-queue.js'
