// Long work in slices, so that the rest of the program gets its turns on the event loop.

import { type Clock, othersTurn } from '../clock/index.js'

/** How long work goes on before others get a turn, in milliseconds. */
const sliceMs = 5

/** Measures slices of work. */
export class Slices {
  readonly #clock: Clock
  readonly #signal: AbortSignal
  #end = 0

  constructor({ clock, signal }: { clock: Clock; signal: AbortSignal }) {
    this.#clock = clock
    this.#signal = signal
    this.restart()
  }

  /** Begins a slice: others had their turn just now. */
  restart(): void {
    this.#end = this.#clock.monotonic() + sliceMs
  }

  /**
   * Called between small pieces of work: undefined while the slice lasts; then a promise to await, which resolves in a
   * later turn of the event loop, or rejects with the signal's reason when it has aborted by then.
   */
  breathe(): Promise<void> | undefined {
    return this.#clock.monotonic() < this.#end ? undefined : this.#pause()
  }

  /** Not by a timer, the shortest of which is a millisecond: a fifth of the time would be lost. */
  async #pause(): Promise<void> {
    await othersTurn()
    this.#signal.throwIfAborted()
    this.restart()
  }
}
