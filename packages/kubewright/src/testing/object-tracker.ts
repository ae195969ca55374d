// The objects of a fake, and what an API server does with them; client-go's ObjectTracker.

import { type Clock, realClock } from '../clock/index.js'
import {
  type DeepReadonly,
  type DeleteOptions,
  deepCopy,
  goQuote,
  type KubernetesObject,
  type ListOptions,
  mapWatch,
  type NameGenerator,
  type Patch,
  simpleNameGenerator,
  type Unstructured,
  type UnstructuredInput,
  type Watch,
} from '../meta/index.js'
import { newBadRequest, newUnknownPath } from './api-errors.js'
import { markedForDeletion } from './delete-rules.js'
import { ListPages } from './list-pages.js'
import { filterOf } from './object-filter.js'
import { ObjectStore } from './object-store.js'
import { ObjectWriter } from './object-writer.js'
import { type ResourceInfo, ResourceRegistry } from './resources.js'
import { scaleOf } from './scale-subresource.js'
import type { ResourceOf, TrackedList, TrackerApplyOptions, TrackerWriteOptions } from './tracked.js'

/** What an {@link ObjectTracker} is made with. */
export interface ObjectTrackerOptions {
  /** The resources there are. */
  readonly resources?: ResourceRegistry | undefined
  /** Dates objects. @defaultValue the machine's */
  readonly clock?: Clock | undefined
  /** Of names for `generateName`. @defaultValue random ones */
  readonly nameGenerator?: NameGenerator | undefined
}

/**
 * Keeps objects by resource, namespace and name, and does with them what an API server does: versions, uids, names from
 * `generateName`, generations, managed fields, conflicts, the separation of the status, finalizers, selectors, pages.
 * Nothing is validated, and nothing has defaults but what the API always sends.
 *
 * **Guarantees**: what is given is copied, and what is given out is the caller's. Everything happens at once: no other event
 * comes between a check and a change, and a watch that starts at the version of a list misses nothing.
 *
 * **Caveats**: a resource that a server has in several versions (`autoscaling/v1` and `v2`) is several resources here, and
 * versions are counted for each resource by itself.
 */
export class ObjectTracker {
  readonly #resources: ResourceRegistry
  readonly #clock: Clock
  readonly #store: ObjectStore
  readonly #writer: ObjectWriter
  readonly #pages = new ListPages()
  #lastUID = 0

  constructor({ resources, clock = realClock, nameGenerator = simpleNameGenerator }: ObjectTrackerOptions = {}) {
    this.#resources = resources ?? new ResourceRegistry()
    this.#clock = clock
    this.#store = new ObjectStore(this.#resources)
    const newUID = (): string => `00000000-0000-4000-8000-${String(++this.#lastUID).padStart(12, '0')}`
    this.#writer = new ObjectWriter(this.#store, { clock, nameGenerator, newUID })
  }

  /**
   * Puts objects there as they are, status, uid and all; of a list, its items. What metadata they lack is filled in, and
   * versions are only ever raised. They have no managed fields but their own.
   *
   * @throws TypeError for a kind that is not known
   * @throws ApiError isAlreadyExists; isBadRequest for an object of a namespaced kind without a namespace
   */
  add(...objects: readonly DeepReadonly<object>[]): void {
    for (const object of objects) {
      const { kind, items } = object as { kind?: string; items?: unknown }
      if (kind?.endsWith('List') && Array.isArray(items)) {
        const { apiVersion } = object as KubernetesObject
        const itemKind = kind === 'List' ? undefined : kind.slice(0, -'List'.length)
        this.add(...items.map((item: object) => ({ ...(itemKind && { apiVersion, kind: itemKind }), ...item })))
      } else this.#writer.add(this.#resources.ofObject(object), object as UnstructuredInput)
    }
  }

