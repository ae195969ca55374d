// Doing something again and again, with waits between.
import { type Clock, realClock, sleep } from '../clock/index.js'

/** Options of {@link backoffUntil}. */
export interface BackoffUntilOptions {
  /** Ends the loop. */
  signal: AbortSignal
  /** Gives the next wait in milliseconds, counted from the end of the call before it. */
  delay: () => number
  /** @defaultValue the machine's clock */
  clock?: Clock | undefined
}

/**
 * Calls `fn` again and again until the signal aborts, and waits between the calls. Resolves on abort, once a call under
 * way has ended; without a call if the signal is aborted already.
 *
 * @throws what `fn` throws, which ends the loop too.
 */
export async function backoffUntil(
  fn: (signal: AbortSignal) => Promise<void> | void,
  { signal, delay, clock = realClock }: BackoffUntilOptions,
): Promise<void> {
  while (!signal.aborted) {
    await fn(signal)
    try {
      await sleep(delay(), { signal, clock })
    } catch (err) {
      if (!signal.aborted) throw err
    }
  }
}
