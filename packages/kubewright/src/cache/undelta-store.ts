// A store that tells its whole content at each change.

import type { DeepReadonly } from '../meta/index.js'
import type { DeletedFinalStateUnknown, KeyFunc } from './keys.js'
import type { ReflectorStore } from './reflector-store.js'
import { Store } from './store.js'

/** Options of an {@link UndeltaStore}. */
export interface UndeltaStoreOptions<T> {
  /** Told the whole content after each change. */
  push: (objs: DeepReadonly<T>[]) => void
  /** @defaultValue `deletionHandlingMetaNamespaceKeyFunc` */
  keyFunc?: KeyFunc | undefined
}

/**
 * client-go's UndeltaStore: a store for a {@link Reflector} of which one wants to know the content, not the changes.
 *
 * **Guarantees**: `push` is called once for each `add`, `update`, `delete` and `replace` that did not throw, before it
 * returns. `@throws` of these: KeyError, and what `push` throws; the store has the change then.
 */
export class UndeltaStore<T> implements ReflectorStore<T> {
  readonly #store: Store<T>
  readonly #push: (objs: DeepReadonly<T>[]) => void

  constructor({ push, keyFunc }: UndeltaStoreOptions<T>) {
    this.#push = push
    this.#store = new Store<T>({ keyFunc, indexers: {} })
  }

  add(obj: T): void {
    this.#store.add(obj)
    this.#push(this.list())
  }

  update(obj: T): void {
    this.#store.update(obj)
    this.#push(this.list())
  }

  delete(obj: T | DeletedFinalStateUnknown<T>): void {
    this.#store.delete(obj)
    this.#push(this.list())
  }

  replace(objs: readonly T[], resourceVersion: string): void {
    this.#store.replace(objs, resourceVersion)
    this.#push(this.list())
  }

  bookmark(resourceVersion: string): void {
    this.#store.bookmark(resourceVersion)
  }

  lastStoreSyncResourceVersion(): string {
    return this.#store.lastStoreSyncResourceVersion()
  }

  get(obj: T | DeepReadonly<T>): DeepReadonly<T> | undefined {
    return this.#store.get(obj)
  }

  getByKey(key: string): DeepReadonly<T> | undefined {
    return this.#store.getByKey(key)
  }

  list(): DeepReadonly<T>[] {
    return this.#store.list()
  }

  listKeys(): string[] {
    return this.#store.listKeys()
  }
}
