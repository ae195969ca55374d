/// <reference lib="esnext.disposable" preserve="true" />
// Informers of any resource: of whole objects, and of their metadata alone.

import type { ListerWatcher } from '../cache/index.js'
import type { DynamicInterface } from '../dynamic/index.js'
import type { PartialObjectMetadata } from '../gen/api/meta/v1.js'
import { newGenericLister } from '../listers/index.js'
import type { GroupVersionKind, GroupVersionResource, Kind, KubernetesObject, Unstructured } from '../meta/index.js'
import type { MetadataInterface } from '../metadata/index.js'
import { InformerFactory, type SharedInformerFactoryOptions } from './informer-factory.js'
import type { GenericInformer } from './types.js'

/** A client that may be narrowed to a namespace. */
type Namespaceable = ListerWatcher & { namespace(namespace: string): ListerWatcher }

/** What both factories do: an informer for each resource, by its name or by its kind. */
abstract class AnyResourceInformerFactory extends InformerFactory {
  readonly #namespace: string

  protected constructor(options: SharedInformerFactoryOptions, client: DynamicInterface | MetadataInterface) {
    super(options, client.config?.logger)
    this.#namespace = options.namespace ?? ''
  }

  protected informerOf<T extends KubernetesObject>(
    of: Kind | GroupVersionResource,
    kind: GroupVersionKind | undefined,
    client: () => Namespaceable,
  ): GenericInformer<T> {
    const { group, version } = of
    const resource = { group, version, resource: 'resource' in of ? of.resource : of.plural }
    const isClusterScoped = 'plural' in of && !of.namespaced
    const namespaced = (): ListerWatcher => {
      const everywhere = client()
      return this.#namespace === '' || isClusterScoped ? everywhere : everywhere.namespace(this.#namespace)
    }
    const { informer } = this.entry({ resource, kind, client: namespaced })
    return { informer, lister: newGenericLister(informer.indexer) } as unknown as GenericInformer<T>
  }
}

/**
 * Informers of any resources, custom ones above all; one for each that is asked for.
 *
 * ```ts
 * const factory = new DynamicSharedInformerFactory(new DynamicClient(config), { namespace: 'default' })
 * const widgets = factory.forKind(Widget) // of defineResource: handlers and lister know its type
 * widgets.informer.addEventHandler({ onAdd: (widget) => console.log(widget.spec.size) })
 * factory.start({ signal })
 * await factory.waitForCacheSync({ signal })
 * console.log(widgets.lister.byNamespace('default').get('big'))
 * ```
 *
 * **Guarantees**: whoever asks for a resource gets the same informer, with one cache and one watch, by kind or by name.
 *
 * **Caveats**: what is asked for after `start` runs only once `start` is called again. With the option `namespace`, a
 * cluster-scoped resource can be had by its kind only: of a mere name nobody knows that it is one.
 */
export class DynamicSharedInformerFactory extends AnyResourceInformerFactory {
  readonly #client: DynamicInterface

  constructor(client: DynamicInterface, options: SharedInformerFactoryOptions = {}) {
    super(options, client)
    this.#client = client
  }

  /** The informer of a resource by its name: of objects whose type is not known. */
  forResource(resource: GroupVersionResource): GenericInformer<Unstructured> {
    return this.informerOf<Unstructured>(resource, undefined, () => this.#client.resource(resource))
  }

  /** The informer of a kind: of objects of its type. */
  forKind<T extends KubernetesObject>(kind: Kind<T, object>): GenericInformer<T> {
    return this.informerOf<T>(kind, kind, () => this.#client.resource(kind as Kind) as Namespaceable)
  }
}

/**
 * Informers of any resources that keep their objects' metadata only; one for each that is asked for.
 *
 * **Guarantees**, **Caveats**: as of {@link DynamicSharedInformerFactory}.
 */
export class MetadataSharedInformerFactory extends AnyResourceInformerFactory {
  readonly #client: MetadataInterface

  constructor(client: MetadataInterface, options: SharedInformerFactoryOptions = {}) {
    super(options, client)
    this.#client = client
  }

  /** The informer of a resource by its name. */
  forResource(resource: GroupVersionResource): GenericInformer<PartialObjectMetadata> {
    return this.informerOf(resource, undefined, () => this.#client.resource(resource) as Namespaceable)
  }

  /** The informer of a kind. */
  forKind(kind: Kind<KubernetesObject, object>): GenericInformer<PartialObjectMetadata> {
    return this.informerOf(kind, undefined, () => this.#client.resource(kind as Kind) as Namespaceable)
  }
}
