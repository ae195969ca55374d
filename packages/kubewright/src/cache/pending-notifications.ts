// What waits to be delivered to a handler; of each object no more than its latest state, once that is too much.

import type { DeepReadonly } from '../meta/index.js'
import { FifoQueue } from '../workqueue/index.js'
import { DeletedFinalStateUnknown, deletionHandlingMetaNamespaceKeyFunc } from './keys.js'

export type Notification<T> =
  | { readonly type: 'add'; readonly obj: DeepReadonly<T>; readonly isInInitialList: boolean }
  | { readonly type: 'update'; readonly oldObj: DeepReadonly<T>; readonly obj: DeepReadonly<T> }
  | { readonly type: 'delete'; readonly obj: DeepReadonly<T> | DeletedFinalStateUnknown<T> }

export interface PendingNotificationsOptions {
  /** With more than this, those of one object become one, until all are delivered. */
  limit: number
  /** Told of each object of the initial list that is not going to be delivered as such. */
  onInitialDropped: () => void
}

/**
 * First in, first out.
 *
 * **Guarantees**: above the limit, the notifications of an object are what lies between the state that was delivered of it and
 * its last one: an add and its updates are one add, updates one update from the first old state, updates and a deletion a
 * {@link DeletedFinalStateUnknown} with that state, an add and a deletion nothing. No more are held than the limit, or than
 * one for each object, whichever is more.
 */
export class PendingNotifications<T> {
  readonly #limit: number
  readonly #onInitialDropped: () => void
  #queue = new FifoQueue<Notification<T>>()
  /** By key, oldest first, while there are too many; the queue is empty then. */
  #byKey: Map<string, Notification<T>> | undefined
  /**
   * Over the map: it goes on to what is added meanwhile, so it has not ended while there is an entry. A new one would walk over
   * the places of all that was taken.
   */
  #oldest: Iterator<[string, Notification<T>]> | undefined
  #coalesced = 0

  constructor({ limit, onInitialDropped }: PendingNotificationsOptions) {
    this.#limit = limit
    this.#onInitialDropped = onInitialDropped
  }

  get length(): number {
    return this.#byKey?.size ?? this.#queue.length
  }

  /** How many became one with another, or nothing. */
  get coalesced(): number {
    return this.#coalesced
  }

  push(notification: Notification<T>): void {
    if (this.#byKey) {
      this.#merge(this.#byKey, notification)
      if (this.#byKey.size === 0) this.#leaveMap()
      return
    }
    this.#queue.push(notification)
    if (this.#queue.length <= this.#limit) return
    const byKey = new Map<string, Notification<T>>()
    this.#byKey = byKey
    while (this.#queue.length > 0) this.#merge(byKey, this.#queue.pop())
    if (byKey.size === 0) this.#leaveMap()
  }

  /** The oldest. Called only while there is one. */
  pop(): Notification<T> {
    const byKey = this.#byKey
    if (!byKey) return this.#queue.pop()
    this.#oldest ??= byKey.entries()
    const [key, notification] = this.#oldest.next().value as [string, Notification<T>]
    byKey.delete(key)
    if (byKey.size === 0) this.#leaveMap()
    return notification
  }

  clear(): void {
    this.#queue = new FifoQueue()
    this.#leaveMap()
  }

  #leaveMap(): void {
    this.#byKey = undefined
    this.#oldest = undefined
  }

  #merge(byKey: Map<string, Notification<T>>, newer: Notification<T>): void {
    const key = keyOf(newer)
    const older = byKey.get(key)
    if (!older) {
      byKey.set(key, newer)
      return
    }
    const merged = merge(older, newer)
    this.#coalesced += merged ? 1 : 2
    if (merged) byKey.set(key, merged)
    else byKey.delete(key)
    for (let n = initial(older) + initial(newer) - initial(merged); n > 0; n--) this.#onInitialDropped()
  }
}

/** One notification for two of an object; undefined where there is nothing to tell of. */
function merge<T>(older: Notification<T>, newer: Notification<T>): Notification<T> | undefined {
  switch (older.type) {
    case 'add':
      // Nobody was told that there was such an object.
      return newer.type === 'delete' ? undefined : { ...older, obj: newer.obj }
    case 'update':
      // Not in the state that it was deleted in, of which nobody was told: a filter may not know that.
      return newer.type === 'delete'
        ? { type: 'delete', obj: new DeletedFinalStateUnknown<T>(keyOf(newer), older.oldObj) }
        : { type: 'update', oldObj: older.oldObj, obj: newer.obj }
    case 'delete': {
      if (newer.type === 'delete') return older
      const last = older.obj instanceof DeletedFinalStateUnknown ? older.obj.obj : older.obj
      // As a list tells it that finds another object of the same name.
      return last === undefined ? newer : { type: 'update', oldObj: last, obj: newer.obj }
    }
  }
}

function keyOf<T>({ obj }: Notification<T>): string {
  return deletionHandlingMetaNamespaceKeyFunc(obj)
}

function initial(notification: Notification<unknown> | undefined): number {
  return notification?.type === 'add' && notification.isInInitialList ? 1 : 0
}
