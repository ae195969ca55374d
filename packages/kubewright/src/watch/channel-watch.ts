// A watch whose events come from within this program.

import type { KubernetesObject, Watch, WatchEvent } from '../meta/index.js'
import { EventChannel } from './event-channel.js'

export interface ChannelWatchOptions {
  /** How many events wait for the reader; 0: each is handed over. */
  capacity: number
  /** Told once that it has been stopped, or its reader has left. */
  onStop?: (() => void) | undefined
}

export class ChannelWatch<T = KubernetesObject> implements Watch<T> {
  readonly channel: EventChannel<WatchEvent<T>>
  readonly #onStop: (() => void) | undefined
  #iterated = false
  #stopped = false

  constructor({ capacity, onStop }: ChannelWatchOptions) {
    this.channel = new EventChannel(capacity)
    this.#onStop = onStop
  }

  get isStopped(): boolean {
    return this.#stopped
  }

  /** Ends it; what waits for the reader can still be read. */
  stop(): void {
    if (this.#stopped) return
    this.#stopped = true
    this.channel.close()
    this.#onStop?.()
  }

  [Symbol.asyncIterator](): AsyncIterator<WatchEvent<T>, undefined> {
    if (this.#iterated) throw new Error('a watch can be iterated once; start another watch')
    this.#iterated = true
    return {
      next: () => this.channel.receive(),
      return: async () => {
        this.channel.discard()
        this.stop()
        return { done: true, value: undefined }
      },
    }
  }
}
