/// <reference lib="esnext.disposable" preserve="true" />
// Holding an informer for a while: whoever is the last to let go of it stops it.

import type {
  HandlerOptions,
  ResourceEventHandler,
  ResourceEventHandlerRegistration,
  SharedIndexInformer,
  Syncable,
} from '../cache/index.js'
import { abortable, whenAborted } from '../clock/index.js'
import type { GenericLister } from '../listers/index.js'
import type { KubernetesObject } from '../meta/index.js'
import type { InformerEntry } from './informer-entry.js'

/** Options of holding an informer. */
export interface HoldOptions {
  /** Releases the handle when it aborts. */
  readonly signal?: AbortSignal | undefined
}

/**
 * An informer that somebody needs, from `acquire` to {@link InformerHandle.release}. It runs as long as there is a handle of
 * it. `T` is what its cache holds, `L` its lister.
 *
 * **Guarantees**: after `release` no handler that was added through the handle is called. When the last one has resolved, the
 * watch is closed, and nothing of informer and cache is left in factory and handle.
 */
export interface InformerHandle<T extends KubernetesObject = KubernetesObject, L = GenericLister<T>> extends Syncable {
  /** @throws Error when the handle was released */
  readonly informer: SharedIndexInformer<T>
  /** @throws Error when the handle was released */
  readonly lister: L
  /**
   * Adds a handler for as long as the handle is held. One that is added to `informer` itself goes with the informer.
   *
   * @throws as {@link SharedIndexInformer.addEventHandler} does; Error when the handle was released
   */
  addEventHandler(handler: ResourceEventHandler<T>, options?: HandlerOptions): ResourceEventHandlerRegistration
  /**
   * Lets go. Whoever is the last to do so stops the informer; who acquires after that has a new one, at once. Idempotent.
   *
   * @returns resolves when the handle's handlers are done with what they have, and, for the last one, the informer has
   *   stopped. Never rejects.
   *
   * **Caveats**: a handler that awaits this of its own handle waits for ever.
   */
  release(): Promise<void>
  /** Releases, and waits: `await using pods = factory.acquire(Pod)`. */
  [Symbol.asyncDispose](): Promise<void>
  /** Releases, and does not wait. */
  [Symbol.dispose](): void
}

/** What is held, until it is released. */
interface Hold {
  readonly entry: InformerEntry
  /** One holder less. Resolves when that has stopped what nobody needs. */
  readonly letGo: () => Promise<void>
}

export class HeldInformer implements InformerHandle<KubernetesObject, unknown> {
  readonly synced: Promise<void>
  readonly #name: string
  readonly #end = new AbortController()
  readonly #registrations = new Set<ResourceEventHandlerRegistration>()
  readonly #stopListening: (() => void) | undefined
  #hold: Hold | undefined
  #released: Promise<void> | undefined

  constructor(hold: Hold, { signal }: HoldOptions) {
    this.#hold = hold
    this.#name = hold.entry.name
    this.synced = abortable(hold.entry.informer.synced, this.#end.signal)
    // Nobody has to wait for it.
    this.synced.catch(() => {})
    this.#stopListening = signal && whenAborted(signal, () => void this.release())
  }

  get informer(): SharedIndexInformer {
    return this.#held().entry.informer
  }

  get lister(): unknown {
    return this.#held().entry.lister
  }

  hasSynced(): boolean {
    return this.#hold?.entry.hasSynced() ?? false
  }

  addEventHandler(
    handler: ResourceEventHandler<KubernetesObject>,
    options?: HandlerOptions,
  ): ResourceEventHandlerRegistration {
    const registration = this.informer.addEventHandler(handler, options)
    this.#registrations.add(registration)
    return registration
  }

  release(): Promise<void> {
    this.#released ??= this.#release(this.#held())
    return this.#released
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.release()
  }

  [Symbol.dispose](): void {
    void this.release()
  }

  async #release({ entry: { informer }, letGo }: Hold): Promise<void> {
    this.#hold = undefined
    this.#stopListening?.()
    this.#end.abort(new Error(`the handle of ${this.#name} was released before its informer synced`))
    const handlers = [...this.#registrations].map((registration) => informer.shutDownEventHandler(registration))
    this.#registrations.clear()
    await Promise.all([...handlers, letGo()])
  }

  #held(): Hold {
    if (this.#hold) return this.#hold
    throw new Error(`the handle of ${this.#name} was released: acquire another one`)
  }
}
