// One index: from a value to the keys of the objects that have it.

import { type DeepReadonly, goQuote, messageOf } from '../meta/index.js'
import type { IndexFunc } from './indexer.js'

/**
 * Computes an object's values in an index. Throws an Error that names key and index when the function does, or gives
 * no list.
 */
export function indexValues<T>(name: string, func: IndexFunc<T>, key: string, obj: T): readonly string[] {
  try {
    const values = func(obj as DeepReadonly<T>)
    if (!Array.isArray(values)) throw new TypeError('the index function has to return a list of strings')
    return values
  } catch (err) {
    throw new Error(
      `unable to calculate an index entry for key ${goQuote(key)} on index ${goQuote(name)}: ${messageOf(err)}`,
      { cause: err },
    )
  }
}

/** Keys by indexed value. */
export class IndexTable {
  readonly #keys = new Map<string, Set<string>>()

  keys(value: string): ReadonlySet<string> {
    return this.#keys.get(value) ?? none
  }

  values(): string[] {
    return [...this.#keys.keys()]
  }

  /** Moves a key from its old values to its new ones. */
  update(key: string, oldValues: readonly string[], newValues: readonly string[]): void {
    for (const value of oldValues) this.#remove(key, value)
    this.add(key, newValues)
  }

  /** Of a key that is not in it. */
  add(key: string, values: readonly string[]): void {
    for (const value of values) {
      const keys = this.#keys.get(value)
      if (keys) keys.add(key)
      else this.#keys.set(value, new Set([key]))
    }
  }

  #remove(key: string, value: string): void {
    const keys = this.#keys.get(value)
    // An empty set is dropped: values that come and go (names of jobs, say) would pile up otherwise.
    if (keys?.delete(key) && keys.size === 0) this.#keys.delete(value)
  }
}

const none: ReadonlySet<string> = new Set()
