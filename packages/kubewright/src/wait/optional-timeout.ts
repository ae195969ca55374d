// A signal with a deadline of its own.

import { type Clock, realClock, whenAborted } from '../clock/index.js'
import { InterruptedError } from './interrupted.js'

/** Options of {@link contextWithOptionalTimeout}. */
export interface OptionalTimeoutOptions {
  /** Aborts what is made of it too, with the same reason. */
  signal?: AbortSignal | undefined
  /** Milliseconds until it aborts by itself; 0 or absent: never. */
  timeout?: number | undefined
  /** @defaultValue the machine's clock */
  clock?: Clock | undefined
}

/** What {@link contextWithOptionalTimeout} makes. */
export interface CancellableContext {
  readonly signal: AbortSignal
  /** Aborts the signal, and releases its timer and its listener. To be called in any case. Idempotent. */
  cancel(reason?: unknown): void
}

/**
 * A signal that aborts as `signal` does, when `timeout` is over, or on `cancel()`, whichever is first. When the time is
 * up its reason is an {@link InterruptedError}.
 *
 * @throws RangeError when `timeout` is negative or not finite.
 */
export function contextWithOptionalTimeout({
  signal,
  timeout = 0,
  clock = realClock,
}: OptionalTimeoutOptions = {}): CancellableContext {
  checkMs('timeout', timeout)
  const controller = new AbortController()
  if (signal?.aborted) {
    controller.abort(signal.reason)
    return { signal: controller.signal, cancel: () => {} }
  }
  const timer = timeout > 0 ? clock.setTimer(timeout, () => cancel(new InterruptedError())) : undefined
  const stopListening = signal && whenAborted(signal, () => cancel(signal.reason))
  function cancel(reason?: unknown): void {
    timer?.cancel()
    stopListening?.()
    controller.abort(reason)
  }
  return { signal: controller.signal, cancel }
}

/** @throws RangeError when it is no number of milliseconds. */
export function checkMs(what: string, ms: number): void {
  if (!(Number.isFinite(ms) && ms >= 0)) {
    throw new RangeError(`the ${what} of a wait is a number of milliseconds, 0 or more: got ${ms}`)
  }
}
