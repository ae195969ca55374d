/// <reference lib="esnext.disposable" preserve="true" />
// What all factories of informers do: keep one for each resource, start them, wait for them, end them.

import {
  type FieldFilterOptions,
  type HandlerErrorHandler,
  type ListerWatcher,
  newBytesInformer,
  SharedIndexInformer,
  type TransformFunc,
} from '../cache/index.js'
import type { Clock } from '../clock/index.js'
import { newBytesLister, newGenericLister } from '../listers/index.js'
import {
  formatGroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  type Kind,
  type KubernetesObject,
  type ListOptions,
} from '../meta/index.js'
import type { Logger } from '../rest/index.js'
import { type EntryParts, InformerEntry } from './informer-entry.js'
import { HeldInformer, type HoldOptions } from './informer-handle.js'
import type { BytesStoreOptions, StoreOptions } from './store-options.js'
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
  /**
   * Changes each object before it is stored: to drop what is not needed, say. May change it in place. Where bytes are kept,
   * each object is decoded and encoded again for it, which costs more than it saves: see `drop` and `pick`.
   */
  transform?: TransformFunc<KubernetesObject> | undefined
  /** Told what handlers throw. @defaultValue logs it */
  onHandlerError?: HandlerErrorHandler | undefined
  /**
   * Freezes each object before it is stored, where objects are kept.
   *
   * @defaultValue whether the environment variable `KUBE_CACHE_MUTATION_DETECTOR` is `true`
   */
  freeze?: boolean | undefined
  clock?: Clock | undefined
  /** @defaultValue that of the client's Config; without one, standard error */
  logger?: Logger | undefined
}

/** Which informer is meant, and where its objects come from. */
export interface EntryFacts {
  readonly resource: GroupVersionResource
  /** The kind of its objects, where that is known. */
  readonly kind: GroupVersionKind | undefined
  /** Undefined: not known. */
  readonly namespaced: boolean | undefined
  readonly client: () => ListerWatcher
  /** What its objects are as bytes, where these are not the resource's own. */
  readonly asBytes?: { readonly apiVersion: string; readonly pick: FieldFilterOptions['pick'] } | undefined
}

/** Starting, awaiting and ending the informers that were asked for. */
export abstract class InformerFactory {
  readonly #options: SharedInformerFactoryOptions
  readonly #logger: Logger | undefined
  readonly #entries = new Map<string, InformerEntry>()
  /** Those that nobody needs any more, until they have stopped. */
  readonly #leaving = new Set<Promise<void>>()
  /** The last one that was given to `start`. */
  #signal: AbortSignal | undefined
  #shuttingDown = false

  protected constructor(options: SharedInformerFactoryOptions, clientsLogger: Logger | undefined) {
    this.#options = options
    this.#logger = options.logger ?? clientsLogger
  }

