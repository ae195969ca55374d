/// <reference lib="esnext.disposable" preserve="true" />
// One informer for each resource, shared by all who ask for it.

import {
  type HandlerErrorHandler,
  type ListerWatcher,
  SharedIndexInformer,
  type TransformFunc,
} from '../cache/index.js'
import { type Clock, whenAborted } from '../clock/index.js'
import type { ClientsetInterface } from '../gen/clientset.js'
import type { InformersByGroupVersion } from '../gen/informers.js'
import { type GroupVersionFacts, type ResourceFacts, resourceTable } from '../gen/table.js'
import { newClusterLister, newGenericLister, newNamespacedLister } from '../listers/index.js'
import {
  formatGroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  type KubernetesObject,
  type ListOptions,
} from '../meta/index.js'
import type { Logger } from '../rest/index.js'
import { SyncResult } from './sync-result.js'
import { tweakedListerWatcher } from './tweaked-lister-watcher.js'
import type { ClusterInformer, GenericInformer, NamespacedInformer } from './types.js'

/** Options of a {@link SharedInformerFactory}. */
export interface SharedInformerFactoryOptions {
  /** Milliseconds between resyncs, for handlers that do not say otherwise. @defaultValue 0: none */
  resyncPeriod?: number | undefined
  /** Resync periods of single kinds, in milliseconds: `new Map([[Deployment, 60_000]])`. */
  customResync?: Iterable<readonly [kind: GroupVersionKind, resyncPeriod: number]> | undefined
  /** Sees this namespace only; cluster-scoped resources are seen as a whole. @defaultValue all */
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
  /** @defaultValue that of the clientset's Config; without one, standard error */
  logger?: Logger | undefined
}

/** An informer, as the factory keeps it. */
interface Entry {
  readonly name: string
  readonly informer: SharedIndexInformer
  /** Informer and lister, as its accessor gives them. */
  readonly typed: ClusterInformer<KubernetesObject> | NamespacedInformer<KubernetesObject, string>
  readonly generic: GenericInformer
  running: Promise<void> | undefined
}

type Accessor = () => Record<string, (namespace?: string) => ListerWatcher>

/** An accessor for each group-version, `factory.appsV1()`, and in it a method for each resource, `.deployments()`. */
export interface SharedInformerFactory extends InformersByGroupVersion {}

/**
 * Informers of the built-in resources, one for each that is asked for.
 *
 * ```ts
 * const factory = new SharedInformerFactory(clientset, { resyncPeriod: 10 * 60_000 })
 * const deployments = factory.appsV1().deployments()
 * deployments.informer.addEventHandler({ onAdd: (d) => console.log(d.metadata.name) })
 * factory.start({ signal })
 * await factory.waitForCacheSync({ signal })
 * ```
 *
 * **Guarantees**: whoever asks for a resource gets the same informer, with one cache and one watch.
 *
 * **Caveats**: what is asked for after {@link SharedInformerFactory.start} runs only once `start` is called again.
 */
export class SharedInformerFactory {
  readonly #clientset: ClientsetInterface
  readonly #options: SharedInformerFactoryOptions
  readonly #entries = new Map<string, Entry>()
  readonly #disposed = new AbortController()
  #shuttingDown = false

  constructor(clientset: ClientsetInterface, options: SharedInformerFactoryOptions = {}) {
    this.#clientset = clientset
    this.#options = options
    for (const [accessor, groupVersion] of Object.entries(resourceTable)) {
      const informers: Record<string, () => Entry['typed']> = {}
      for (const [method, facts] of Object.entries(groupVersion.resources)) {
        if (isWatchable(facts)) informers[method] = () => this.#entry(accessor, groupVersion, method, facts).typed
      }
      Object.defineProperty(this, accessor, { value: () => informers })
    }
  }

  /**
   * The informer of a built-in resource by its name, with an untyped lister.
   *
   * @throws Error when there is none.
   */
  forResource({ group, version, resource }: GroupVersionResource): GenericInformer {
    for (const [accessor, groupVersion] of Object.entries(resourceTable)) {
      if (groupVersion.group !== group || groupVersion.version !== version) continue
      for (const [method, facts] of Object.entries(groupVersion.resources)) {
        if (facts.plural === resource && isWatchable(facts)) {
          return this.#entry(accessor, groupVersion, method, facts).generic
        }
      }
    }
    throw new Error(`no informer found for ${formatGroupVersion({ group, version })}, Resource=${resource}`)
  }

  /**
   * Starts the informers that were asked for and are not running; returns at once. May be called again after more were
   * asked for. They run until the signal aborts. Without effect after {@link SharedInformerFactory.shutdown}.
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

  #entry(accessor: string, groupVersion: GroupVersionFacts, method: string, facts: ResourceFacts): Entry {
    const { group, version } = groupVersion
    const name = [facts.plural, version, group].filter((part) => part !== '').join('.')
    let entry = this.#entries.get(name)
    if (!entry) {
      entry = this.#newEntry(name, { group, version, kind: facts.kind }, this.#client(accessor, method, facts), {
        method,
        namespaced: facts.namespaced,
      })
      this.#entries.set(name, entry)
    }
    return entry
  }

  #newEntry(
    name: string,
    kind: GroupVersionKind,
    listerWatcher: ListerWatcher,
    { method, namespaced }: { method: string; namespaced: boolean },
  ): Entry {
    const { transform, onHandlerError, clock, logger = this.#clientset.config?.logger } = this.#options
    const informer = new SharedIndexInformer(listerWatcher, {
      name,
      typeDescription: name,
      expectedKind: { apiVersion: formatGroupVersion(kind), kind: kind.kind },
      resyncPeriod: this.#resyncPeriod(kind),
      onHandlerError,
      clock,
      logger,
    })
    if (transform) informer.setTransform(transform)
    const { indexer } = informer
    const typed = namespaced
      ? { informer, lister: newNamespacedLister(indexer, method) }
      : { informer, lister: newClusterLister(indexer) }
    return { name, informer, typed, generic: { informer, lister: newGenericLister(indexer) }, running: undefined }
  }

  #client(accessor: string, method: string, { namespaced }: ResourceFacts): ListerWatcher {
    const { namespace = '', tweakListOptions } = this.#options
    const groupVersion = (this.#clientset as unknown as Record<string, Accessor>)[accessor]?.()
    const client = namespaced ? groupVersion?.[method]?.(namespace) : groupVersion?.[method]?.()
    if (!client) throw new Error(`the clientset has no client ${accessor}().${method}(): its informer needs one`)
    return tweakListOptions ? tweakedListerWatcher(client, tweakListOptions) : client
  }

  #resyncPeriod(kind: GroupVersionKind): number | undefined {
    for (const [custom, resyncPeriod] of this.#options.customResync ?? []) {
      if (custom.group === kind.group && custom.version === kind.version && custom.kind === kind.kind) {
        return resyncPeriod
      }
    }
    return this.#options.resyncPeriod
  }
}

function isWatchable({ methods }: ResourceFacts): boolean {
  return methods.includes('list') && methods.includes('watch')
}
