// Watches for tests, which bring what a test sends.

import type { Status } from '../gen/api/meta/v1.js'
import type { KubernetesObject, Watch, WatchEvent } from '../meta/index.js'
import { ChannelWatch } from './channel-watch.js'

/** Options of {@link FakeWatcher}. */
export interface FakeWatcherOptions {
  /** How many events wait for the reader. @defaultValue 0: each is handed over */
  channelSize?: number | undefined
}

abstract class TestWatch<T, R> implements Watch<T> {
  readonly #capacity: number
  #watch: ChannelWatch<T>

  constructor(capacity: number) {
    this.#capacity = capacity
    this.#watch = new ChannelWatch({ capacity })
  }

  /** Sends an ADDED event. */
  add(object: T): R {
    return this.send({ type: 'ADDED', object })
  }

  /** Sends a MODIFIED event. */
  modify(object: T): R {
    return this.send({ type: 'MODIFIED', object })
  }

  /** Sends a DELETED event, with the last state. */
  delete(object: T): R {
    return this.send({ type: 'DELETED', object })
  }

  /** Sends a BOOKMARK event. */
  bookmark(object: KubernetesObject): R {
    return this.send({ type: 'BOOKMARK', object })
  }

  /** Sends an ERROR event. */
  error(object: Status): R {
    return this.send({ type: 'ERROR', object })
  }

  /** Sends an event of any type, for table tests; also of types that there are not. */
  action(type: string, object: unknown): R {
    return this.send({ type, object } as WatchEvent<T>)
  }

  abstract send(event: WatchEvent<T>): R

  /** Ends the watch, as a server does too; what waits for the reader can still be read. */
  stop(): void {
    this.#watch.stop()
  }

  isStopped(): boolean {
    return this.#watch.isStopped
  }

  /** Makes it anew, to be read again. */
  reset(): void {
    this.#watch.stop()
    this.#watch = new ChannelWatch({ capacity: this.#capacity })
  }

  [Symbol.asyncIterator](): AsyncIterator<WatchEvent<T>> {
    return this.#watch[Symbol.asyncIterator]()
  }

  protected get channel(): ChannelWatch<T>['channel'] {
    return this.#watch.channel
  }
}

/**
 * A watch whose events a test sends; each sending resolves once the reader, or the channel, has taken the event: to true,
 * or to false when the watch was stopped before.
 */
export class FakeWatcher<T = KubernetesObject> extends TestWatch<T, Promise<boolean>> {
  /** @throws RangeError when `channelSize` is no number, 0 or more. */
  constructor({ channelSize = 0 }: FakeWatcherOptions = {}) {
    if (!(channelSize >= 0)) throw new RangeError(`the channelSize of a fake watcher is 0 or more: got ${channelSize}`)
    super(channelSize)
  }

  /** Sends an event. */
  send(event: WatchEvent<T>): Promise<boolean> {
    return this.channel.send(event)
  }
}

/** How many events of a {@link RaceFreeFakeWatcher} wait for the reader. */
const defaultChannelSize = 100

/**
 * A watch whose events a test sends without waiting. What is sent after its stop is dropped.
 *
 * Sending throws an Error `channel full` when a hundred events wait for the reader.
 */
export class RaceFreeFakeWatcher<T = KubernetesObject> extends TestWatch<T, void> {
  constructor() {
    super(defaultChannelSize)
  }

  /** Sends an event. @throws Error `channel full` */
  send(event: WatchEvent<T>): void {
    if (!this.isStopped() && !this.channel.trySend(event)) throw new Error('channel full')
  }
}
