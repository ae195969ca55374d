/// <reference lib="esnext.disposable" preserve="true" />
// What all factories of informers do: keep one for each resource, start them, wait for them, end them.

import {
  type HandlerErrorHandler,
  type ListerWatcher,
  SharedIndexInformer,
  type TransformFunc,
} from '../cache/index.js'
import { type Clock, whenAborted } from '../clock/index.js'
import {
  formatGroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  type KubernetesObject,
  type ListOptions,
} from '../meta/index.js'
import type { Logger } from '../rest/index.js'
import { SyncResult } from './sync-result.js'

/** Options of all factories of informers. */
export interface SharedInformerFactoryOptions {
  /** Milliseconds between resyncs, for handlers that do not say otherwise. @defaultValue 0: none */
  resyncPeriod?: number | undefined
  /** Resync periods of single kinds, in milliseconds: `new Map([[Deployment, 60_000]])`. */
  customResync?: Iterable<readonly [kind: GroupVersionKind, resyncPeriod: number]> | undefined
  /** Sees this namespace only; cluster-scoped kinds are seen as a whole. @defaultValue all */
  namespace?: string | undefined
  /**
   * Changes the options of every list and every watch, or returns those that differ: to add a selector, say. Called last, so it can
   * also spoil what the informer relies on, such as `resourceVersion`.
   */
  tweakListOptions?: ((options: ListOptions) => ListOptions | void) | undefined
  /** Changes each object before it is stored: to drop what is not needed, say. May change it in place. */
  transform?: TransformFunc<KubernetesObject> | undefined
  /** Told what handlers throw. @defaultValue logs it */
  onHandlerError?: HandlerErrorHandler | undefined
  clock?: Clock | undefined
  /** @defaultValue that of the client's Config; without one, standard error */
  logger?: Logger | undefined
}

/** An informer, as a factory keeps it. */
export interface Entry {
  readonly name: string
  readonly informer: SharedIndexInformer
  running: Promise<void> | undefined
}

/** Which informer is meant, and where its objects come from. */
export interface EntryFacts {
  readonly resource: GroupVersionResource
  /** The kind of its objects, where that is known. */
  readonly kind: GroupVersionKind | undefined
  readonly client: () => ListerWatcher
}

/** Starting, awaiting and ending the informers that were asked for. */
export abstract class InformerFactory {
  readonly #options: SharedInformerFactoryOptions
  readonly #logger: Logger | undefined
  readonly #entries = new Map<string, Entry>()
  readonly #disposed = new AbortController()
  #shuttingDown = false

  protected constructor(options: SharedInformerFactoryOptions, clientsLogger: Logger | undefined) {
    this.#options = options
    this.#logger = options.logger ?? clientsLogger
  }

  /**
   * Starts the informers that were asked for and are not running; returns at once. May be called again after more were
   * asked for. They run until the signal aborts. Without effect after `shutdown`.
   */
  start({ signal }: { signal: AbortSignal }): void {
    if (this.#shuttingDown) return
    for (const entry of this.#entries.values()) entry.running ??= this.#run(entry.informer, signal)
  }

  /**
   * Waits until the informers that were started are synced, or the signal aborts. Never rejects: see the result.
   *
   * @returns which are synced; of started informers only.
   */
  async waitForCacheSync({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<SyncResult> {
    const started = [...this.#entries.values()].filter((entry) => entry.running !== undefined)
    return SyncResult.of(
      started.map(({ name, informer }) => [name, informer] as const),
      signal,
    )
  }

  /**
   * Waits until all informers have stopped. It does not stop them: abort the signal given to `start` first. None can be
   * started any more. Idempotent.
   */
  async shutdown(): Promise<void> {
    this.#shuttingDown = true
    await Promise.all([...this.#entries.values()].map(async (entry) => entry.running))
  }

  /** Stops all informers, and waits until they have. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed.abort()
    await this.shutdown()
  }

  /** The informer of a resource: the one there is, or a new one. */
  protected entry({ resource, kind, client }: EntryFacts): Entry {
    const { group, version, resource: plural } = resource
    const name = [plural, version, group].filter((part) => part !== '').join('.')
    let entry = this.#entries.get(name)
    if (!entry) {
      entry = { name, informer: this.#newInformer(name, kind, client()), running: undefined }
      this.#entries.set(name, entry)
    }
    return entry
  }

  #newInformer(name: string, kind: GroupVersionKind | undefined, client: ListerWatcher): SharedIndexInformer {
    const { transform, tweakListOptions, onHandlerError, clock } = this.#options
    return new SharedIndexInformer(client, {
      name,
      typeDescription: name,
      expectedKind: kind && { apiVersion: formatGroupVersion(kind), kind: kind.kind },
      resyncPeriod: this.#resyncPeriod(kind),
      transform,
      tweakListOptions,
      onHandlerError,
      clock,
      logger: this.#logger,
    })
  }

  #resyncPeriod(kind: GroupVersionKind | undefined): number | undefined {
    for (const [custom, resyncPeriod] of this.#options.customResync ?? []) {
      if (custom.group === kind?.group && custom.version === kind.version && custom.kind === kind.kind) {
        return resyncPeriod
      }
    }
    return this.#options.resyncPeriod
  }

  /** Runs until either the caller's signal or the factory's own aborts. */
  async #run(informer: SharedIndexInformer, signal: AbortSignal): Promise<void> {
    const disposed = this.#disposed.signal
    const either = new AbortController()
    const stop = (): void => either.abort(signal.aborted ? signal.reason : disposed.reason)
    const stopListening = [signal, disposed].map((each) => whenAborted(each, stop))
    if (signal.aborted || disposed.aborted) stop()
    await informer.run({ signal: either.signal })
    for (const stopOne of stopListening) stopOne()
  }
}
