// kubewright/workqueue: the queues that controllers work from.
export { DelayingQueue } from './delaying-queue.js'
export { FifoQueue, type Queue } from './fifo-queue.js'
export { KeyedHeap } from './keyed-heap.js'
export type {
  CounterMetric,
  DepthMetricWithPriority,
  GaugeMetric,
  HistogramMetric,
  SettableGaugeMetric,
  WorkQueueMetricsProvider,
} from './metrics.js'
export { type ParallelizeOptions, parallelizeUntil } from './parallelize-until.js'
export {
  type AddOptions,
  type AgeingOptions,
  lowPriority,
  PriorityQueue,
  type PriorityQueueOptions,
} from './priority-queue.js'
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
export type { RateLimitingInterface } from './rate-limiting-interface.js'
export { RateLimitingQueue, type RateLimitingQueueOptions } from './rate-limiting-queue.js'
export { WorkQueue, type WorkQueueOptions, type WorkQueueWaitOptions } from './work-queue.js'
