// Waiting until the events of a watch meet conditions.

import { abortable, type Clock } from '../clock/index.js'
import type { DeepReadonly, KubernetesObject, Watch, WatchEvent } from '../meta/index.js'
import { contextWithOptionalTimeout, InterruptedError } from '../wait/index.js'
import { RetryWatcher, type RetryWatcherOptions } from './retry-watcher.js'
import type { Watcher } from './watcher.js'

/**
 * Whether an event meets what is waited for; what it throws ends the waiting. Look at the state that the event shows,
 * rather than at the change: the one may have come by many ways. One condition serves {@link until} and
 * {@link untilWithSync}, and only reads: the latter's objects are a cache's.
 *
 * @example
 * ```ts
 * const isReady: ConditionFunc<Deployment> = ({ type, object }) =>
 *   (type === 'ADDED' || type === 'MODIFIED') && object.status.readyReplicas === 3
 * ```
 */
export type ConditionFunc<T = KubernetesObject> = Condition<T>['isMet']

// Parameters of a method are compared both ways, so one that was written for a WatchEvent<T> is taken as well.
interface Condition<T> {
  isMet(event: WatchEvent<DeepReadonly<T>>): Promise<boolean> | boolean
}

/** One condition, or several that are met one after the other. */
export type Conditions<T> = ConditionFunc<T> | readonly ConditionFunc<T>[]

/** Options of {@link untilWithoutRetry}. */
export interface UntilWithoutRetryOptions {
  /** Ends the waiting. */
  signal?: AbortSignal | undefined
  /** Milliseconds for the whole; 0: no limit. @defaultValue 0 */
  timeout?: number | undefined
  /** @defaultValue the machine's clock */
  clock?: Clock | undefined
}

/** Options of {@link until}. */
export interface UntilOptions
  extends UntilWithoutRetryOptions,
    Pick<RetryWatcherOptions, 'labelSelector' | 'fieldSelector' | 'logger'> {}

/** The watch ended before the conditions were met. */
export class WatchClosedError<T = KubernetesObject> extends Error {
  override readonly name: string = 'WatchClosedError'
  /** The last event there was. */
  readonly lastEvent: WatchEvent<T> | undefined

  constructor(lastEvent?: WatchEvent<T>) {
    super('watch closed before UntilWithoutRetry timeout')
    this.lastEvent = lastEvent
  }
}

/**
 * Reads a watch until each condition is met, and stops it. The next condition is asked about the event that met the one
 * before it first.
 *
 * **Caveats**: every watch ends once in a while, and this fails then. {@link until} and {@link untilWithSync} do not.
 *
 * @returns the event that met the last condition; undefined when there are no conditions.
 * @throws what a condition throws.
 * @throws WatchClosedError when the watch ends.
 * @throws InterruptedError `timed out waiting for the condition`, when the time is up or the signal aborts; its cause is
 *   the signal's reason.
 */
export async function untilWithoutRetry<T>(
  watch: Watch<T>,
  conditions: Conditions<T>,
  { signal, timeout, clock }: UntilWithoutRetryOptions = {},
): Promise<WatchEvent<T> | undefined> {
  let context: ReturnType<typeof contextWithOptionalTimeout> | undefined
  try {
    context = contextWithOptionalTimeout({ signal, timeout, clock })
    return await readUntil(watch, typeof conditions === 'function' ? [conditions] : conditions, context.signal)
  } finally {
    context?.cancel()
    watch.stop()
  }
}

async function readUntil<T>(
  watch: Watch<T>,
  conditions: readonly ConditionFunc<T>[],
  signal: AbortSignal,
): Promise<WatchEvent<T> | undefined> {
  const events = watch[Symbol.asyncIterator]()
  let last: WatchEvent<T> | undefined
  // Whoever only reads may be given what could be changed, which the compiler cannot see of any T.
  for (const condition of conditions as readonly ((event: WatchEvent<T>) => Promise<boolean> | boolean)[]) {
    if (last && (await condition(last))) continue
    do {
      last = await nextEvent(events, last, signal)
    } while (!(await condition(last)))
  }
  return last
}

async function nextEvent<T>(
  events: AsyncIterator<WatchEvent<T>>,
  last: WatchEvent<T> | undefined,
  signal: AbortSignal,
): Promise<WatchEvent<T>> {
  let result: IteratorResult<WatchEvent<T>>
  try {
    signal.throwIfAborted()
    result = await abortable(events.next(), signal)
  } catch (err) {
    if (signal.aborted) throw asInterrupted(signal.reason)
    throw err
  }
  if (!result.done) return result.value
  if (signal.aborted) throw asInterrupted(signal.reason)
  throw new WatchClosedError(last)
}

function asInterrupted(reason: unknown): InterruptedError {
  return reason instanceof InterruptedError ? reason : new InterruptedError(undefined, { cause: reason })
}

/**
 * Watches from a version on until each condition is met, with a {@link RetryWatcher}: timeouts of the server and lost
 * connections do not end it, and no event is left out.
 *
 * **Caveats**: that is also why it cannot go on when the server no longer knows the version: the ERROR event of that is
 * given to the condition, and then the watch ends. {@link untilWithSync} goes on then.
 *
 * @returns the event that met the last condition.
 * @throws as {@link untilWithoutRetry} does; RangeError for a version of `''` or `'0'`.
 */
export async function until<T extends KubernetesObject>(
  initialResourceVersion: string,
  watcherClient: Watcher<T>,
  conditions: Conditions<T>,
  { timeout, ...options }: UntilOptions = {},
): Promise<WatchEvent<T> | undefined> {
  const watch = new RetryWatcher<T>(initialResourceVersion, watcherClient, options)
  return untilWithoutRetry(watch, conditions, { timeout, signal: options.signal, clock: options.clock })
}
