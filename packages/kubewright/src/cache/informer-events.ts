// What is published about informers on node:diagnostics_channel, for metrics. Costs nothing unheard.

import { channel } from 'node:diagnostics_channel'
import type { Clock } from '../clock/index.js'
import type { InformerStatistics } from './informer-statistics.js'
import type { Delta } from './real-fifo.js'

/**
 * The informer that an event is about: the same object in all its events, so that it can be the key of a WeakMap. It is
 * what tells informers apart; names need not be different.
 */
export interface InformerInfo {
  /** Its option `name`; without one, `typeDescription`. */
  readonly name: string
  /** What it is of: `deployments.apps`, say. */
  readonly typeDescription: string
}

/** On `kubewright:cache:informer:list`: a page of a list was answered, or failed. */
export interface InformerListEvent {
  readonly informer: InformerInfo
  /** As it was asked for; `''`: none. */
  readonly resourceVersion: string
  readonly durationMs: number
  /** How many objects came; undefined when it failed. */
  readonly items: number | undefined
  readonly error: unknown
}

/** On `kubewright:cache:informer:watch`: a watch was opened, or could not be. All but the first are reconnects. */
export interface InformerWatchEvent {
  readonly informer: InformerInfo
  /** As it was asked for; `''`: none. */
  readonly resourceVersion: string
  /** Milliseconds to the answer's headers, or to the failure. */
  readonly durationMs: number
  readonly error: unknown
}

/**
 * On `kubewright:cache:informer:change`: an entry of the queue was applied to the cache, and given to handlers. client-go's
 * metrics `QueuedItem`, `ProcessingLatency` and `StoreResourceVersion`.
 */
export interface InformerChangeEvent {
  readonly informer: InformerInfo
  readonly type: Delta<unknown>['type']
  /** Undefined for what concerns all objects. */
  readonly key: string | undefined
  /** How long it took to apply, in milliseconds. */
  readonly durationMs: number
  /** How many entries wait behind it. */
  readonly queued: number
  /** How far the cache is. */
  readonly resourceVersion: string
}

/** On `kubewright:cache:informer:synced`: the cache holds a whole list for the first time. */
export interface InformerSyncedEvent {
  readonly informer: InformerInfo
  /** Milliseconds since the informer was started. */
  readonly durationMs: number
  readonly objects: number
}

/** On `kubewright:cache:informer:backlog`: a handler is far behind; see `backlogWarning`. */
export interface InformerBacklogEvent {
  readonly informer: InformerInfo
  readonly handler: string
  /** How many notifications it has not been given. */
  readonly pending: number
  /** For how long it has been at one notification, in milliseconds; undefined when it is at none. */
  readonly runningMs: number | undefined
}

const prefix = 'kubewright:cache:informer:'
const lists = channel(`${prefix}list`)
const watches = channel(`${prefix}watch`)
const changes = channel(`${prefix}change`)
const syncs = channel(`${prefix}synced`)
const backlogs = channel(`${prefix}backlog`)

type Counts = InformerStatistics['counts']

/** Counts what an informer does, and publishes it. */
export class InformerObserver {
  readonly info: InformerInfo
  readonly #clock: Clock
  readonly #counts: { -readonly [K in keyof Counts]: Counts[K] } = {
    lists: 0,
    watches: 0,
    failures: 0,
    added: 0,
    updated: 0,
    deleted: 0,
    replaced: 0,
    resyncs: 0,
    bookmarks: 0,
  }
  #startedAt = 0
  #busySince: number | undefined

  constructor(info: InformerInfo, clock: Clock) {
    this.info = Object.freeze(info)
    this.#clock = clock
  }

  get counts(): Counts {
    return { ...this.#counts }
  }

  /** For how long there has always been something in the queue, in milliseconds. */
  get behindMs(): number {
    return this.#busySince === undefined ? 0 : this.#clock.monotonic() - this.#busySince
  }

  started(): void {
    this.#startedAt = this.#clock.monotonic()
  }

  synced(objects: number): void {
    if (!syncs.hasSubscribers) return
    const durationMs = this.#clock.monotonic() - this.#startedAt
    syncs.publish({ informer: this.info, durationMs, objects } satisfies InformerSyncedEvent)
  }

  listed(resourceVersion: string, startedAt: number, outcome: { items: number } | { error: unknown }): void {
    this.#count('lists', 'error' in outcome)
    if (!lists.hasSubscribers) return
    lists.publish({
      informer: this.info,
      resourceVersion,
      durationMs: this.#clock.monotonic() - startedAt,
      items: 'items' in outcome ? outcome.items : undefined,
      error: 'error' in outcome ? outcome.error : undefined,
    } satisfies InformerListEvent)
  }

  watched(resourceVersion: string, startedAt: number, error: unknown): void {
    this.#count('watches', error !== undefined)
    if (!watches.hasSubscribers) return
    const durationMs = this.#clock.monotonic() - startedAt
    watches.publish({ informer: this.info, resourceVersion, durationMs, error } satisfies InformerWatchEvent)
  }

  /** The queue was empty, and is not any more. */
  busy(): void {
    this.#busySince = this.#clock.monotonic()
  }

  /** The queue is empty. */
  idle(): void {
    this.#busySince = undefined
  }

  /** An entry is about to be applied. @returns called when it is, where somebody wants to know. */
  applying(delta: Delta<unknown>): ((queued: number, resourceVersion: string) => void) | undefined {
    this.#counts[countOf[delta.type]]++
    if (!changes.hasSubscribers) return undefined
    const start = this.#clock.monotonic()
    return (queued, resourceVersion) =>
      changes.publish({
        informer: this.info,
        type: delta.type,
        key: 'key' in delta ? delta.key : undefined,
        durationMs: this.#clock.monotonic() - start,
        queued,
        resourceVersion,
      } satisfies InformerChangeEvent)
  }

  backlog(handler: string, pending: number, runningMs: number | undefined): void {
    if (!backlogs.hasSubscribers) return
    backlogs.publish({ informer: this.info, handler, pending, runningMs } satisfies InformerBacklogEvent)
  }

  #count(what: 'lists' | 'watches', failed: boolean): void {
    this.#counts[what]++
    if (failed) this.#counts.failures++
  }
}

const countOf: Readonly<Record<Delta<unknown>['type'], keyof Counts>> = {
  Added: 'added',
  Updated: 'updated',
  Deleted: 'deleted',
  ReplacedAll: 'replaced',
  SyncAll: 'resyncs',
  Bookmark: 'bookmarks',
}
