// Reading what one has written, before the watch brings it.

import { type Clock, realClock } from '../clock/index.js'
import type { ObjectMeta } from '../gen/api/meta/v1.js'
import { compareResourceVersion, type DeepReadonly, deepCopy, type KubernetesObject, messageOf } from '../meta/index.js'
import { type Logger, stderrLogger } from '../rest/index.js'
import { type Indexer, type Indexers, metadataOf } from './indexer.js'
import { type DeletedFinalStateUnknown, deletionHandlingMetaNamespaceKeyFunc, type Keyed } from './keys.js'
import type { TransformFunc } from './reflector-store.js'
import { Store } from './store.js'

/** Options of {@link ReadYourWrites}. */
export interface ReadYourWritesOptions<T> {
  /** The informer's, so that what was written looks like what is cached. Must leave uid and resourceVersion. */
  transform?: TransformFunc<T> | undefined
  /**
   * Whether the informer can have such an object: give one where it has a label or field selector. An object that was
   * written and does not pass is hidden.
   *
   * @defaultValue all
   */
  filter?: ((obj: DeepReadonly<T>) => boolean) | undefined
  /** How long an answer counts where the watch does not come as far, in milliseconds. @defaultValue 5 minutes */
  ttl?: number | undefined
  /** @defaultValue the machine's clock */
  clock?: Clock | undefined
  /** @defaultValue standard error */
  logger?: Logger | undefined
}

/** What was last written of one object. */
interface Write {
  readonly uid: string | undefined
  /** Of the answer; for a deletion, the last that is known of the object; undefined: nothing is. */
  readonly version: string | undefined
  /** `hidden`: the informer does not see it any more. */
  readonly state: 'stored' | 'hidden' | 'gone'
  readonly recordedAt: number
}

/**
 * An informer's cache as it will be once the watch has brought one's own writes.
 *
 * ```ts
 * const pods = new ReadYourWrites(informer.indexer)
 * pods.wrote(await client.create(pod))
 * pods.getByKey('default/web') // there, whatever the watch has brought
 * ```
 *
 * **Guarantees**
 * - An answer counts until the cache has come to its version, and no longer: what the watch brings then is what is read, be
 *   it newer, deleted or created anew by others.
 * - Deletions hide the object with that uid until the cache has lost it; one of the same name that others create is seen.
 * - All reads agree: by key, as a list, by every index of the cache.
 * - Handlers are told of everything as ever, one's own writes included: nothing is taken for an echo.
 *
 * **Caveats**
 * - Versions are compared as numbers; a cache whose `transform` drops `metadata.resourceVersion` cannot say how far it is, and
 *   answers then count for `ttl`.
 * - What is not told is not known: `deleteCollection`, what the server deletes along with an owner, other programs' writes.
 * - The cache of a {@link newBytesInformer} holds other values, and cannot be covered.
 */
export class ReadYourWrites<T extends KubernetesObject> implements Indexer<T> {
  readonly #cache: Indexer<T>
  readonly #transform: TransformFunc<T> | undefined
  readonly #filter: ((obj: DeepReadonly<T>) => boolean) | undefined
  readonly #ttl: number
  readonly #clock: Clock
  readonly #logger: Logger
  /** The objects as they were written, those that are gone excepted. */
  readonly #written: Store<T>
  readonly #writes = new Map<string, Write>()
  /** What was dropped is swept out when there are so many. */
  #sweepAt = minSweep

