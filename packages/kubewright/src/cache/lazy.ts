// client-go's Lazy: something computed of a cache, when it is asked for and the cache has changed.

/**
 * Computes when asked, and keeps the result until it is told that something has changed.
 *
 * ```ts
 * const byOwner = new Lazy(() => groupByOwner(informer.indexer.list()))
 * informer.addEventHandler({ onAdd: () => byOwner.notify(), onUpdate: () => byOwner.notify(), onDelete: () => byOwner.notify() })
 * ```
 *
 * `evaluate` may return a promise: all who ask before it is there then wait for the same one.
 *
 * **Guarantees**: a result is never given to somebody who asked after a later `notify`. What `evaluate` throws, or rejects
 * with, is given to those who wait, and not kept.
 */
export class Lazy<V> {
  readonly #evaluate: () => V
  #result: { readonly value: V } | undefined

  constructor(evaluate: () => V) {
    this.#evaluate = evaluate
  }

  /** Something has changed. */
  notify(): void {
    this.#result = undefined
  }

  /** @throws what `evaluate` throws */
  get(): V {
    if (this.#result) return this.#result.value
    const result = { value: this.#evaluate() }
    this.#result = result
    if (result.value instanceof Promise) {
      result.value.catch(() => {
        if (this.#result === result) this.#result = undefined
      })
    }
    return result.value
  }
}
