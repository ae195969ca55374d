// The cache: a map from key to object, with indices that always agree with it.

import type { DeepReadonly } from '../meta/index.js'
import { IndexTable, indexValues } from './index-table.js'
import {
  type Indexer,
  type IndexerOptions,
  type Indexers,
  type IndexFunc,
  metadataOf,
  metaNamespaceIndexFunc,
  namespaceIndex,
} from './indexer.js'
import { DeletedFinalStateUnknown, deletionHandlingMetaNamespaceKeyFunc, type Keyed, type KeyFunc } from './keys.js'

/** Makes an empty cache. */
export function newIndexer<T>(options: IndexerOptions<T> = {}): Indexer<T> {
  return new Store(options)
}

/** A whole new content, made beside the old one by {@link Store.prepare}. */
export interface Prepared<T> {
  readonly items: Map<string, T>
  readonly tables: Map<string, IndexTable>
  readonly indexers: ReadonlyMap<string, IndexFunc<T>>
}

/** An index in which a changed object has other values. */
interface IndexChange {
  readonly table: IndexTable
  readonly oldValues: readonly string[]
  readonly newValues: readonly string[]
}

/** So many are put into indices before {@link Store.prepare} pauses: each takes a microsecond, if index functions do not decode. */
const fewObjects = 8

const noChanges: readonly IndexChange[] = []
const noValues: readonly string[] = []

/** The implementation of {@link Indexer}. Informers use its two-step `replace` too. */
export class Store<T> implements Indexer<T> {
  readonly #keyFunc: KeyFunc
  readonly #onIndexError: ((err: Error) => void) | undefined
  readonly #onDropped: ((obj: T) => void) | undefined
  readonly #indexers = new Map<string, IndexFunc<T>>()
  #items = new Map<string, T>()
  #tables = new Map<string, IndexTable>()
  #resourceVersion = ''

  constructor(options: IndexerOptions<T>) {
    const { keyFunc = deletionHandlingMetaNamespaceKeyFunc, indexers, onIndexError, onDropped } = options
    this.#keyFunc = keyFunc
    this.#onDropped = onDropped
    this.#onIndexError = onIndexError
    const namespaceIndexers: Indexers<T> = { [namespaceIndex]: (obj) => metaNamespaceIndexFunc(obj) }
    this.addIndexers(indexers ?? namespaceIndexers)
  }

  add(obj: T): void {
    this.update(obj)
  }

