// Answers of one's own writes, laid over a cache until it has come as far.

import { type Clock, realClock } from '../clock/index.js'
import { type DeepReadonly, type KubernetesObject, messageOf } from '../meta/index.js'
import { type Logger, stderrLogger } from '../rest/index.js'
import { type Indexer, metadataOf } from './indexer.js'
import { DeletedFinalStateUnknown, deletionHandlingMetaNamespaceKeyFunc } from './keys.js'
import { LRUExpireCache } from './lru-expire-cache.js'

/** Options of a {@link MutationCache}. */
export interface MutationCacheOptions {
  /** How long an answer counts, in milliseconds. @defaultValue 5 minutes */
  ttl?: number | undefined
  /** How many answers are kept. @defaultValue 100 */
  size?: number | undefined
  /**
   * Whether objects are found that the cache does not have. Such an object may have been deleted by somebody meanwhile: it
   * is then found for `ttl`, unless {@link MutationCache.onDelete} is told.
   *
   * @defaultValue false
   */
  includeAdds?: boolean | undefined
  /** @defaultValue the machine's clock */
  clock?: Clock | undefined
  /** @defaultValue standard error */
  logger?: Logger | undefined
}

/** What is remembered of a deletion. */
interface Tombstone {
  readonly uid: string | undefined
  readonly version: bigint
}

/**
 * client-go's MutationCache: reads give the newer of what the cache has and of what a write was answered.
 *
 * Answers may be lost: they are few, and expire. {@link ReadYourWrites} keeps them until the cache has come as far, and no
 * longer.
 *
 * **Caveats**: versions are compared as numbers. @throws Error, of each call that compares, where one is none.
 */
export class MutationCache<T extends KubernetesObject> {
  readonly #indexer: Indexer<T>
  readonly #ttl: number
  readonly #includeAdds: boolean
  readonly #logger: Logger
  readonly #mutations: LRUExpireCache<DeepReadonly<T>>
  readonly #deletions: LRUExpireCache<Tombstone>

  constructor(indexer: Indexer<T>, options: MutationCacheOptions = {}) {
    const { ttl = 5 * 60_000, size = 100, includeAdds = false, clock = realClock, logger = stderrLogger } = options
    this.#indexer = indexer
    this.#ttl = ttl
    this.#includeAdds = includeAdds
    this.#logger = logger
    this.#mutations = new LRUExpireCache({ size, clock })
    this.#deletions = new LRUExpireCache({ size, clock })
  }

  /** The newer of what the cache has and what was written. */
  getByKey(key: string): DeepReadonly<T> | undefined {
    const cached = this.#indexer.getByKey(key)
    if (cached !== undefined) return this.#newer(key, cached)
    return this.#includeAdds ? this.#mutations.get(key) : undefined
  }

  /**
   * The objects with this value in an index of the cache, in the newer state each; with `includeAdds` also those that were
   * written with this value, and are not in the cache or have another one there.
   *
   * @throws Error when there is no such index
   */
  byIndex(name: string, value: string): DeepReadonly<T>[] {
    const found: DeepReadonly<T>[] = []
    const keys = new Set(this.#indexer.indexKeys(name, value))
    for (const key of keys) {
      const cached = this.#indexer.getByKey(key)
      if (cached !== undefined) found.push(this.#newer(key, cached))
    }
    if (!this.#includeAdds) return found
    for (const key of this.#mutations.keys()) {
      const written = keys.has(key) ? undefined : this.getByKey(key)
      if (written !== undefined && this.#hasValue(name, value, key, written)) found.push(written)
    }
    return found
  }

  /** Tells of an answer: the object as it was written. Left out where it is older than what is known, or deleted. */
  mutation(obj: DeepReadonly<T>): void {
    const key = this.#keyOf(obj)
    if (key === undefined) return
    const known = this.#mutations.get(key)
    if (known !== undefined && versionOf(obj) < versionOf(known)) return
    const deletion = this.#deletions.get(key)
    if (deletion && (deletion.uid === obj.metadata?.uid || versionOf(obj) <= deletion.version)) return
    this.#mutations.set(key, obj, this.#ttl)
  }

  /** To be told of what the cache has got: of an informer's `onAdd` and `onUpdate`. Drops answers that are not newer. */
  onAddOrUpdate(obj: DeepReadonly<T>): void {
    const key = this.#keyOf(obj)
    if (key === undefined) return
    const known = this.#mutations.get(key)
    if (known !== undefined && versionOf(known) <= versionOf(obj)) this.#mutations.delete(key)
    const deletion = this.#deletions.get(key)
    if (deletion && deletion.uid !== obj.metadata?.uid) this.#deletions.delete(key)
  }

  /**
   * To be told of what the cache lost: of an informer's `onDelete`. Drops the answer, unless it is of another, newer object of
   * that name; and keeps answers of the deleted object that come late from being taken.
   */
  onDelete(obj: DeepReadonly<T> | DeletedFinalStateUnknown<T>): void {
    const key = this.#keyOf(obj)
    if (key === undefined) return
    const last = obj instanceof DeletedFinalStateUnknown ? obj.obj : obj
    const known = this.#mutations.get(key)
    const uid = last?.metadata?.uid
    const version = last === undefined ? 0n : versionOf(last)
    if (known && (last === undefined || known.metadata?.uid === uid || versionOf(known) <= version)) {
      this.#mutations.delete(key)
    }
    if (last !== undefined) this.#deletions.set(key, { uid, version }, this.#ttl)
  }

  #newer(key: string, cached: DeepReadonly<T>): DeepReadonly<T> {
    const written = this.#mutations.get(key)
    if (written === undefined) return cached
    if (versionOf(cached) < versionOf(written)) return written
    this.#mutations.delete(key)
    return cached
  }

  #hasValue(name: string, value: string, key: string, obj: DeepReadonly<T>): boolean {
    try {
      return this.#indexer.getIndexers()[name]?.(obj).includes(value) ?? false
    } catch (err) {
      this.#logger.debug('an index function failed', { index: name, key, err })
      return false
    }
  }

  /** Knowing of a write is nice to have: what has no key is left out. */
  #keyOf(obj: DeepReadonly<T> | DeletedFinalStateUnknown<T>): string | undefined {
    try {
      return deletionHandlingMetaNamespaceKeyFunc(obj)
    } catch (err) {
      this.#logger.warn('cannot remember a write', { err: messageOf(err) })
      return undefined
    }
  }
}

/** As a number; 0 for none. @throws Error */
function versionOf(obj: unknown): bigint {
  const version = metadataOf(obj)?.resourceVersion ?? ''
  if (!/^\d*$/.test(version))
    throw new Error(`cannot compare resource versions: ${JSON.stringify(version)} is no number`)
  return BigInt(version)
}
