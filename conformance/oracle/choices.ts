// Random choices that follow from a seed: for inputs that are easier to make by hand than of fast-check's parts.

/** The same choices in every run, for a seed. */
export class Choices {
  #state: number

  /** @param seed a whole number, of which 32 bits count */
  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0 up to `end`, which it is not. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  /** Whether something happens that does so with this probability, from 0 to 1. */
  often(probability: number): boolean {
    return this.next() < probability
  }

  /** One of the items. */
  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T
  }

  /** The items in another order. */
  shuffled<T>(items: readonly T[]): T[] {
    const result = [...items]
    for (let i = result.length - 1; i > 0; i--) {
      const j = this.below(i + 1)
      const item = result[i] as T
      result[i] = result[j] as T
      result[j] = item
    }
    return result
  }
}
