// Work that one does for all who wait for it, and that is given up when nobody waits any more.

import { abortable } from './abortable.js'

interface Flight<T> {
  readonly result: Promise<T>
  readonly controller: AbortController
  waiting: number
}

/**
 * Does a piece of work once for all who ask for it while it goes on.
 *
 * **Guarantees**
 * - The work never runs twice at a time, not even while one that was given up comes to its end.
 * - Its signal aborts when the last of those who wait has left.
 */
export class SingleFlight<T> {
  readonly #work: (signal: AbortSignal) => Promise<T>
  #flight: Flight<T> | undefined

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.#work = work
  }

  /**
   * What the work gives: that of the run under way, or else of a new one.
   *
   * @throws what the work throws; the signal's reason as soon as it aborts.
   */
  async run(signal: AbortSignal | undefined): Promise<T> {
    for (;;) {
      signal?.throwIfAborted()
      this.#flight ??= this.#start()
      const flight = this.#flight
      if (!flight.controller.signal.aborted) return join(flight, signal)
      await abortable(
        flight.result.catch(() => {}),
        signal,
      )
    }
  }

  #start(): Flight<T> {
    const controller = new AbortController()
    const result = (async () => this.#work(controller.signal))().finally(() => {
      this.#flight = undefined
    })
    // All who waited may have left by the time it fails.
    result.catch(() => {})
    return { result, controller, waiting: 0 }
  }
}

async function join<T>(flight: Flight<T>, signal: AbortSignal | undefined): Promise<T> {
  flight.waiting++
  try {
    return await abortable(flight.result, signal)
  } finally {
    if (--flight.waiting === 0) flight.controller.abort()
  }
}
