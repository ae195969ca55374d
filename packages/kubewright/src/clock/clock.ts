// Time, injectable. Every room that waits or reads the time takes a Clock, so that tests run on a fake one.

/** A scheduled call that can be cancelled. */
export interface Timer {
  /** Cancels the call if it has not happened yet. Idempotent. */
  cancel(): void
}

/** A source of time. {@link realClock} is the default everywhere; tests pass a `FakeClock`. */
export interface Clock {
  /** Wall-clock time in milliseconds since the Unix epoch. May jump; use it only for timestamps. */
  now(): number
  /** Monotonic time in milliseconds from an arbitrary start. Use it for durations and deadlines. */
  monotonic(): number
  /**
   * Calls `callback` once, `delayMs` milliseconds from now (0 or less: as soon as possible, never synchronously).
   * Any finite delay is honoured, also above 2^31-1 ms, where the platform's own timers fire at once.
   *
   * @throws RangeError for NaN, which the platform's own timers take for at once
   */
  setTimer(delayMs: number, callback: () => void): Timer
}

/** The longest delay that the platform's timers accept; a longer one is waited for in parts. */
const maxTimerMs = 2 ** 31 - 1

/** The machine's clock. */
export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(delayMs, callback) {
    if (Number.isNaN(delayMs)) throw new RangeError('cannot set a timer of NaN ms: give a finite delay')
    const due = performance.now() + delayMs
    let handle: ReturnType<typeof setTimeout>
    const arm = (remaining: number): void => {
      handle = setTimeout(
        () => {
          const left = due - performance.now()
          if (remaining > maxTimerMs && left > 0) arm(left)
          else callback()
        },
        Math.max(0, Math.min(remaining, maxTimerMs)),
      )
    }
    arm(delayMs)
    return { cancel: () => clearTimeout(handle) }
  },
}
