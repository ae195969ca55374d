// Chance that a seed determines, so that a run can be repeated.

/** Numbers of a seed, by mulberry32. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** From 0 to below 1. */
  readonly next = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  /** True so many times in a hundred. */
  percent(chance: number): boolean {
    return this.next() * 100 < chance
  }

  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  pick<const V>(values: readonly V[]): V {
    return values[this.int(0, values.length - 1)] as V
  }

  shuffled<V>(values: readonly V[]): V[] {
    const shuffled = [...values]
    for (let i = shuffled.length - 1; i > 0; i--) {
      const j = this.int(0, i)
      ;[shuffled[i], shuffled[j]] = [shuffled[j] as V, shuffled[i] as V]
    }
    return shuffled
  }
}
