/// <reference lib="esnext.disposable" preserve="true" />
// Informers of any resource: of whole objects, and of their metadata alone.

import type { ListerWatcher, ObjectRef } from '../cache/index.js'
import type { DynamicInterface } from '../dynamic/index.js'
import type { PartialObjectMetadata } from '../gen/api/meta/v1.js'
import type { BytesLister } from '../listers/index.js'
import type { GroupVersionResource, Kind, KubernetesObject, Unstructured } from '../meta/index.js'
import type { MetadataInterface } from '../metadata/index.js'
import { type EntryFacts, InformerFactory, resourceOf, type SharedInformerFactoryOptions } from './informer-factory.js'
import type { HoldOptions, InformerHandle } from './informer-handle.js'
import type { BytesStoreOptions, ObjectStoreOptions, StoreOptions } from './store-options.js'
import type { BytesInformer, GenericInformer } from './types.js'

/** A client that may be narrowed to a namespace. */
type Namespaceable = ListerWatcher & { namespace(namespace: string): ListerWatcher }

/** What both factories do: an informer for each resource, by its name or by its kind. */
abstract class AnyResourceInformerFactory extends InformerFactory {
  readonly #namespace: string

  protected constructor(options: SharedInformerFactoryOptions, client: DynamicInterface | MetadataInterface) {
    super(options, client.config?.logger)
    this.#namespace = options.namespace ?? ''
  }

  protected facts(of: Kind<KubernetesObject, object> | GroupVersionResource, client: () => Namespaceable): EntryFacts {
    const kind = 'plural' in of ? of : undefined
    const namespaced = (): ListerWatcher => {
      const everywhere = client()
      return this.#namespace === '' || kind?.namespaced === false ? everywhere : everywhere.namespace(this.#namespace)
    }
    return { resource: resourceOf(of), kind, namespaced: kind?.namespaced, client: namespaced }
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
  forResource(resource: GroupVersionResource, options: BytesStoreOptions): BytesInformer<Unstructured>
  forResource(resource: GroupVersionResource, options?: ObjectStoreOptions): GenericInformer<Unstructured>
  forResource(resource: GroupVersionResource, options?: StoreOptions): unknown {
    return this.informerOf(this.#facts(resource), options)
  }

  /** The informer of a kind: of objects of its type; or of their bytes. */
  forKind<T extends KubernetesObject>(kind: Kind<T, object>, options: BytesStoreOptions): BytesInformer<T>
  forKind<T extends KubernetesObject>(kind: Kind<T, object>, options?: ObjectStoreOptions): GenericInformer<T>
  forKind(kind: Kind<KubernetesObject, object>, options?: StoreOptions): unknown {
    return this.informerOf(this.#facts(kind), options)
  }

  /** The informer of a kind, or of a resource by its name, for as long as somebody needs it: as {@link SharedInformerFactory.acquire}. */
  acquire<T extends KubernetesObject = Unstructured>(
    of: Kind<T, object> | GroupVersionResource,
    options: BytesStoreOptions & HoldOptions,
  ): InformerHandle<ObjectRef<T>, BytesLister<T>>
  acquire<T extends KubernetesObject = Unstructured>(
    of: Kind<T, object> | GroupVersionResource,
    options?: ObjectStoreOptions & HoldOptions,
  ): InformerHandle<T>
  acquire(of: Kind<KubernetesObject, object> | GroupVersionResource, options?: StoreOptions & HoldOptions): unknown {
    return this.hold(this.#facts(of), options)
  }

  #facts(of: Kind<KubernetesObject, object> | GroupVersionResource): EntryFacts {
    return this.facts(of, () => this.#client.resource(of as Kind) as Namespaceable)
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
  forResource(resource: GroupVersionResource, options: BytesStoreOptions): BytesInformer<PartialObjectMetadata>
  forResource(resource: GroupVersionResource, options?: ObjectStoreOptions): GenericInformer<PartialObjectMetadata>
  forResource(resource: GroupVersionResource, options?: StoreOptions): unknown {
    return this.informerOf(this.#facts(resource), options)
  }

  /** The informer of a kind. */
  forKind(kind: Kind<KubernetesObject, object>, options: BytesStoreOptions): BytesInformer<PartialObjectMetadata>
  forKind(kind: Kind<KubernetesObject, object>, options?: ObjectStoreOptions): GenericInformer<PartialObjectMetadata>
  forKind(kind: Kind<KubernetesObject, object>, options?: StoreOptions): unknown {
    return this.informerOf(this.#facts(kind), options)
  }

  /** The informer of a kind, or of a resource by its name, for as long as somebody needs it: as {@link SharedInformerFactory.acquire}. */
  acquire(
    of: Kind<KubernetesObject, object> | GroupVersionResource,
    options: BytesStoreOptions & HoldOptions,
  ): InformerHandle<ObjectRef<PartialObjectMetadata>, BytesLister<PartialObjectMetadata>>
  acquire(
    of: Kind<KubernetesObject, object> | GroupVersionResource,
    options?: ObjectStoreOptions & HoldOptions,
  ): InformerHandle<PartialObjectMetadata>
  acquire(of: Kind<KubernetesObject, object> | GroupVersionResource, options?: StoreOptions & HoldOptions): unknown {
    return this.hold(this.#facts(of), options)
  }

  /** Of no kind: what is read is of PartialObjectMetadata; of servers that send objects in full no more is kept. */
  #facts(of: Kind<KubernetesObject, object> | GroupVersionResource): EntryFacts {
    const facts = this.facts(of, () => this.#client.resource(of))
    return { ...facts, kind: undefined, asBytes: { apiVersion: 'meta.k8s.io/v1', pick: ['metadata'] } }
  }
}
