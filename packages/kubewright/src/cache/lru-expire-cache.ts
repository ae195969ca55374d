// A map of bounded size whose entries expire.

import type { Clock } from '../clock/index.js'

interface Entry<V> {
  readonly value: V
  readonly expiresAt: number
}

/** Holds the entries that were added or read last. */
export class LRUExpireCache<V> {
  readonly #size: number
  readonly #clock: Clock
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry<V>>()

  constructor({ size, clock }: { size: number; clock: Clock }) {
    this.#size = size
    this.#clock = clock
  }

  /** Least recently used first, without those that have expired. */
  keys(): string[] {
    const now = this.#clock.monotonic()
    return [...this.#entries].filter(([, { expiresAt }]) => now <= expiresAt).map(([key]) => key)
  }

  /** Makes it the most recently used. */
  get(key: string): V | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    this.#entries.delete(key)
    if (this.#clock.monotonic() > entry.expiresAt) return undefined
    this.#entries.set(key, entry)
    return entry.value
  }

  /** @param ttl milliseconds. */
  set(key: string, value: V, ttl: number): void {
    this.#entries.delete(key)
    this.#entries.set(key, { value, expiresAt: this.#clock.monotonic() + ttl })
    if (this.#entries.size <= this.#size) return
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest)
      return
    }
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }
}
