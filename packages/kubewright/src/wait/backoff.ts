// How long to wait before each next try.

import { type Clock, realClock } from '../clock/index.js'

/** A source of random numbers, at least 0 and below 1. */
export type Random = () => number

/** The parameters of a back-off. */
export interface BackoffOptions {
  /** The first wait, in milliseconds. */
  duration: number
  /** What the wait is multiplied by at each step; 0 leaves it as it is. @defaultValue 0 */
  factor?: number | undefined
  /** Adds up to this part of the wait to it, by chance. @defaultValue 0 */
  jitter?: number | undefined
  /** At how many steps the wait may still change; where tries are counted, how many there are. @defaultValue 0 */
  steps?: number | undefined
  /** The longest wait, in milliseconds, jitter aside; reaching it ends the steps. 0 is none. @defaultValue 0 */
  cap?: number | undefined
}

/**
 * `duration` and, on top, up to `maxFactor` of it, by chance; where `maxFactor` is not above 0, up to all of it.
 */
export function jitter(duration: number, maxFactor: number, random: Random = Math.random): number {
  return duration + random() * (maxFactor > 0 ? maxFactor : 1) * duration
}

/** A back-off under way. */
export class Backoff {
  /** The next wait in milliseconds, jitter aside. */
  duration: number
  readonly factor: number
  readonly jitter: number
  /** At how many steps the wait may still change. */
  steps: number
  readonly cap: number
  readonly #random: Random

  /** @throws RangeError when `duration` is below 0 or not finite, or another of the numbers is none. */
  constructor(options: Readonly<BackoffOptions>, { random = Math.random }: { random?: Random | undefined } = {}) {
    this.duration = options.duration
    this.factor = options.factor ?? 0
    this.jitter = options.jitter ?? 0
    this.steps = options.steps ?? 0
    this.cap = options.cap ?? 0
    this.#random = random
    if (!(Number.isFinite(this.duration) && this.duration >= 0)) {
      throw new RangeError(`the duration of a back-off is a number of milliseconds, 0 or more: got ${this.duration}`)
    }
    for (const field of ['factor', 'jitter', 'steps', 'cap'] as const) {
      if (Number.isNaN(this[field])) throw new RangeError(`the ${field} of a back-off is a number: got NaN`)
    }
  }

  /** Gives the wait for now, in milliseconds, and moves on. After the last step the wait stays what it is. */
  step(): number {
    const wait = this.jitter > 0 ? jitter(this.duration, this.jitter, this.#random) : this.duration
    if (this.steps < 1) {
      this.steps = 0
      return wait
    }
    this.steps--
    if (this.factor !== 0) this.duration *= this.factor
    if (this.factor !== 0 && this.cap > 0 && this.duration > this.cap) {
      this.duration = this.cap
      this.steps = 0
    }
    return wait
  }
}

/** Options of {@link delayWithReset}. */
export interface DelayWithResetOptions {
  /** How long after its start a back-off starts anew, in milliseconds; 0 or less: `duration` stays as it is. */
  resetInterval: number
  /** @defaultValue the machine's clock */
  clock?: Clock | undefined
  /** @defaultValue Math.random */
  random?: Random | undefined
}

/**
 * A function that gives the next wait in milliseconds, and starts anew when it is called more than `resetInterval`
 * after the last start.
 */
export function delayWithReset(
  backoff: Readonly<BackoffOptions>,
  { resetInterval, clock = realClock, random }: DelayWithResetOptions,
): () => number {
  if (!(resetInterval > 0)) {
    const constant = new Backoff({ ...backoff, factor: 0 }, { random })
    return () => constant.step()
  }
  let current = new Backoff(backoff, { random })
  let started = clock.monotonic()
  return () => {
    if (clock.monotonic() - started > resetInterval) {
      current = new Backoff(backoff, { random })
      started = clock.monotonic()
    }
    return current.step()
  }
}
