// Waiting for a condition: at intervals, after given waits, or with an exponential back-off.

import { type Clock, realClock, sleep } from '../clock/index.js'
import { Backoff, type BackoffOptions, type Random } from './backoff.js'
import { InterruptedError } from './interrupted.js'
import { type ConditionFunc, loopCondition, type NextDue, ticks } from './loop-condition.js'
import { checkMs, contextWithOptionalTimeout } from './optional-timeout.js'

/** Options of {@link pollUntilContextCancel}. */
export interface PollOptions {
  /** Milliseconds from one call of the condition to the next. A call that takes longer is followed by the next at once. */
  interval: number
  /** Ask before the first wait too; at least once then, even when the signal has aborted. @defaultValue false */
  immediate?: boolean | undefined
  /** Ends the wait; the condition is given one that aborts with it. @defaultValue the wait ends only with the condition */
  signal?: AbortSignal | undefined
  /** @defaultValue the machine's clock */
  clock?: Clock | undefined
}

/** Options of {@link pollUntilContextTimeout}. */
export interface PollTimeoutOptions extends PollOptions {
  /** Milliseconds for the whole; 0: the time is up at once. */
  timeout: number
}

/** Options of {@link pollWithDelay}. */
export interface PollWithDelayOptions extends Omit<PollOptions, 'interval'> {
  /** Gives the next wait in milliseconds, as `delayWithReset` and the `step` of a `Backoff` do. */
  delay: () => number
  /** Count each wait from the end of the call before it, not from its start. @defaultValue false */
  sliding?: boolean | undefined
}

/** Options of {@link exponentialBackoff}. */
export interface ExponentialBackoffOptions {
  /** Ends the wait; the condition is given one that aborts with it. */
  signal?: AbortSignal | undefined
  /** @defaultValue the machine's clock */
  clock?: Clock | undefined
  /** Where the jitter comes from. @defaultValue Math.random */
  random?: Random | undefined
}

/**
 * Asks the condition every `interval` milliseconds until it answers true.
 *
 * **Caveats**: a call of the condition that is under way when the signal aborts is not cut short, it has to look at the
 * signal it is given; what it answers counts.
 *
 * @throws what the condition throws; the signal's reason when it aborts.
 * @throws RangeError when `interval` is negative or not finite.
 */
export async function pollUntilContextCancel(condition: ConditionFunc, options: PollOptions): Promise<void> {
  await poll(condition, options, undefined)
}

/**
 * As {@link pollUntilContextCancel}, for `timeout` milliseconds at the most.
 *
 * ```ts
 * await pollUntilContextTimeout(async (signal) => (await pods.get('web', { signal })).status.phase === 'Running', {
 *   interval: 1_000, timeout: 60_000, immediate: true, signal,
 * })
 * ```
 *
 * @throws InterruptedError `timed out waiting for the condition`, when the time is up.
 * @throws what the condition throws; the signal's reason when it aborts.
 * @throws RangeError when `interval` or `timeout` is negative or not finite.
 */
export async function pollUntilContextTimeout(condition: ConditionFunc, options: PollTimeoutOptions): Promise<void> {
  checkMs('timeout', options.timeout)
  await poll(condition, options, options.timeout)
}

async function poll(condition: ConditionFunc, options: PollOptions, timeout: number | undefined): Promise<void> {
  checkMs('interval', options.interval)
  await loop(condition, { ...options, nextDue: ticks(options.interval), sliding: false }, timeout)
}

/**
 * Asks the condition until it answers true, with waits that a function gives.
 *
 * @throws what the condition or `delay` throws; the signal's reason when it aborts.
 */
export async function pollWithDelay(
  condition: ConditionFunc,
  { delay, sliding = false, ...options }: PollWithDelayOptions,
): Promise<void> {
  await loop(condition, { ...options, nextDue: (now) => now + delay(), sliding }, undefined)
}

interface LoopSettings extends Omit<PollOptions, 'interval'> {
  nextDue: NextDue
  sliding: boolean
}

async function loop(
  condition: ConditionFunc,
  { signal, clock = realClock, immediate = false, nextDue, sliding }: LoopSettings,
  timeout: number | undefined,
): Promise<void> {
  const context = contextWithOptionalTimeout({ signal, timeout, clock })
  if (timeout === 0) context.cancel(new InterruptedError())
  try {
    await loopCondition(condition, { signal: context.signal, nextDue, immediate, sliding, clock })
  } finally {
    context.cancel()
  }
}

/**
 * Asks the condition until it answers true, at most `backoff.steps` times, with the waits of the back-off between. A
 * back-off that reaches its `cap` ends the tries.
 *
 * @throws InterruptedError `timed out waiting for the condition`, after the last try; at once when `steps` is below 1.
 * @throws what the condition throws; the signal's reason when it aborts before or between the tries.
 * @throws RangeError as {@link Backoff} does.
 */
export async function exponentialBackoff(
  backoff: Readonly<BackoffOptions>,
  condition: ConditionFunc,
  { signal, clock = realClock, random }: ExponentialBackoffOptions = {},
): Promise<void> {
  const state = new Backoff(backoff, { random })
  const given = signal ?? new AbortController().signal
  while (state.steps > 0) {
    given.throwIfAborted()
    if (await condition(given)) return
    if (state.steps <= 1) break
    // As in client-go, the wait that brings the cap is waited for, though no try follows it.
    await sleep(state.step(), { signal, clock })
  }
  throw new InterruptedError()
}
