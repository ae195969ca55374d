// One handler: its buffer of notifications, its delivery, and when it is due for a resync.

import type { Clock } from '../clock/index.js'
import type { ResourceEventHandler } from './event-handler.js'
import type { HandlerStatistics } from './informer-statistics.js'
import { deletionHandlingMetaNamespaceKeyFunc } from './keys.js'
import { type Notification, PendingNotifications } from './pending-notifications.js'
import { Slices } from './slices.js'
import type { Syncable } from './synced.js'
import { SingleFileTracker } from './synctrack.js'

export type { Notification }

/** Told what a handler threw, or rejected with, and about which change. */
export type HandlerErrorHandler = (err: unknown, event: { type: 'add' | 'update' | 'delete'; key: string }) => void

/** A handler's place at an informer. */
export interface ResourceEventHandlerRegistration extends Syncable {
  /** Whether the informer is synced, and the handler is done with all objects of the initial list. */
  hasSynced(): boolean
}

export interface ProcessorListenerOptions<T> {
  handler: ResourceEventHandler<T>
  /** For statistics and messages. */
  name: string
  /** As wished for by whoever added it; 0: none. */
  requestedResyncPeriod: number
  /** As it is granted. */
  resyncPeriod: number
  /** With more pending than this, those of one object become one. */
  maxPending: number
  onError: HandlerErrorHandler
  /** Told when so many notifications are pending, and have been for a while; again whenever there are twice as many. */
  backlogWarning: number
  onBacklog: (handler: HandlerStatistics) => void
  clock: Clock
  /** Aborts when all handlers stop. */
  signal: AbortSignal
}

/** A long list makes many notifications at once: who deals with them within this time, in milliseconds, is not behind. */
const backlogMs = 10_000

export class ProcessorListener<T> implements ResourceEventHandlerRegistration {
  readonly requestedResyncPeriod: number
  readonly #name: string
  readonly #handler: ResourceEventHandler<T>
  readonly #onError: HandlerErrorHandler
  readonly #clock: Clock
  readonly #slices: Slices
  readonly #pending: PendingNotifications<T>
  readonly #initialList = new SingleFileTracker()
  #resyncPeriod: number
  #nextResyncAt: number
  #delivering: Promise<void> | undefined
  #stopped = false
  #delivered = 0
  #failed = 0
  /** When the call was made whose promise is pending, and since when there has been something to deliver. */
  #runningSince: number | undefined
  #busySince: number | undefined
  readonly #backlogWarning: number
  readonly #onBacklog: (handler: HandlerStatistics) => void
  #nextWarning: number

  constructor(options: ProcessorListenerOptions<T>) {
    this.requestedResyncPeriod = options.requestedResyncPeriod
    this.#handler = options.handler
    this.#name = options.name
    this.#onError = options.onError
    this.#backlogWarning = options.backlogWarning
    this.#onBacklog = options.onBacklog
    this.#nextWarning = options.backlogWarning
    this.#pending = new PendingNotifications({
      limit: options.maxPending,
      onInitialDropped: () => this.#initialList.finished(),
    })
    this.#clock = options.clock
    this.#slices = new Slices(options)
    this.#resyncPeriod = options.resyncPeriod
    this.#nextResyncAt = options.clock.monotonic() + options.resyncPeriod
  }

  get synced(): Promise<void> {
    return this.#initialList.synced
  }

  hasSynced(): boolean {
    return this.#initialList.hasSynced()
  }

  /** Buffers a notification; it is delivered later, never before this returns. */
  add(notification: Notification<T>): void {
    if (this.#stopped) return
    if (notification.type === 'add' && notification.isInInitialList) this.#initialList.start()
    this.#pending.push(notification)
    if (this.#pending.length > this.#nextWarning) this.#warn()
    this.#delivering ??= Promise.resolve().then(() => this.#deliver())
  }

  /** The informer is synced: no more objects of the initial list will come. */
  upstreamHasSynced(): void {
    this.#initialList.upstreamHasSynced()
  }

  setResyncPeriod(resyncPeriod: number): void {
    this.#resyncPeriod = resyncPeriod
  }

  statistics(): HandlerStatistics {
    const now = this.#clock.monotonic()
    const since = (start: number | undefined): number | undefined => (start === undefined ? undefined : now - start)
    return {
      name: this.#name,
      pending: this.#pending.length,
      coalesced: this.#pending.coalesced,
      delivered: this.#delivered,
      failed: this.#failed,
      runningMs: since(this.#runningSince),
      behindMs: since(this.#busySince) ?? 0,
    }
  }

  /** Whether it is due for a resync; if so, the time of the next one is set. */
  takeResync(): boolean {
    const now = this.#clock.monotonic()
    if (this.#resyncPeriod === 0 || now < this.#nextResyncAt) return false
    this.#nextResyncAt = now + this.#resyncPeriod
    return true
  }

  /** Drops what is not delivered. Resolves when the handler is done with what it has. Idempotent. */
  async stop(reason: string): Promise<void> {
    this.#stopped = true
    this.#pending.clear()
    this.#initialList.stop(new Error(`${reason} before its initial list was handled`))
    await this.#delivering
  }

  async #deliver(): Promise<void> {
    this.#slices.restart()
    this.#busySince = this.#clock.monotonic()
    while (this.#pending.length > 0) {
      const next = this.#pending.pop()
      try {
        const result = this.#call(next)
        if (isThenable(result)) {
          this.#runningSince = this.#clock.monotonic()
          await result
        }
      } catch (err) {
        this.#failed++
        this.#report(err, next)
      }
      this.#runningSince = undefined
      this.#delivered++
      if (next.type === 'add' && next.isInInitialList) this.#initialList.finished()
      const pause = this.#slices.breathe()
      // The pause is cut short when all handlers stop; the buffer is empty then.
      if (pause) await pause.catch(() => {})
    }
    this.#busySince = undefined
    this.#nextWarning = this.#backlogWarning
    this.#delivering = undefined
  }

  #warn(): void {
    const statistics = this.statistics()
    if (statistics.behindMs < backlogMs) return
    this.#nextWarning = 2 * this.#pending.length
    this.#onBacklog(statistics)
  }

  #call(notification: Notification<T>): unknown {
    switch (notification.type) {
      case 'add':
        return this.#handler.onAdd?.(notification.obj, notification.isInInitialList)
      case 'update':
        return this.#handler.onUpdate?.(notification.oldObj, notification.obj)
      case 'delete':
        return this.#handler.onDelete?.(notification.obj)
    }
  }

  #report(err: unknown, { type, obj }: Notification<T>): void {
    try {
      this.#onError(err, { type, key: deletionHandlingMetaNamespaceKeyFunc(obj) })
    } catch {
      // A hook that fails must not end the delivery, and there is nobody left to tell.
    }
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | undefined)?.then === 'function'
}
