// Waiting for a while, which a signal can end.
import { type Clock, realClock } from './clock.js'
import { whenAborted } from './when-aborted.js'

/** Options of {@link sleep}. */
export interface SleepOptions {
  /** Ends the wait early: the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** @defaultValue the machine's clock */
  clock?: Clock | undefined
}

/**
 * Resolves after `delayMs` milliseconds.
 *
 * @throws the signal's reason, at once, when `signal` is or becomes aborted; the timer is released.
 */
export function sleep(delayMs: number, { signal, clock = realClock }: SleepOptions = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason)
      return
    }
    const timer = clock.setTimer(delayMs, () => {
      stopListening?.()
      resolve()
    })
    const stopListening =
      signal &&
      whenAborted(signal, () => {
        timer.cancel()
        reject(signal.reason)
      })
  })
}
