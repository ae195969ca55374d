/// <reference lib="esnext.disposable" preserve="true" />
// One informer for each built-in resource, shared by all who ask for it.

import type { ListerWatcher, SharedIndexInformer } from '../cache/index.js'
import type { ClientsetInterface } from '../gen/clientset.js'
import type { InformersByGroupVersion } from '../gen/informers.js'
import { type GroupVersionFacts, type ResourceFacts, resourceTable } from '../gen/table.js'
import { newClusterLister, newGenericLister, newNamespacedLister } from '../listers/index.js'
import { formatGroupVersion, type GroupVersionResource, type Kind, type KubernetesObject } from '../meta/index.js'
import { InformerFactory, type SharedInformerFactoryOptions } from './informer-factory.js'
import type { ClusterInformer, GenericInformer, NamespacedInformer } from './types.js'

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
  forResource({ group, version, resource }: GroupVersionResource): GenericInformer {
    for (const [accessor, groupVersion] of Object.entries(resourceTable)) {
      if (groupVersion.group !== group || groupVersion.version !== version) continue
      for (const [method, facts] of Object.entries(groupVersion.resources)) {
        if (facts.plural !== resource || !isWatchable(facts)) continue
        const informer = this.#informer({ accessor, groupVersion, method, facts })
        return { informer, lister: newGenericLister(informer.indexer) }
      }
    }
    throw new Error(`no informer found for ${formatGroupVersion({ group, version })}, Resource=${resource}`)
  }

  /**
   * The informer of a built-in kind by its descriptor: `factory.forKind(Deployment)`.
   *
   * @throws Error when there is none, as `forResource` does.
   */
  forKind<T extends KubernetesObject>({ group, version, plural }: Kind<T, object>): GenericInformer<T> {
    return this.forResource({ group, version, resource: plural }) as unknown as GenericInformer<T>
  }

  #typedInformer(row: Row): TypedInformer {
    const informer = this.#informer(row)
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

  #informer(row: Row): SharedIndexInformer {
    const { group, version } = row.groupVersion
    const { plural, kind } = row.facts
    const resource = { group, version, resource: plural }
    return this.entry({ resource, kind: { group, version, kind }, client: () => this.#client(row) }).informer
  }

  #client({ accessor, method, facts: { namespaced } }: Row): ListerWatcher {
    const groupVersion = (this.#clientset as unknown as Record<string, Accessor>)[accessor]?.()
    const client = namespaced ? groupVersion?.[method]?.(this.#namespace) : groupVersion?.[method]?.()
    if (!client) throw new Error(`the clientset has no client ${accessor}().${method}(): its informer needs one`)
    return client
  }
}

function isWatchable({ methods }: ResourceFacts): boolean {
  return methods.includes('list') && methods.includes('watch')
}