  /**
   * Starts the informers that were asked for and are not running; returns at once. May be called again after more were
   * asked for. They run until the signal aborts. Without effect after `shutdown`.
   *
   * The signal also stops what is acquired, now and later.
   *
   * **Caveats**: as in client-go, an informer that a signal has stopped does not run again, with whatever signal: make another
   * factory.
   */
  start({ signal }: { signal: AbortSignal }): void {
    if (this.#shuttingDown) return
    this.#signal = signal
    for (const entry of this.#entries.values()) entry.start(signal)
  }

  /**
   * Waits until the informers that were started are synced, or the signal aborts. Never rejects: see the result.
   *
   * @returns which are synced; of started informers only, and none that was released meanwhile.
   */
  async waitForCacheSync({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<SyncResult> {
    const started = [...this.#entries.values()].filter((entry) => entry.running !== undefined)
    return SyncResult.of(started, signal)
  }

  /**
   * Waits until all informers have stopped. It does not stop them: abort the signal given to `start` first, or release
   * what was acquired before there was one. None can be started or acquired any more. Idempotent.
   */
  async shutdown(): Promise<void> {
    this.#shuttingDown = true
    await Promise.all([...[...this.#entries.values()].map(async (entry) => entry.running), ...this.#leaving])
  }

  /** Stops all informers, those that are held too, and waits until they have. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const entry of this.#entries.values()) void entry.stop(new Error('the factory of informers was disposed of'))
    await this.shutdown()
  }

  /** The informer of a resource: the one there is, or a new one. It stays for as long as the factory does. */
  protected informerOf(facts: EntryFacts, options: StoreOptions = {}): Pick<EntryParts, 'informer' | 'lister'> {
    const entry = this.#find(facts, options) ?? this.#add(facts, options)
    entry.isKept = true
    return { informer: entry.informer, lister: entry.lister }
  }

  /**
   * The informer of a resource for as long as somebody needs it, running.
   *
   * @throws the reason of the signal given to `start`, or to this, when it has aborted; Error after `shutdown`
   */
  protected hold(facts: EntryFacts, options: StoreOptions & HoldOptions = {}): HeldInformer {
    options.signal?.throwIfAborted()
    this.#signal?.throwIfAborted()
    if (this.#shuttingDown) throw new Error('the factory of informers is shut down: nothing can be acquired any more')
    const found = this.#find(facts, options)
    // What an earlier signal has stopped cannot run again.
    if (found?.isStopping) this.#leave(found.running)
    const entry = found && !found.isStopping ? found : this.#add(facts, options)
    entry.holders++
    entry.start(this.#signal)
    return new HeldInformer({ entry, letGo: () => this.#letGo(entry) }, options)
  }

  async #letGo(entry: InformerEntry): Promise<void> {
    entry.holders--
    if (entry.holders > 0 || entry.isKept) return
    entry.isReleased = true
    for (const [id, each] of this.#entries) if (each === entry) this.#entries.delete(id)
    const stopped = entry.stop(new Error(`nobody needs the informer of ${entry.name} any more`))
    this.#leave(stopped)
    await stopped
  }

  #leave(stopped: Promise<void> | undefined): void {
    if (!stopped) return
    this.#leaving.add(stopped)
    void stopped.then(() => this.#leaving.delete(stopped))
  }

  /** @throws Error when it keeps other fields */
  #find(facts: EntryFacts, options: StoreOptions): InformerEntry | undefined {
    const name = nameOf(facts.resource, options)
    const entry = this.#entries.get(name)
    if (entry && entry.fields !== fieldsOf(options)) {
      throw new Error(
        `the informer of ${name} keeps other fields than are asked for: drop and pick have to be those of whoever asked first`,
      )
    }
    return entry
  }

  #add(facts: EntryFacts, options: StoreOptions): InformerEntry {
    const name = nameOf(facts.resource, options)
    const entry = new InformerEntry({ name, fields: fieldsOf(options), ...this.#newInformer(name, facts, options) })
    this.#entries.set(name, entry)
    return entry
  }

  #newInformer(name: string, facts: EntryFacts, options: StoreOptions): Pick<EntryParts, 'informer' | 'lister'> {
    const { transform, tweakListOptions, onHandlerError, freeze, clock } = this.#options
    const { kind, namespaced } = facts
    const apiVersion = formatGroupVersion(kind ?? facts.resource)
    const common = {
      name,
      typeDescription: name,
      resyncPeriod: this.#resyncPeriod(kind),
      transform,
      tweakListOptions,
      onHandlerError,
      clock,
      logger: this.#logger,
    }
    if (isBytes(options)) {
      const { drop, pick = facts.asBytes?.pick } = options
      const type = { apiVersion: facts.asBytes?.apiVersion ?? apiVersion, kind: kind?.kind, namespaced }
      const informer = newBytesInformer(type, facts.client(), { ...common, drop, pick })
      return { informer: informer as unknown as SharedIndexInformer, lister: newBytesLister(informer.indexer) }
    }
    const informer = new SharedIndexInformer(facts.client(), {
      ...common,
      freeze,
      expectedKind: kind && { apiVersion, kind: kind.kind },
    })
    return { informer, lister: newGenericLister(informer.indexer) }
  }

  #resyncPeriod(kind: GroupVersionKind | undefined): number | undefined {
    for (const [custom, resyncPeriod] of this.#options.customResync ?? []) {
      if (custom.group === kind?.group && custom.version === kind.version && custom.kind === kind.kind) {
        return resyncPeriod
      }
    }
    return this.#options.resyncPeriod
  }
}

/** The resource, by its name, of a kind. */
export function resourceOf(of: Kind<KubernetesObject, object> | GroupVersionResource): GroupVersionResource {
  const { group, version } = of
  return { group, version, resource: 'resource' in of ? of.resource : of.plural }
}

function nameOf({ group, version, resource }: GroupVersionResource, options: StoreOptions): string {
  const name = [resource, version, group].filter((part) => part !== '').join('.')
  return isBytes(options) ? `${name} as bytes` : name
}

function isBytes(options: StoreOptions): options is BytesStoreOptions {
  return options.store === 'bytes'
}

function fieldsOf(options: StoreOptions): string {
  return isBytes(options) ? JSON.stringify([options.drop, options.pick]) : ''
}
