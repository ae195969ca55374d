// The clock of a machine that has troubles: somebody sets it, it was suspended, or it is busy.

import type { Clock, FakeClock, Timer } from 'kubewright/clock'
import type { Random } from './random.js'

/** Shows the time of a fake clock, but for what a machine does to its own. Timers are the fake clock's. */
export class TroubledClock implements Clock {
  readonly #clock: FakeClock
  readonly #random: Random
  readonly #busy: boolean
  #wall = 0
  #ahead = 0

  /** @param busy time passes while one looks: whoever works in slices has to pause. */
  constructor(clock: FakeClock, random: Random, busy: boolean) {
    this.#clock = clock
    this.#random = random
    this.#busy = busy
  }

  now(): number {
    return this.#clock.now() + this.#wall + this.#ahead
  }

  monotonic(): number {
    if (this.#busy && this.#random.percent(10)) this.#ahead += 3
    return this.#clock.monotonic() + this.#ahead
  }

  setTimer(delayMs: number, callback: () => void): Timer {
    return this.#clock.setTimer(delayMs, callback)
  }

  /** The wall clock is set, forward or back. */
  set(byMs: number): void {
    this.#wall += byMs
  }

  /** The machine stood still: what timers are waited for come late. */
  suspend(ms: number): void {
    this.#ahead += ms
  }
}
