// What a work queue reports of itself, and the book-keeping behind it.
import type { Clock, Timer } from '../clock/index.js'

/** A number that goes up and down. */
export interface GaugeMetric {
  inc(): void
  dec(): void
}

/** A number that is set. */
export interface SettableGaugeMetric {
  set(value: number): void
}

/** A number that only goes up. */
export interface CounterMetric {
  inc(): void
}

/** The items of a queue by their priority, the label `priority` of `workqueue_depth`. */
export interface DepthMetricWithPriority {
  inc(priority: number): void
  dec(priority: number): void
}

/** Counts single observations. */
export interface HistogramMetric {
  observe(value: number): void
}

/**
 * Makes the metrics of a named work queue; each method is called once a queue, with the queue's name. Durations are in
 * seconds. The Prometheus names are those that Kubernetes' own components use, each with the label `name`.
 */
export interface WorkQueueMetricsProvider {
  /** `workqueue_depth`: items added and not handed out yet. */
  newDepthMetric(name: string): GaugeMetric
  /**
   * As `newDepthMetric`, by priority: a {@link PriorityQueue} asks for this one instead, where there is one. Labels are to
   * be kept few: controller-runtime gives the first 25 priorities one each, and all others `exceeded_cardinality_limit`.
   */
  newDepthMetricWithPriority?(name: string): DepthMetricWithPriority
  /** `workqueue_adds_total`: items accepted; an item added again before it is handed out counts once. */
  newAddsMetric(name: string): CounterMetric
  /** `workqueue_queue_duration_seconds`: from the add to the hand-out. */
  newLatencyMetric(name: string): HistogramMetric
  /** `workqueue_work_duration_seconds`: from the hand-out to done. */
  newWorkDurationMetric(name: string): HistogramMetric
  /** `workqueue_unfinished_work_seconds`: sum of the ages of the items being processed. */
  newUnfinishedWorkSecondsMetric(name: string): SettableGaugeMetric
  /** `workqueue_longest_running_processor_seconds`: age of the oldest item being processed. */
  newLongestRunningProcessorSecondsMetric(name: string): SettableGaugeMetric
  /** `workqueue_retries_total`: calls of `addAfter` and `addRateLimited`. */
  newRetriesMetric(name: string): CounterMetric
}

/** How often the age of unfinished work is reported, in milliseconds. */
const updatePeriodMs = 500

/** Reports one queue to its metrics. Keys are what the queue compares items by. */
export class QueueMetrics {
  readonly #clock: Clock
  readonly #depth: DepthMetricWithPriority
  readonly #adds: CounterMetric
  readonly #latency: HistogramMetric
  readonly #workDuration: HistogramMetric
  readonly #unfinished: SettableGaugeMetric
  readonly #longest: SettableGaugeMetric
  readonly #addedAt = new Map<unknown, number>()
  readonly #startedAt = new Map<unknown, number>()
  /** Runs only while there is work, so that an idle queue holds no timer. */
  #update: Timer | undefined
  #stopped = false

  constructor(
    provider: WorkQueueMetricsProvider,
    name: string,
    clock: Clock,
    depth: DepthMetricWithPriority = provider.newDepthMetric(name),
  ) {
    this.#clock = clock
    this.#depth = depth
    this.#adds = provider.newAddsMetric(name)
    this.#latency = provider.newLatencyMetric(name)
    this.#workDuration = provider.newWorkDurationMetric(name)
    this.#unfinished = provider.newUnfinishedWorkSecondsMetric(name)
    this.#longest = provider.newLongestRunningProcessorSecondsMetric(name)
  }

  added(key: unknown, priority = 0): void {
    this.#adds.inc()
    this.#depth.inc(priority)
    this.#addedAt.set(key, this.#clock.monotonic())
  }

  /** An item that waits has another priority now. */
  reprioritized(from: number, to: number): void {
    this.#depth.dec(from)
    this.#depth.inc(to)
  }

  handedOut(key: unknown, priority = 0): void {
    this.#depth.dec(priority)
    const now = this.#clock.monotonic()
    const addedAt = this.#addedAt.get(key)
    if (addedAt !== undefined) {
      this.#latency.observe((now - addedAt) / 1000)
      this.#addedAt.delete(key)
    }
    this.#startedAt.set(key, now)
    if (!this.#stopped) this.#update ??= this.#clock.setTimer(updatePeriodMs, this.#updateUnfinished)
  }

  done(key: unknown): void {
    const startedAt = this.#startedAt.get(key)
    if (startedAt === undefined) return
    this.#workDuration.observe((this.#clock.monotonic() - startedAt) / 1000)
    this.#startedAt.delete(key)
  }

  /** Ends the periodic reports and releases their timer. */
  stop(): void {
    this.#stopped = true
    this.#update?.cancel()
    this.#update = undefined
  }

  readonly #updateUnfinished = (): void => {
    const now = this.#clock.monotonic()
    let total = 0
    let oldest = 0
    for (const startedAt of this.#startedAt.values()) {
      const age = (now - startedAt) / 1000
      total += age
      oldest = Math.max(oldest, age)
    }
    this.#unfinished.set(total)
    this.#longest.set(oldest)
    this.#update = this.#startedAt.size > 0 ? this.#clock.setTimer(updatePeriodMs, this.#updateUnfinished) : undefined
  }
}