  /** An object. @throws ApiError isNotFound */
  get<T extends object = Unstructured>(of: ResourceOf<T>, namespace: string, name: string): T {
    const info = this.info(of)
    return deepCopy(this.#store.live(info, namespace, name)) as T
  }

  /**
   * Objects, ordered by namespace and name. `''` is all namespaces.
   *
   * @throws ApiError isBadRequest for a selector that is none, isResourceExpired for a continue token that is not known
   */
  list<T extends object = Unstructured>(of: ResourceOf<T>, namespace: string, opts: ListOptions = {}): TrackedList<T> {
    const info = this.info(of)
    const collection = this.#store.of(info)
    const filter = filterOf(info, namespace, opts)
    const { items, version } = opts.continue
      ? this.#pages.get(opts.continue)
      : { items: collection.select(filter), version: collection.version }
    const limit = opts.limit ? opts.limit : items.length
    const rest = items.slice(limit)
    const isSelected = Boolean(opts.labelSelector || opts.fieldSelector)
    return {
      apiVersion: info.apiVersion,
      kind: info.listKind,
      metadata: {
        resourceVersion: String(version),
        ...(rest.length > 0 && { continue: this.#pages.keep({ items: rest, version }) }),
        ...(rest.length > 0 && !isSelected && { remainingItemCount: rest.length }),
      },
      items: items.slice(0, limit).map((item) => deepCopy(item)) as T[],
    }
  }

  /**
   * Creates an object; of a subresource, see {@link TrackerWriteOptions}. Gives what is stored.
   *
   * @throws ApiError isAlreadyExists, isBadRequest, isInvalid without a name
   */
  create<T extends object = Unstructured>(
    of: ResourceOf<T>,
    object: DeepReadonly<UnstructuredInput>,
    namespace: string,
    opts: TrackerWriteOptions = {},
  ): T {
    return this.#writer.create(this.info(of), object as UnstructuredInput, namespace, opts) as T
  }

  /**
   * Replaces an object, or what of it the subresource is. Gives what is stored; where nothing changes, nothing is.
   *
   * @throws ApiError isNotFound; isConflict when the object was read at another version; isBadRequest, isInvalid
   */
  update<T extends object = Unstructured>(
    of: ResourceOf<T>,
    object: DeepReadonly<UnstructuredInput>,
    namespace: string,
    opts: TrackerWriteOptions = {},
  ): T {
    return this.#writer.update(this.info(of), object as UnstructuredInput, namespace, opts) as T
  }

  /**
   * Changes an object by a patch: of `jsonPatch`, `mergePatch`, `strategicMergePatch`, `applyPatch`.
   *
   * @throws ApiError isNotFound; isConflict when the patch names another version; isInvalid, isBadRequest,
   * isUnsupportedMediaType for a strategic merge patch of a custom resource
   */
  patch<T extends object = Unstructured>(
    of: ResourceOf<T>,
    namespace: string,
    name: string,
    patch: Patch,
    opts: TrackerApplyOptions = {},
  ): T {
    return this.#writer.patch(this.info(of), namespace, name, patch, opts) as T
  }

  /**
   * Applies a configuration, as server-side apply does; creates the object where there is none.
   *
   * @throws ApiError isConflict when others own what would change and `force` is not set (see conflictsOf); isInvalid
   * without a `fieldManager`; isBadRequest
   */
  apply<T extends object = Unstructured>(
    of: ResourceOf<T>,
    config: DeepReadonly<UnstructuredInput>,
    namespace: string,
    opts: TrackerApplyOptions = {},
  ): T {
    const { name } = config.metadata ?? {}
    if (!name) throw newBadRequest('a configuration to apply has a metadata.name')
    return this.#writer.apply(this.info(of), namespace, name, config, opts) as T
  }

  /**
   * Deletes an object. One with finalizers, or a Pod that a node runs and has time to end, is only marked; it goes when
   * its last finalizer goes, and the Pod with a deletion of `gracePeriodSeconds: 0`. Gives the object's last state.
   *
   * @throws ApiError isNotFound; isConflict when a precondition does not hold
   */
  delete<T extends object = Unstructured>(
    of: ResourceOf<T>,
    namespace: string,
    name: string,
    opts: DeleteOptions = {},
  ): T {
    const info = this.info(of)
    const live = this.#store.live(info, namespace, name)
    const marked = markedForDeletion(info, live, opts, this.#clock)
    if (marked === live || opts.dryRun?.length) return deepCopy(marked ?? live) as T
    const collection = this.#store.of(info)
    return deepCopy(marked ? collection.store(marked) : collection.remove(live)) as T
  }

  /** Deletes all objects that the options of a list select, each as {@link delete} does. Gives their last states. */
  deleteCollection<T extends object = Unstructured>(
    of: ResourceOf<T>,
    namespace: string,
    opts: DeleteOptions = {},
    listOpts: ListOptions = {},
  ): TrackedList<T> {
    const list = this.list(of, namespace, listOpts) as TrackedList<Unstructured>
    const items = list.items.map(({ metadata }) => this.delete(of, metadata.namespace ?? '', metadata.name, opts))
    return { ...list, metadata: { resourceVersion: String(this.#store.of(this.info(of)).version) }, items }
  }

  /**
   * Watches from `resourceVersion` on. Without one, or from `'0'`, the objects there are come first, as ADDED.
   *
   * Any number of events wait for the reader.
   *
   * @throws ApiError isResourceExpired when what has happened since is forgotten; isBadRequest
   */
  watch<T extends object = Unstructured>(of: ResourceOf<T>, namespace: string, opts: ListOptions = {}): Watch<T> {
    return mapWatch(this.watchShared(of, namespace, opts), (object) => deepCopy(object)) as unknown as Watch<T>
  }

  /** As {@link watch}, of objects that are the tracker's own and are only to be read. */
  watchShared(
    of: ResourceOf<object>,
    namespace: string,
    { resourceVersion = '', ...opts }: ListOptions = {},
  ): Watch<Unstructured> {
    const info = this.info(of)
    const filter = filterOf(info, namespace, opts)
    if (!/^[0-9]*$/.test(resourceVersion)) {
      throw newBadRequest(`invalid resource version ${goQuote(resourceVersion)}: it is a whole number`)
    }
    const version = Number(resourceVersion)
    return this.#store.of(info).watch(filter, version === 0 ? undefined : version)
  }

  /**
   * Ends all watches of a resource and forgets what has happened, as a server does that restarts: who watches from a
   * version before is told that it is too old, and has to list again.
   */
  interruptWatches(of: ResourceOf<object>): void {
    this.#store.of(this.info(of)).interrupt()
  }

  /** The Scale of an object. @throws ApiError isNotFound */
  getScale(of: ResourceOf<object>, namespace: string, name: string): Unstructured {
    const info = this.info(of)
    return scaleOf(info, this.#store.live(info, namespace, name))
  }

  /** What is known of a resource. @throws ApiError isNotFound as of a path that the server does not have */
  info(of: ResourceOf<object>): ResourceInfo {
    const { group, version } = of
    const found = this.#resources.find({ group, version, resource: 'plural' in of ? of.plural : of.resource })
    if (found) return found
    throw newUnknownPath()
  }
}