  constructor(cache: Indexer<T>, options: ReadYourWritesOptions<T> = {}) {
    const { transform, filter, ttl = 5 * 60_000, clock = realClock, logger = stderrLogger } = options
    this.#cache = cache
    this.#transform = transform
    this.#filter = filter
    this.#ttl = ttl
    this.#clock = clock
    this.#logger = logger
    this.#written = new Store<T>({
      indexers: cache.getIndexers(),
      onIndexError: (err) => logger.error('an index function failed', { err }),
    })
  }

  /** How many answers the cache has not come to, as far as is known. For information only. */
  get pending(): number {
    this.#sweep()
    return this.#writes.size
  }

  /**
   * Tells of an answer to create, update, patch or apply, or to a delete that left the object there: with finalizers, or for
   * its grace period. One that took the last finalizer of a deleted object away is its end. Left out where the cache or
   * another answer is newer. The object is copied.
   *
   * @throws KeyError when it has no name.
   */
  wrote(obj: DeepReadonly<T>): void {
    const key = keyOf(obj)
    const { uid, resourceVersion: version } = metadataOf(obj) ?? {}
    // First, as an end may have the version of the object before it, to which the cache has come.
    if (hasEnded(obj)) {
      this.deleted(obj)
      return
    }
    if (!version || this.#hasCome(version)) return
    const known = this.#valid(key)
    if (known && (isOlder(version, known.version) || (known.state === 'gone' && known.uid === uid))) return
    const copy = deepCopy<T>(obj)
    const seen = this.#transform ? this.#transform(copy) : copy
    const state = (this.#filter?.(seen as DeepReadonly<T>) ?? true) ? 'stored' : 'hidden'
    this.#record(key, { uid, version, state, recordedAt: this.#clock.monotonic() }, seen)
  }

  /**
   * Tells that an object is gone: that its delete was answered with a Status.
   *
   * @param obj the object as it was last read; its uid says which one is meant. Without one, the one that is read now is.
   * @throws KeyError when it has no name.
   */
  deleted(obj: DeepReadonly<T> | DeletedFinalStateUnknown<T>): void {
    const key = keyOf(obj)
    const read = metadataOf(this.getByKey(key))
    const told = metadataOf('obj' in obj && 'key' in obj ? obj.obj : obj)
    const uid = told?.uid ?? read?.uid
    if (uid === undefined) return
    const version = read?.uid === uid ? read.resourceVersion : told?.resourceVersion
    const known = this.#valid(key)
    if (known?.state === 'stored' && known.uid !== uid) return
    this.#record(key, { uid, version, state: 'gone', recordedAt: this.#clock.monotonic() }, undefined)
  }

  /** The same as `wrote`. */
  add(obj: T): void {
    this.wrote(obj as DeepReadonly<T>)
  }

  /** The same as `wrote`. */
  update(obj: T): void {
    this.wrote(obj as DeepReadonly<T>)
  }

  /** The same as `deleted`. */
  delete(obj: T | DeletedFinalStateUnknown<T>): void {
    this.deleted(obj as DeepReadonly<T>)
  }

  /** @throws TypeError always: only single writes can be told. */
  replace(): void {
    throw new TypeError('cannot replace what is read of a cache: tell single writes, with wrote and deleted')
  }

  get(obj: T | DeepReadonly<T>): DeepReadonly<T> | undefined {
    return this.getByKey(keyOf(obj))
  }

  getByKey(key: string): DeepReadonly<T> | undefined {
    const write = this.#valid(key)
    const cached = this.#cache.getByKey(key)
    return write ? this.#visible(key, write, cached) : cached
  }

  list(): DeepReadonly<T>[] {
    return this.#nothingWritten() ? this.#cache.list() : this.#objects(this.listKeys())
  }

  listKeys(): string[] {
    if (this.#nothingWritten()) return this.#cache.listKeys()
    const keys = new Set([...this.#cache.listKeys(), ...this.#writes.keys()])
    return [...keys].filter((key) => this.getByKey(key) !== undefined)
  }

  index(name: string, obj: DeepReadonly<T>): DeepReadonly<T>[] {
    if (this.#nothingWritten()) return this.#cache.index(name, obj)
    const values = this.#cache.getIndexers()[name]?.(obj)
    if (!values) return this.#cache.index(name, obj)
    return this.#objects(new Set(values.flatMap((value) => this.indexKeys(name, value))))
  }

  byIndex(name: string, value: string): DeepReadonly<T>[] {
    return this.#nothingWritten() ? this.#cache.byIndex(name, value) : this.#objects(this.indexKeys(name, value))
  }

  indexKeys(name: string, value: string): string[] {
    const cached = this.#cache.indexKeys(name, value)
    if (this.#nothingWritten()) return cached
    this.#followIndexers(name)
    const written = this.#written.indexKeys(name, value)
    // Of an object that was written, its index values are those of what was written.
    const kept = cached.filter((key) => this.#showsCached(key))
    return [...kept, ...written.filter((key) => this.#valid(key))].sort()
  }

  listIndexFuncValues(name: string): string[] {
    const cached = this.#cache.listIndexFuncValues(name)
    if (this.#nothingWritten() || !Object.hasOwn(this.#cache.getIndexers(), name)) return cached
    this.#followIndexers(name)
    const values = new Set([...cached, ...this.#written.listIndexFuncValues(name)])
    return [...values].filter((value) => this.indexKeys(name, value).length > 0)
  }

  getIndexers(): Indexers<T> {
    return this.#cache.getIndexers()
  }

  /** Adds indices to the cache. */
  addIndexers(indexers: Indexers<T>): void {
    this.#cache.addIndexers(indexers)
  }

  /** @throws TypeError always: how far the cache is, only its informer knows. */
  bookmark(): void {
    throw new TypeError('cannot say how far a cache is: its informer does')
  }

  /** The cache's. */
  lastStoreSyncResourceVersion(): string {
    return this.#cache.lastStoreSyncResourceVersion()
  }

  #record(key: string, write: Write, obj: T | undefined): void {
    this.#drop(key)
    this.#writes.set(key, write)
    if (obj !== undefined && write.state === 'stored') this.#written.set(key, obj)
    if (this.#writes.size >= this.#sweepAt) {
      this.#sweep()
      this.#sweepAt = Math.max(minSweep, 2 * this.#writes.size)
    }
  }

  /** What counts of a write. The write itself may be of an object that is not the cached one. */
  #visible(key: string, write: Write, cached: DeepReadonly<T> | undefined): DeepReadonly<T> | undefined {
    if (write.state === 'stored') return this.#written.getByKey(key)
    if (write.state === 'hidden') return undefined
    return cached !== undefined && metadataOf(cached)?.uid !== write.uid ? cached : undefined
  }

  #showsCached(key: string): boolean {
    const write = this.#valid(key)
    return !write || (write.state === 'gone' && this.getByKey(key) !== undefined)
  }

  /** The write of a key that still counts; one that does not is dropped. */
  #valid(key: string): Write | undefined {
    const write = this.#writes.get(key)
    if (!write) return undefined
    if (!this.#isObsolete(key, write)) return write
    this.#drop(key)
    return undefined
  }

  #isObsolete(key: string, { uid, version, state, recordedAt }: Write): boolean {
    if (this.#clock.monotonic() - recordedAt > this.#ttl) return true
    if (version === undefined || !this.#hasCome(version)) return false
    // The version of a deletion is not known: it is later than what was known of the object.
    return state !== 'gone' || metadataOf(this.#cache.getByKey(key))?.uid !== uid
  }

  /** Whether the cache has come to a version. */
  #hasCome(version: string): boolean {
    const reached = this.#cache.lastStoreSyncResourceVersion()
    if (reached === '' || reached === '0') return false
    try {
      return compareResourceVersion(reached, version) >= 0
    } catch (err) {
      this.#logger.warn('a write cannot be compared with the cache and is left out', { err: messageOf(err) })
      return true
    }
  }

  #drop(key: string): void {
    this.#writes.delete(key)
    const obj = this.#written.entries().get(key)
    if (obj !== undefined) this.#written.remove(key, obj)
  }

  #sweep(): void {
    for (const key of [...this.#writes.keys()]) this.#valid(key)
  }

  #nothingWritten(): boolean {
    return this.#writes.size === 0
  }

  #objects(keys: Iterable<string>): DeepReadonly<T>[] {
    const found: DeepReadonly<T>[] = []
    for (const key of keys) {
      const obj = this.getByKey(key)
      if (obj !== undefined) found.push(obj)
    }
    return found
  }

  /** Indices may have been added to the cache since. */
  #followIndexers(name: string): void {
    const func = this.#cache.getIndexers()[name]
    if (func && !Object.hasOwn(this.#written.getIndexers(), name)) this.#written.addIndexers({ [name]: func })
  }
}

const minSweep = 64

/** Whether a deleted object has nothing left to wait for: the server has removed it. */
function hasEnded(obj: unknown): boolean {
  const { deletionTimestamp, finalizers, deletionGracePeriodSeconds } = (metadataOf(obj) ?? {}) as Partial<ObjectMeta>
  return deletionTimestamp !== undefined && (finalizers?.length ?? 0) === 0 && (deletionGracePeriodSeconds ?? 0) === 0
}

function keyOf(obj: unknown): string {
  return deletionHandlingMetaNamespaceKeyFunc(obj as Keyed)
}

function isOlder(version: string, than: string | undefined): boolean {
  try {
    return than !== undefined && compareResourceVersion(version, than) < 0
  } catch {
    return false
  }
}
