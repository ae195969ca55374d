// An informer as a factory keeps it: who needs it, what starts it, and what stops it.

import type { SharedIndexInformer } from '../cache/index.js'
import { whenAborted } from '../clock/index.js'
import type { BytesLister, GenericLister } from '../listers/index.js'
import type { Awaited } from './sync-result.js'

/** What an entry is made of. */
export interface EntryParts {
  /** Of the resource, for messages. */
  readonly name: string
  readonly informer: SharedIndexInformer
  readonly lister: GenericLister | BytesLister
  /** Which fields it keeps, as text. */
  readonly fields: string
}

export class InformerEntry implements Awaited {
  readonly name: string
  readonly informer: SharedIndexInformer
  readonly lister: GenericLister | BytesLister
  readonly fields: string
  /** An accessor gave it out: it stays for as long as the factory does. */
  isKept = false
  /** How many handles there are of it. */
  holders = 0
  /** Nobody needs it any more. */
  isReleased = false
  readonly #stop = new AbortController()
  #stopListening: (() => void) | undefined
  #running: Promise<void> | undefined

  constructor({ name, informer, lister, fields }: EntryParts) {
    this.name = name
    this.informer = informer
    this.lister = lister
    this.fields = fields
  }

  /** Resolves when it has stopped; undefined when it was never started. */
  get running(): Promise<void> | undefined {
    return this.#running
  }

  /** It has stopped, or is about to. */
  get isStopping(): boolean {
    return this.#stop.signal.aborted
  }

  hasSynced(): boolean {
    return this.informer.hasSynced()
  }

  /** As the informer's; but nobody waits for one that is not needed any more. */
  get synced(): Promise<void> {
    return this.informer.synced.catch((err: unknown) => {
      if (!this.isReleased) throw err
    })
  }

  /**
   * Starts it, if it is not running.
   *
   * @param signal stops it, unless there is one that does already. Absent: it runs until it is stopped.
   */
  start(signal: AbortSignal | undefined): void {
    if (signal && !this.#stopListening && !this.isStopping) {
      this.#stopListening = whenAborted(signal, () => this.#stop.abort(signal.reason))
      if (signal.aborted) this.#stop.abort(signal.reason)
    }
    this.#running ??= this.#run()
  }

  /** Stops it. Resolves when it has stopped, which it has where it was never started. Idempotent. */
  async stop(reason: Error): Promise<void> {
    this.#stop.abort(reason)
    await this.#running
  }

  async #run(): Promise<void> {
    await this.informer.run({ signal: this.#stop.signal })
    this.#stopListening?.()
  }
}
