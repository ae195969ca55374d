// Objects that all who ask with the same key share, for as long as one of them holds on.

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

function digest(parts: readonly unknown[]): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