  update(obj: T): void {
    this.set(this.#keyOf(obj), obj)
  }

  delete(obj: T | DeletedFinalStateUnknown<T>): void {
    this.remove(this.#keyOf(obj), obj)
  }

  /** `update` of an object whose key is known. */
  set(key: string, obj: T): void {
    const old = this.#items.get(key)
    const changes = this.#indexChanges(key, old, obj)
    this.#items.set(key, obj)
    for (const { table, oldValues, newValues } of changes) table.update(key, oldValues, newValues)
    this.#noteVersion(obj)
    if (old !== undefined && old !== obj) this.#onDropped?.(old)
  }

  /** `delete` of an object whose key is known. */
  remove(key: string, obj: T | DeletedFinalStateUnknown<T>): void {
    const old = this.#items.get(key)
    if (old !== undefined) {
      const changes = this.#indexChanges(key, old, undefined)
      this.#items.delete(key)
      for (const { table, oldValues, newValues } of changes) table.update(key, oldValues, newValues)
      this.#onDropped?.(old)
    }
    this.#noteVersion(obj)
    if (obj !== old && !(obj instanceof DeletedFinalStateUnknown)) this.#onDropped?.(obj)
  }

  replace(objs: readonly T[], resourceVersion: string): void {
    const items = new Map<string, T>()
    for (const obj of objs) items.set(this.#keyOf(obj), obj)
    const work = this.prepare(items)
    let step = work.next()
    while (!step.done) step = work.next()
    this.commit(step.value, resourceVersion)
  }

  /**
   * Builds the indices of a whole new content beside the present one, and pauses after each few objects, so that a
   * caller can spread the work. What it returns is put in place by {@link Store.commit}.
   */
  *prepare(items: Map<string, T>): Generator<void, Prepared<T>> {
    const tables = new Map<string, IndexTable>()
    const indexers = new Map(this.#indexers)
    for (const name of indexers.keys()) tables.set(name, new IndexTable())
    const prepared: Prepared<T> = { items, tables, indexers }
    const entries = items.entries()
    while (this.#indexSome(entries, prepared)) yield
    return prepared
  }

  /** Adds the next objects to all indices; false when there are no more. */
  #indexSome(entries: Iterator<[string, T]>, { tables, indexers }: Prepared<T>): boolean {
    for (let i = 0; i < fewObjects; i++) {
      const { done, value } = entries.next()
      if (done) return false
      const [key, obj] = value
      for (const [name, func] of indexers) tables.get(name)?.add(key, this.#values(name, func, key, obj))
    }
    return true
  }

  /** Puts a new content in place of the old, in one step. */
  commit(prepared: Prepared<T>, resourceVersion: string): void {
    // Indices added while the content was being prepared are missing in it.
    const missing = [...this.#indexers].filter(([name]) => !prepared.indexers.has(name))
    for (const [name, func] of missing) prepared.tables.set(name, this.#buildTable(name, func, prepared.items))
    const old = this.#items
    this.#items = prepared.items
    this.#tables = prepared.tables
    this.#resourceVersion = resourceVersion
    if (!this.#onDropped) return
    for (const [key, obj] of old) if (prepared.items.get(key) !== obj) this.#onDropped(obj)
  }

  get(obj: T | DeepReadonly<T>): DeepReadonly<T> | undefined {
    return this.getByKey(this.#keyOf(obj))
  }

  getByKey(key: string): DeepReadonly<T> | undefined {
    return this.#items.get(key) as DeepReadonly<T> | undefined
  }

  list(): DeepReadonly<T>[] {
    return [...this.#items.values()] as DeepReadonly<T>[]
  }

  listKeys(): string[] {
    return [...this.#items.keys()]
  }

  /** The stored objects with their keys. */
  entries(): ReadonlyMap<string, T> {
    return this.#items
  }

  index(name: string, obj: DeepReadonly<T>): DeepReadonly<T>[] {
    const func = this.#indexFunc(name)
    const table = this.#tables.get(name)
    const keys = new Set<string>()
    for (const value of func(obj)) for (const key of table?.keys(value) ?? []) keys.add(key)
    return this.#objects(keys)
  }

  byIndex(name: string, value: string): DeepReadonly<T>[] {
    this.#indexFunc(name)
    return this.#objects(this.#tables.get(name)?.keys(value) ?? [])
  }

  indexKeys(name: string, value: string): string[] {
    this.#indexFunc(name)
    return [...(this.#tables.get(name)?.keys(value) ?? [])].sort()
  }

  listIndexFuncValues(name: string): string[] {
    return this.#tables.get(name)?.values() ?? []
  }

  getIndexers(): Indexers<T> {
    return Object.fromEntries(this.#indexers)
  }

  addIndexers(indexers: Indexers<T>): void {
    const conflicts = Object.keys(indexers).filter((name) => this.#indexers.has(name))
    if (conflicts.length > 0) throw new Error(`indexer conflict: ${conflicts.sort().join(', ')}`)
    const added = Object.entries(indexers).map(
      ([name, func]) => [name, func, this.#buildTable(name, func, this.#items)] as const,
    )
    for (const [name, func, table] of added) {
      this.#indexers.set(name, func)
      this.#tables.set(name, table)
    }
  }

  bookmark(resourceVersion: string): void {
    this.#resourceVersion = resourceVersion
  }

  lastStoreSyncResourceVersion(): string {
    return this.#resourceVersion
  }

  /** @throws KeyError */
  #keyOf(obj: T | DeepReadonly<T> | DeletedFinalStateUnknown<T>): string {
    return this.#keyFunc(obj as Keyed)
  }

  #buildTable(name: string, func: IndexFunc<T>, items: ReadonlyMap<string, T>): IndexTable {
    const table = new IndexTable()
    for (const [key, obj] of items) table.add(key, this.#values(name, func, key, obj))
    return table
  }

  /** What to do to each index when an object changes. All values are computed first, so that a failure changes nothing. */
  #indexChanges(key: string, oldObj: T | undefined, newObj: T | undefined): readonly IndexChange[] {
    let changes: IndexChange[] | undefined
    for (const [name, func] of this.#indexers) {
      const oldValues = oldObj === undefined ? noValues : this.#values(name, func, key, oldObj)
      const newValues = newObj === undefined ? noValues : this.#values(name, func, key, newObj)
      if (oldValues.length === 1 && newValues.length === 1 && oldValues[0] === newValues[0]) continue
      changes ??= []
      changes.push({ table: this.#tables.get(name) as IndexTable, oldValues, newValues })
    }
    return changes ?? noChanges
  }

  #values(name: string, func: IndexFunc<T>, key: string, obj: T): readonly string[] {
    try {
      return indexValues(name, func, key, obj)
    } catch (err) {
      if (!this.#onIndexError) throw err
      this.#onIndexError(err as Error)
      return []
    }
  }

  #indexFunc(name: string): IndexFunc<T> {
    const func = this.#indexers.get(name)
    if (!func) throw new Error(`Index with name ${name} does not exist`)
    return func
  }

  /** Keys whose object is gone are left out: an object that was changed in place may have left them in an index. */
  #objects(keys: Iterable<string>): DeepReadonly<T>[] {
    const found: DeepReadonly<T>[] = []
    for (const key of keys) {
      const obj = this.getByKey(key)
      if (obj !== undefined) found.push(obj)
    }
    return found
  }

  /** A missed deletion says nothing about the version; neither does an object without metadata. */
  #noteVersion(obj: T | DeletedFinalStateUnknown<T>): void {
    if (obj instanceof DeletedFinalStateUnknown) return
    const metadata = metadataOf(obj)
    if (metadata) this.#resourceVersion = metadata.resourceVersion ?? ''
  }
}
