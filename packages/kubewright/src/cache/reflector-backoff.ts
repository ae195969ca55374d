// How long a reflector waits between attempts: longer each time, spread out, and short again after two minutes.

import type { Clock } from '../clock/index.js'

/** Gives the next delay, in milliseconds. */
export interface Backoff {
  next(): number
}

const initialMs = 800
const factor = 2
const capMs = 30_000
const resetMs = 120_000

/**
 * The delays of client-go's reflector: 0.8 s, 1.6 s, … up to 30 s, each stretched by up to as much again, so that many
 * clients do not come back at once. The sequence starts anew when more than 2 minutes have passed since it started.
 */
export class ReflectorBackoff implements Backoff {
  readonly #clock: Clock
  readonly #random: () => number
  #delayMs = initialMs
  #startedAt: number

  constructor({ clock, random }: { clock: Clock; random: () => number }) {
    this.#clock = clock
    this.#random = random
    this.#startedAt = clock.monotonic()
  }

  next(): number {
    const now = this.#clock.monotonic()
    if (now - this.#startedAt > resetMs) {
      this.#delayMs = initialMs
      this.#startedAt = now
    }
    const delayMs = this.#delayMs
    this.#delayMs = Math.min(delayMs * factor, capMs)
    return delayMs * (1 + this.#random())
  }
}
