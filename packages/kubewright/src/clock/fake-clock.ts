// A clock that stands still until a test moves it.
import type { Clock, Timer } from './clock.js'

/** How many turns of the event loop a {@link FakeClock} lets pass so that work in flight comes to rest. */
const settleTurns = 4

// Taken at load, so that a test which replaces the global timers does not stop the fake clock.
const nextTurn = setImmediate

interface Scheduled {
  readonly due: number
  readonly callback: () => void
}

/**
 * A {@link Clock} for tests. Time moves only through {@link FakeClock.advance} and {@link FakeClock.advanceToNext}.
 *
 * **Guarantees**
 * - Timers fire in the order of their due times, and in the order they were set where those are equal.
 * - While a timer's callback runs, the clock shows exactly the time the timer was due.
 * - Before the first firing, between firings and after the last one, promise jobs and `setImmediate` callbacks run, so
 *   that what a firing sets off (also new timers) is seen before the clock moves on.
 *
 * **Caveats**
 * - A timer of 0 ms too fires only while the clock is being moved: `await clock.advance(0)`.
 * - Real I/O is not waited for.
 */
export class FakeClock implements Clock {
  readonly #startMs: number
  #elapsed = 0
  #moving = false
  /** Sorted by due time, then by the order of setting. */
  readonly #timers: Scheduled[] = []

  /** @param startMs what `now()` shows at first, in milliseconds since the Unix epoch. `monotonic()` starts at 0. */
  constructor(startMs = 0) {
    this.#startMs = startMs
  }

  /** How many timers are set and have neither fired nor been cancelled. */
  get pendingTimers(): number {
    return this.#timers.length
  }

  now(): number {
    return this.#startMs + this.#elapsed
  }

  monotonic(): number {
    return this.#elapsed
  }

  /** @throws RangeError when `delayMs` is not a finite number. */
  setTimer(delayMs: number, callback: () => void): Timer {
    if (!Number.isFinite(delayMs)) throw new RangeError(`cannot set a timer of ${delayMs} ms: give a finite delay`)
    const timer: Scheduled = { due: this.#elapsed + Math.max(0, delayMs), callback }
    let at = this.#timers.length
    while (at > 0 && (this.#timers[at - 1] as Scheduled).due > timer.due) at--
    this.#timers.splice(at, 0, timer)
    return {
      cancel: () => {
        const index = this.#timers.indexOf(timer)
        if (index >= 0) this.#timers.splice(index, 1)
      },
    }
  }

  /**
   * Moves the clock by `ms` milliseconds and fires what falls due on the way, timers set on the way included.
   *
   * @throws RangeError when `ms` is negative or not finite.
   * @throws Error when the clock is being moved already: await one move before the next.
   * @throws what a timer's callback throws; the clock then stands at the time of that timer.
   */
  async advance(ms: number): Promise<void> {
    if (!(ms >= 0 && Number.isFinite(ms))) throw new RangeError(`cannot advance a clock by ${ms} ms`)
    await this.#move(() => this.#elapsed + ms)
  }

  /**
   * Moves the clock to the next timer and fires all timers that are due then.
   *
   * @returns whether there was a timer.
   */
  async advanceToNext(): Promise<boolean> {
    let found = false
    await this.#move(() => {
      const next = this.#timers[0]
      found = next !== undefined
      return next?.due ?? this.#elapsed
    })
    return found
  }

  /** `target` is asked once work in flight has come to rest. */
  async #move(target: () => number): Promise<void> {
    if (this.#moving) throw new Error('the fake clock is being moved already: await one move before the next')
    this.#moving = true
    try {
      await settle()
      const end = target()
      for (let next = this.#timers[0]; next !== undefined && next.due <= end; next = this.#timers[0]) {
        this.#timers.shift()
        this.#elapsed = next.due
        next.callback()
        await settle()
      }
      this.#elapsed = end
    } finally {
      this.#moving = false
    }
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < settleTurns; turn++) await new Promise<void>((resolve) => nextTurn(resolve))
}
