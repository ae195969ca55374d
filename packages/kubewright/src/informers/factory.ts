/// <reference lib="esnext.disposable" preserve="true" />
// One informer for each built-in resource, shared by all who ask for it.

import type { ListerWatcher, ObjectRef, SharedIndexInformer } from '../cache/index.js'
import type { ClientsetInterface } from '../gen/clientset.js'
import type { InformersByGroupVersion } from '../gen/informers.js'
import { type GroupVersionFacts, type ResourceFacts, resourceTable } from '../gen/table.js'
import { type BytesLister, newClusterLister, newNamespacedLister } from '../listers/index.js'
import { formatGroupVersion, type GroupVersionResource, type Kind, type KubernetesObject } from '../meta/index.js'
import { type EntryFacts, InformerFactory, resourceOf, type SharedInformerFactoryOptions } from './informer-factory.js'
import type { HoldOptions, InformerHandle } from './informer-handle.js'
import type { BytesStoreOptions, ObjectStoreOptions, StoreOptions } from './store-options.js'
import type { BytesInformer, ClusterInformer, GenericInformer, NamespacedInformer } from './types.js'

/** Informer and lister, as an accessor gives them. */
type TypedInformer = ClusterInformer<KubernetesObject> | NamespacedInformer<KubernetesObject, string>

type Accessor = () => Record<string, (namespace?: string) => ListerWatcher>

/** A row of the table, with where it stands. */
interface Row {
  readonly accessor: string
  readonly groupVersion: GroupVersionFacts
  readonly method: string
  readonly facts: ResourceFacts
}

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
export class SharedInformerFactory extends InformerFactory {
  readonly #clientset: ClientsetInterface
  readonly #namespace: string
  readonly #typed = new Map<SharedIndexInformer, TypedInformer>()

  constructor(clientset: ClientsetInterface, options: SharedInformerFactoryOptions = {}) {
    super(options, clientset.config?.logger)
    this.#clientset = clientset
    this.#namespace = options.namespace ?? ''
    for (const [accessor, groupVersion] of Object.entries(resourceTable)) {
      const informers: Record<string, () => TypedInformer> = {}
      for (const [method, facts] of Object.entries(groupVersion.resources)) {
        if (isWatchable(facts)) informers[method] = () => this.#typedInformer({ accessor, groupVersion, method, facts })
      }
      Object.defineProperty(this, accessor, { value: () => informers })
    }
  }

  /**
   * The informer of a built-in resource by its name, with an untyped lister.
   *
   * @throws Error when there is none; a DynamicSharedInformerFactory has one for every resource.
   */
  forResource(resource: GroupVersionResource, options: BytesStoreOptions): BytesInformer
  forResource(resource: GroupVersionResource, options?: ObjectStoreOptions): GenericInformer
  forResource(resource: GroupVersionResource, options?: StoreOptions): unknown {
    return this.informerOf(this.#facts(findRow(resource)), options)
  }

  /**
   * The informer of a built-in kind by its descriptor: `factory.forKind(Deployment)`; of its bytes:
   * `factory.forKind(Pod, { store: 'bytes', drop: ['metadata.managedFields'] })`.
   *
   * @throws Error when there is none, as `forResource` does.
   */
  forKind<T extends KubernetesObject>(kind: Kind<T, object>, options: BytesStoreOptions): BytesInformer<T>
  forKind<T extends KubernetesObject>(kind: Kind<T, object>, options?: ObjectStoreOptions): GenericInformer<T>
  forKind(kind: Kind<KubernetesObject, object>, options?: StoreOptions): unknown {
    return this.informerOf(this.#facts(findRow(resourceOf(kind))), options)
  }

  /**
   * The informer of a built-in kind, or resource, for as long as somebody needs it: it is started at once, whether the factory
   * is or not, and stopped when whoever acquired it last releases it.
   *
   * ```ts
   * await using factory = new SharedInformerFactory(clientset)
   * await using pods = factory.acquire(Pod, { store: 'bytes' })
   * pods.addEventHandler({ onAdd: (ref) => console.log(ref.key) })
   * await pods.synced
   * ```
   *
   * **Caveats**: one that an accessor, `forKind` or `forResource` has given out is the same one, and stays.
   *
   * @throws Error when there is none, as `forResource` does, or after `shutdown`; the reason of a signal that has aborted, the
   *   one given to `start` too
   */
  acquire<T extends KubernetesObject = KubernetesObject>(
    of: Kind<T, object> | GroupVersionResource,
    options: BytesStoreOptions & HoldOptions,
  ): InformerHandle<ObjectRef<T>, BytesLister<T>>
  acquire<T extends KubernetesObject = KubernetesObject>(
    of: Kind<T, object> | GroupVersionResource,
    options?: ObjectStoreOptions & HoldOptions,
  ): InformerHandle<T>
  acquire(of: Kind<KubernetesObject, object> | GroupVersionResource, options?: StoreOptions & HoldOptions): unknown {
    return this.hold(this.#facts(findRow(resourceOf(of))), options)
  }

  #typedInformer(row: Row): TypedInformer {
    const { informer } = this.informerOf(this.#facts(row))
    let typed = this.#typed.get(informer)
    if (!typed) {
      const { indexer } = informer
      typed = row.facts.namespaced
        ? { informer, lister: newNamespacedLister(indexer, row.method) }
        : { informer, lister: newClusterLister(indexer) }
      this.#typed.set(informer, typed)
    }
    return typed
  }

  #facts(row: Row): EntryFacts {
    const { group, version } = row.groupVersion
    const { plural, kind, namespaced } = row.facts
    const resource = { group, version, resource: plural }
    return { resource, kind: { group, version, kind }, namespaced, client: () => this.#client(row) }
  }

  #client({ accessor, method, facts: { namespaced } }: Row): ListerWatcher {
    const groupVersion = (this.#clientset as unknown as Record<string, Accessor>)[accessor]?.()
    const client = namespaced ? groupVersion?.[method]?.(this.#namespace) : groupVersion?.[method]?.()
    if (!client) throw new Error(`the clientset has no client ${accessor}().${method}(): its informer needs one`)
    return client
  }
}

/** @throws Error when there is none */
function findRow({ group, version, resource }: GroupVersionResource): Row {
  for (const [accessor, groupVersion] of Object.entries(resourceTable)) {
    if (groupVersion.group !== group || groupVersion.version !== version) continue
    for (const [method, facts] of Object.entries(groupVersion.resources)) {
      if (facts.plural === resource && isWatchable(facts)) return { accessor, groupVersion, method, facts }
    }
  }
  throw new Error(`no informer found for ${formatGroupVersion({ group, version })}, Resource=${resource}`)
}

function isWatchable({ methods }: ResourceFacts): boolean {
  return methods.includes('list') && methods.includes('watch')
}
