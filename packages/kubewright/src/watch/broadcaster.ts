// One stream of events for many watches.

import type { KubernetesObject, Watch, WatchEvent } from '../meta/index.js'
import { FifoQueue } from '../workqueue/index.js'
import { ChannelWatch } from './channel-watch.js'

/** What happens to an event for a watch whose queue is full: it waits, and all events after it with it, or is dropped. */
export type FullChannelBehavior = 'wait' | 'drop'

/** Options of {@link Broadcaster}. */
export interface BroadcasterOptions {
  /** How many events of each watch wait for its reader. */
  queueLength: number
  /** What happens where that is not enough. */
  fullChannelBehavior: FullChannelBehavior
  /** How many events wait until all watches have room. @defaultValue 25 */
  incomingQueueLength?: number | undefined
}

interface Incoming<T> {
  readonly event: WatchEvent<T>
  readonly number: number
}

/** For bursts, where the watches have room most of the time. */
const defaultIncomingQueueLength = 25

/**
 * Gives every event to every watch.
 *
 * **Guarantees**
 * - Each watch gets the events in the order they were given, and only those given after it was made.
 * - With `'drop'`, a slow reader takes nothing from others, and delays nobody.
 */
export class Broadcaster<T = KubernetesObject> {
  readonly #queueLength: number
  readonly #drop: boolean
  readonly #incomingQueueLength: number
  readonly #incoming = new FifoQueue<Incoming<T>>()
  /** Calls of `action` that wait for room. */
  readonly #waiting = new FifoQueue<{ incoming: Incoming<T>; taken: () => void }>()
  /** Each with the number of the first event that it gets. */
  readonly #watchers = new Map<ChannelWatch<T>, number>()
  #nextNumber = 0
  /** The event that some watches have no room for yet. */
  #blocked = false
  #stopped = false
  #drained: (() => void) | undefined
  #shutdown: Promise<void> | undefined

  /** @throws RangeError when a length is no number, 0 or more. */
  constructor({
    queueLength,
    fullChannelBehavior,
    incomingQueueLength = defaultIncomingQueueLength,
  }: BroadcasterOptions) {
    for (const [name, value] of Object.entries({ queueLength, incomingQueueLength })) {
      if (!(value >= 0)) throw new RangeError(`the ${name} of a broadcaster is 0 or more: got ${value}`)
    }
    this.#queueLength = queueLength
    this.#drop = fullChannelBehavior === 'drop'
    this.#incomingQueueLength = incomingQueueLength
  }

  /**
   * A watch of all events from now on. Stop it when it is not read any more.
   *
   * @throws Error `broadcaster already stopped`
   */
  watch(): Watch<T> {
    return this.watchWithPrefix([])
  }

  /** As {@link Broadcaster.watch}, after some events that only this watch gets. They all have room in its queue. */
  watchWithPrefix(queuedEvents: readonly WatchEvent<T>[]): Watch<T> {
    this.#mustNotBeStopped()
    const watch: ChannelWatch<T> = new ChannelWatch<T>({
      capacity: queuedEvents.length > 0 ? Math.max(this.#queueLength, queuedEvents.length + 1) : this.#queueLength,
      onStop: () => this.#watchers.delete(watch),
    })
    for (const event of queuedEvents) watch.channel.trySend(event)
    this.#watchers.set(watch, this.#nextNumber)
    return watch
  }

  /**
   * Gives an event to all watches. Resolves once it is in the queue, at once if that has room.
   *
   * @throws Error `broadcaster already stopped`
   */
  async action(event: WatchEvent<T>): Promise<void> {
    this.#mustNotBeStopped()
    const incoming = { event, number: this.#nextNumber++ }
    if (this.#hasRoom()) return this.#accept(incoming)
    await new Promise<void>((taken) => this.#waiting.push({ incoming, taken }))
  }

  /**
   * Gives an event to all watches, or drops it where too many are waiting already.
   *
   * @returns whether it was given.
   * @throws Error `broadcaster already stopped`
   */
  actionOrDrop(event: WatchEvent<T>): boolean {
    this.#mustNotBeStopped()
    if (!this.#hasRoom()) return false
    this.#accept({ event, number: this.#nextNumber++ })
    return true
  }

  /**
   * Takes no more events, gives out those that are queued, and ends all watches; resolves then. Readers may not have read
   * them yet. Idempotent.
   *
   * **Caveats**: with `'wait'`, a watch that is full and not read keeps it from ending: stop that watch.
   */
  shutdown(): Promise<void> {
    this.#stopped = true
    this.#shutdown ??= new Promise<void>((resolve) => {
      this.#drained = resolve
      this.#pump()
    })
    return this.#shutdown
  }

  #mustNotBeStopped(): void {
    if (this.#stopped) throw new Error('broadcaster already stopped')
  }

  #hasRoom(): boolean {
    return !this.#blocked || this.#incoming.length < this.#incomingQueueLength
  }

  #accept(incoming: Incoming<T>): void {
    this.#incoming.push(incoming)
    this.#pump()
  }

  /** Gives out what can be given without waiting. */
  #pump(): void {
    while (!this.#blocked) {
      const next = this.#incoming.length > 0 ? this.#incoming.pop() : undefined
      const waiting = this.#waiting.length > 0 ? this.#waiting.pop() : undefined
      if (waiting) {
        this.#incoming.push(waiting.incoming)
        waiting.taken()
      }
      if (next) this.#distribute(next)
      else if (!waiting) break
    }
    if (this.#stopped && !this.#blocked) this.#end()
  }

  #distribute({ event, number }: Incoming<T>): void {
    const full: Promise<boolean>[] = []
    for (const [watch, from] of this.#watchers) {
      if (number < from || watch.channel.trySend(event) || this.#drop) continue
      full.push(watch.channel.send(event))
    }
    if (full.length === 0) return
    this.#blocked = true
    void Promise.all(full).then(() => {
      this.#blocked = false
      this.#pump()
    })
  }

  #end(): void {
    for (const watch of [...this.#watchers.keys()]) watch.stop()
    this.#drained?.()
  }
}
