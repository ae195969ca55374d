// A store whose objects expire, looked at when they are read.

import { type Clock, realClock } from '../clock/index.js'
import {
  type DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  type Keyed,
  type KeyFunc,
} from './keys.js'
import type { ReflectorStore } from './reflector-store.js'

/** An object and when it was stored. */
export interface TimestampedEntry<T> {
  readonly obj: T
  /** Of the store's clock, in monotonic milliseconds. */
  readonly timestamp: number
}

/** Says which objects have expired. */
export interface ExpirationPolicy<T> {
  isExpired(entry: TimestampedEntry<T>): boolean
}

/** Objects expire when they are older than `ttl` milliseconds; never, if that is 0 or less. */
export class TTLPolicy<T> implements ExpirationPolicy<T> {
  readonly #ttl: number
  readonly #clock: Clock

  constructor({ ttl, clock = realClock }: { ttl: number; clock?: Clock | undefined }) {
    this.#ttl = ttl
    this.#clock = clock
  }

  isExpired({ timestamp }: TimestampedEntry<T>): boolean {
    return this.#ttl > 0 && this.#clock.monotonic() - timestamp > this.#ttl
  }
}

/** Options of an {@link ExpirationStore}. */
export interface ExpirationStoreOptions<T> {
  policy: ExpirationPolicy<T>
  /** @defaultValue `deletionHandlingMetaNamespaceKeyFunc` */
  keyFunc?: KeyFunc | undefined
  /** @defaultValue the machine's clock */
  clock?: Clock | undefined
}

/**
 * client-go's ExpirationCache. Storing an object again makes it new.
 *
 * **Caveats**: an object that expired is removed when somebody asks for it. Until then it takes memory, and `listKeys` names
 * it: no timer runs.
 */
export class ExpirationStore<T> implements ReflectorStore<T> {
  readonly #policy: ExpirationPolicy<T>
  readonly #keyFunc: KeyFunc
  readonly #clock: Clock
  #entries = new Map<string, TimestampedEntry<T>>()

  constructor({
    policy,
    keyFunc = deletionHandlingMetaNamespaceKeyFunc,
    clock = realClock,
  }: ExpirationStoreOptions<T>) {
    this.#policy = policy
    this.#keyFunc = keyFunc
    this.#clock = clock
  }

  /** @throws KeyError */
  add(obj: T): void {
    this.#entries.set(...this.#entryOf(obj))
  }

  /** The same as `add`. @throws KeyError */
  update(obj: T): void {
    this.add(obj)
  }

  /** @throws KeyError */
  delete(obj: T | DeletedFinalStateUnknown<T>): void {
    this.#entries.delete(this.#keyFunc(obj as Keyed))
  }

  /** @throws KeyError; nothing is replaced then. */
  replace(objs: readonly T[], _resourceVersion: string): void {
    this.#entries = new Map(objs.map((obj) => this.#entryOf(obj)))
  }

  /** @throws KeyError */
  get(obj: T): T | undefined {
    return this.getByKey(this.#keyFunc(obj as Keyed))
  }

  getByKey(key: string): T | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    if (!this.#policy.isExpired(entry)) return entry.obj
    this.#entries.delete(key)
    return undefined
  }

  /** What has not expired. */
  list(): T[] {
    const found: T[] = []
    for (const key of this.listKeys()) {
      const obj = this.getByKey(key)
      if (obj !== undefined) found.push(obj)
    }
    return found
  }

  /** All keys, also of what has expired and was not asked for since. */
  listKeys(): string[] {
    return [...this.#entries.keys()]
  }

  #entryOf(obj: T): [key: string, entry: TimestampedEntry<T>] {
    return [this.#keyFunc(obj as Keyed), { obj, timestamp: this.#clock.monotonic() }]
  }
}

/** client-go's NewTTLStore: an {@link ExpirationStore} whose objects live for `ttl` milliseconds. */
export function newTTLStore<T>({
  ttl,
  ...options
}: { ttl: number } & Omit<ExpirationStoreOptions<T>, 'policy'>): ExpirationStore<T> {
  return new ExpirationStore<T>({ ...options, policy: new TTLPolicy<T>({ ttl, clock: options.clock }) })
}
