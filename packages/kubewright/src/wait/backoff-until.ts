// Doing something again and again, with waits between.

import { type Clock, realClock, sleep } from '../clock/index.js'
import { jitter, type Random } from './backoff.js'
import { checkMs } from './optional-timeout.js'

/** Options of {@link backoffUntil}. */
export interface BackoffUntilOptions {
  /** Ends the loop. */
  signal: AbortSignal
  /** Gives the next wait in milliseconds. */
  delay: () => number
  /**
   * Count each wait from the end of the call before it; else from its start, so that a call that takes longer than the
   * wait is followed by the next at once.
   *
   * @defaultValue true
   */
  sliding?: boolean | undefined
  /** @defaultValue the machine's clock */
  clock?: Clock | undefined
}

/** Options of {@link until}. */
export interface UntilOptions extends Omit<BackoffUntilOptions, 'delay'> {
  /** Milliseconds between the calls. */
  period: number
}

/** Options of {@link jitterUntil}. */
export interface JitterUntilOptions extends UntilOptions {
  /** Adds up to this part of the period to each wait, by chance; 0 or less: nothing. */
  jitterFactor: number
  /** @defaultValue Math.random */
  random?: Random | undefined
}

/**
 * Calls `fn` again and again until the signal aborts, and waits between the calls. Resolves on abort, once a call under
 * way has ended, be it with the signal's reason; without a call if the signal is aborted already.
 *
 * @throws what else `fn` throws, which ends the loop too.
 */
export async function backoffUntil(
  fn: (signal: AbortSignal) => Promise<void> | void,
  { signal, delay, sliding = true, clock = realClock }: BackoffUntilOptions,
): Promise<void> {
  while (!signal.aborted) {
    const due = sliding ? undefined : clock.monotonic() + delay()
    try {
      await fn(signal)
    } catch (err) {
      if (signal.aborted && err === signal.reason) return
      throw err
    }
    const wait = due === undefined ? delay() : Math.max(0, due - clock.monotonic())
    try {
      await sleep(wait, { signal, clock })
    } catch (err) {
      if (!signal.aborted) throw err
    }
  }
}

/**
 * Calls `fn` every `period` milliseconds until the signal aborts; otherwise as {@link backoffUntil}.
 *
 * @throws what {@link backoffUntil} throws; RangeError when `period` is negative or not finite.
 */
export async function until(
  fn: (signal: AbortSignal) => Promise<void> | void,
  { period, ...options }: UntilOptions,
): Promise<void> {
  checkMs('period', period)
  await backoffUntil(fn, { ...options, delay: () => period })
}

/**
 * As {@link until}, with periods made longer by chance, so that many programs do not do the same at the same time.
 *
 * @throws as {@link until} does; RangeError when `jitterFactor` is no number.
 */
export async function jitterUntil(
  fn: (signal: AbortSignal) => Promise<void> | void,
  { period, jitterFactor, random, ...options }: JitterUntilOptions,
): Promise<void> {
  checkMs('period', period)
  if (Number.isNaN(jitterFactor)) throw new RangeError('the jitterFactor of a wait is a number: got NaN')
  await backoffUntil(fn, {
    ...options,
    delay: () => (jitterFactor > 0 ? jitter(period, jitterFactor, random) : period),
  })
}
