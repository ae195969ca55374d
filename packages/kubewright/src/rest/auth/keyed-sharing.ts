// Objects that all who ask with the same key share, for as long as one of them holds on.

import type { Clock } from '../../clock/index.js'

/** A cache that keeps nothing alive, and whose keys show nothing of what they were made from. */
export class SharedByKey<V extends object> {
  readonly #entries = new Map<string, WeakRef<V>>()

  /** @param parts plain data that tells one value from another. */
  getOrCreate(parts: readonly unknown[], create: () => V): V {
    const existing = this.#entries.get(digest(parts))?.deref()
    if (existing !== undefined) return existing
    const value = create()
    this.set(parts, value)
    return value
  }

  set(parts: readonly unknown[], value: V): void {
    for (const [key, entry] of this.#entries) if (entry.deref() === undefined) this.#entries.delete(key)
    this.#entries.set(digest(parts), new WeakRef(value))
  }
}

/** A {@link SharedByKey} for each clock: what keeps time by another clock is another thing. */
export class SharedByClock<V extends object> {
  readonly #byClock = new WeakMap<Clock, SharedByKey<V>>()

  of(clock: Clock): SharedByKey<V> {
    let shared = this.#byClock.get(clock)
    if (shared === undefined) {
      shared = new SharedByKey()
      this.#byClock.set(clock, shared)
    }
    return shared
  }
}

function digest(parts: readonly unknown[]): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
