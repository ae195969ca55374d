// The objects of a fake, and what an API server does with them; client-go's ObjectTracker.

import { type Clock, realClock } from '../clock/index.js'
import type { CustomResourceDefinition } from '../gen/api/apiextensions/v1.js'
import {
  type DeepReadonly,
  type DeleteOptions,
  deepCopy,
  formatTime,
  type GroupVersionResource,
  goQuote,
  type Kind,
  type KubernetesObject,
  type ListMeta,
  type ListOptions,
  mapWatch,
  type NameGenerator,
  type Patch,
  parseFieldSelector,
  parseLabelSelector,
  simpleNameGenerator,
  type Unstructured,
  type UnstructuredInput,
  type Watch,
} from '../meta/index.js'
import {
  newAlreadyExists,
  newBadRequest,
  newConflict,
  newInvalid,
  newNotFound,
  newResourceExpired,
  newUnknownPath,
} from './api-errors.js'
import { applyPatchType, patchedObject } from './apply-patch.js'
import { Collection, type ObjectFilter } from './collection.js'
import { FieldManagers } from './field-managers.js'
import { fieldsOf, gracePeriodOf, selectableFields, unknownField } from './kind-rules.js'
import { type ResourceInfo, ResourceRegistry } from './resources.js'
import { patchedScale, scaleOf, withScale } from './scale-subresource.js'
import {
  type Identity,
  isUnchanged,
  prepareAdd,
  prepareCreate,
  prepareUpdate,
  received,
  staleObject,
} from './write-rules.js'

/** A resource: by its name, or by its kind, which gives its type. */
export type ResourceOf<T extends object> = Kind<T, object> | GroupVersionResource

/** Options of an {@link ObjectTracker}'s writes. */
export interface TrackerWriteOptions {
  /**
   * As which endpoint of the API: `''` the object itself, which does not write a status that has an endpoint of its own;
   * `'status'` only the status; `'scale'` a Scale.
   *
   * @defaultValue all of the object is written as it is, status included, whatever its version
   */
  readonly subresource?: string | undefined
  /** Who owns what is written. @defaultValue `unknown` */
  readonly fieldManager?: string | undefined
  /** `['All']`: nothing is stored. */
  readonly dryRun?: readonly string[] | undefined
}

/** Options of {@link ObjectTracker.apply} and of patches that apply. */
export interface TrackerApplyOptions extends TrackerWriteOptions {
  /** Takes fields from others instead of failing. */
  readonly force?: boolean | undefined
}

/** A list that a tracker gives. */
export interface TrackedList<T> {
  apiVersion: string
  kind: string
  metadata: ListMeta & { resourceVersion: string }
  items: T[]
}

/** What an {@link ObjectTracker} is made with. */
export interface ObjectTrackerOptions {
  /** The resources there are. */
  readonly resources?: ResourceRegistry | undefined
  /** Dates objects. @defaultValue the machine's */
  readonly clock?: Clock | undefined
  /** Of names for `generateName`. @defaultValue random ones */
  readonly nameGenerator?: NameGenerator | undefined
}

/** How many lists may wait for their next page to be asked for. */
const maxPagedLists = 100

interface PagedList {
  readonly items: readonly Unstructured[]
  readonly version: number
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
  readonly #managers: FieldManagers
  readonly #identity: Identity
  readonly #collections = new Map<string, Collection>()
  readonly #pages = new Map<string, PagedList>()
  #lastPage = 0
  #lastUID = 0

  constructor({ resources, clock = realClock, nameGenerator = simpleNameGenerator }: ObjectTrackerOptions = {}) {
    this.#resources = resources ?? new ResourceRegistry()
    this.#managers = new FieldManagers(clock)
    this.#identity = {
      clock,
      nameGenerator,
      newUID: () => `00000000-0000-4000-8000-${String(++this.#lastUID).padStart(12, '0')}`,
    }
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
      } else this.#add(object as UnstructuredInput)
    }
  }

  /** An object. @throws ApiError isNotFound */
  get<T extends object = Unstructured>(of: ResourceOf<T>, namespace: string, name: string): T {
    const info = this.info(of)
    return deepCopy(this.#live(info, namespace, name)) as T
  }

  /**
   * Objects, ordered by namespace and name. `''` is all namespaces.
   *
   * @throws ApiError isBadRequest for a selector that is none, isResourceExpired for a continue token that is not known
   */
  list<T extends object = Unstructured>(of: ResourceOf<T>, namespace: string, opts: ListOptions = {}): TrackedList<T> {
    const info = this.info(of)
    const collection = this.#collection(info)
    const filter = filterOf(info, namespace, opts)
    const { items, version } = opts.continue
      ? this.#page(opts.continue)
      : { items: collection.select(filter), version: collection.version }
    const limit = opts.limit ? opts.limit : items.length
    const rest = items.slice(limit)
    const isSelected = Boolean(opts.labelSelector || opts.fieldSelector)
    return {
      apiVersion: info.apiVersion,
      kind: info.listKind,
      metadata: {
        resourceVersion: String(version),
        ...(rest.length > 0 && { continue: this.#keepPage({ items: rest, version }) }),
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
    const info = this.info(of)
    const { subresource } = opts
    const given = received(info, object as UnstructuredInput, namespace)
    const prepared =
      subresource === undefined ? prepareAdd(info, given, this.#identity) : prepareCreate(info, given, this.#identity)
    if (this.#collection(info).get(namespace, prepared.metadata.name)) {
      throw newAlreadyExists(info, prepared.metadata.name)
    }
    const managed = this.#managers.update(info, undefined, prepared, opts)
    return this.#store(info, managed, opts) as T
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
    const info = this.info(of)
    if (opts.subresource === 'scale') return this.#updateScale(info, object as Unstructured, namespace, opts) as T
    const given = received(info, object as UnstructuredInput, namespace)
    const live = this.#live(info, namespace, given.metadata.name)
    return this.#update(info, live, given, opts) as T
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
    const info = this.info(of)
    if (patch.contentType === applyPatchType) return this.#applyNamed(info, namespace, name, patch.body, opts) as T
    const live = this.#live(info, namespace, name)
    if (opts.subresource === 'scale') {
      const scale = patchedObject(patchedScale(info), scaleOf(info, live), patch)
      return this.#updateScale(info, scale, namespace, opts) as T
    }
    const patched = patchedObject(info, live, patch)
    if (patched.metadata?.name !== name) {
      throw newBadRequest(
        `the name of the object (${patched.metadata?.name ?? ''}) does not match the name on the URL (${name})`,
      )
    }
    return this.#update(info, live, received(info, patched, namespace), opts) as T
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
    return this.#applyNamed(this.info(of), namespace, name, config, opts) as T
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
    const live = this.#live(info, namespace, name)
    checkPreconditions(info, live, opts)
    const grace = gracePeriodOf(info, live, opts.gracePeriodSeconds)
    const isDryRun = Boolean(opts.dryRun?.length)
    if (grace === 0 && !live.metadata.finalizers?.length) {
      return (isDryRun ? deepCopy(live) : deepCopy(this.#collection(info).remove(live))) as T
    }
    const { deletionTimestamp, deletionGracePeriodSeconds } = live.metadata
    if (deletionTimestamp !== undefined && (deletionGracePeriodSeconds ?? 0) <= grace) return deepCopy(live) as T
    const marked = deepCopy<Unstructured>(live)
    marked.metadata.deletionTimestamp = formatTime(this.#identity.clock.now() + grace * 1000)
    marked.metadata.deletionGracePeriodSeconds = grace
    if (deletionTimestamp === undefined && marked.metadata.generation) marked.metadata.generation++
    return (isDryRun ? marked : deepCopy(this.#collection(info).store(marked))) as T
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
    return {
      ...list,
      metadata: { resourceVersion: String(this.#collection(this.info(of)).version) },
      items: items,
    }
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
    return this.#collection(info).watch(filter, version === 0 ? undefined : version)
  }

  /**
   * Ends all watches of a resource and forgets what has happened, as a server does that restarts: who watches from a
   * version before is told that it is too old, and has to list again.
   */
  interruptWatches(of: ResourceOf<object>): void {
    this.#collection(this.info(of)).interrupt()
  }

  /** The Scale of an object. @throws ApiError isNotFound */
  getScale(of: ResourceOf<object>, namespace: string, name: string): Unstructured {
    const info = this.info(of)
    return scaleOf(info, this.#live(info, namespace, name))
  }

  /** What is known of a resource. @throws ApiError isNotFound as of a path that the server does not have */
  info(of: ResourceOf<object>): ResourceInfo {
    const { group, version } = of
    const found = this.#resources.find({ group, version, resource: 'plural' in of ? of.plural : of.resource })
    if (found) return found
    throw newUnknownPath()
  }

  #add(object: UnstructuredInput): void {
    const info = this.#resources.ofObject(object)
    const { namespace = '', resourceVersion = '' } = object.metadata ?? {}
    const prepared = prepareAdd(info, received(info, object, namespace), this.#identity)
    const collection = this.#collection(info)
    if (collection.get(namespace, prepared.metadata.name)) throw newAlreadyExists(info, prepared.metadata.name)
    const version = /^[1-9][0-9]{0,14}$/.test(resourceVersion) ? Number(resourceVersion) : 0
    this.#stored(info, collection.store(prepared, version))
  }

  #applyNamed(
    info: ResourceInfo,
    namespace: string,
    name: string,
    config: unknown,
    opts: TrackerApplyOptions,
  ): Unstructured {
    const { subresource, force = false, fieldManager } = opts
    if (!fieldManager) {
      const message = 'Required value: is required for apply patch'
      const options = { group: 'meta.k8s.io', kind: 'PatchOptions' }
      throw newInvalid(options, '', [{ field: 'fieldManager', reason: 'FieldValueRequired', message }])
    }
    const given = configOf(config, namespace, name)
    const live = this.#collection(info).get(namespace, name)
    if (subresource === 'scale') {
      const object = live ?? this.#live(info, namespace, name)
      const how = { fieldManager, clock: this.#identity.clock, apply: { force } }
      return this.#storeScale(info, object, withScale(info, object, given, how), opts)
    }
    if (!live && subresource) throw newNotFound(info, name)
    checkApplied(info, live, given)
    const applied = this.#managers.apply(info, live, given, opts)
    const whole = received(info, applied, namespace)
    if (live) return this.#storeOver(info, live, prepareUpdate(info, live, whole, rulesFor(subresource)), opts)
    delete (whole.metadata as { resourceVersion?: string }).resourceVersion
    const prepared =
      subresource === undefined ? prepareAdd(info, whole, this.#identity) : prepareCreate(info, whole, this.#identity)
    return this.#store(info, prepared, opts)
  }

  #update(info: ResourceInfo, live: Unstructured, given: Unstructured, opts: TrackerWriteOptions): Unstructured {
    const { subresource } = opts
    // What is known of a custom resource says that its updates name a version.
    const unconditional = subresource === undefined || info.builtIn || Boolean(info.anySubresource)
    if (subresource === undefined) delete (given.metadata as { resourceVersion?: string }).resourceVersion
    const prepared = prepareUpdate(info, live, given, { subresource, unconditional })
    const managed = this.#managers.update(info, live, prepared, opts)
    return this.#storeOver(info, live, managed, opts)
  }

  #updateScale(info: ResourceInfo, scale: Unstructured, namespace: string, opts: TrackerWriteOptions): Unstructured {
    const live = this.#live(info, namespace, scale.metadata?.name ?? '')
    const { resourceVersion } = scale.metadata
    if (resourceVersion && resourceVersion !== live.metadata.resourceVersion) {
      throw newConflict(info, live.metadata.name, staleObject)
    }
    const how = { fieldManager: opts.fieldManager ?? '', clock: this.#identity.clock }
    return this.#storeScale(info, live, withScale(info, live, scale, how), opts)
  }

  #storeScale(info: ResourceInfo, live: Unstructured, object: Unstructured, opts: TrackerWriteOptions): Unstructured {
    const written = prepareUpdate(info, live, object, rulesFor(undefined))
    return scaleOf(info, this.#storeOver(info, live, written, opts))
  }

  /** Stores a new object. */
  #store(info: ResourceInfo, object: Unstructured, { dryRun }: TrackerWriteOptions): Unstructured {
    if (dryRun?.length) return object
    return deepCopy<Unstructured>(this.#stored(info, this.#collection(info).store(object)))
  }

  /** Stores an object in the place of another: not if it is the same, and not for long if it is to be deleted. */
  #storeOver(
    info: ResourceInfo,
    live: Unstructured,
    object: Unstructured,
    { dryRun }: TrackerWriteOptions,
  ): Unstructured {
    if (isUnchanged(live, object)) return deepCopy<Unstructured>(live)
    if (dryRun?.length) return object
    const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata
    const collection = this.#collection(info)
    if (deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0 && finalizers.length === 0) {
      return deepCopy<Unstructured>(collection.remove(object))
    }
    return deepCopy<Unstructured>(this.#stored(info, collection.store(object)))
  }

  /** What follows from an object being there. */
  #stored(info: ResourceInfo, object: Unstructured): Unstructured {
    if (info.group === 'apiextensions.k8s.io' && info.kind === 'CustomResourceDefinition') {
      this.#resources.define(object as unknown as CustomResourceDefinition)
    }
    return object
  }

  #live(info: ResourceInfo, namespace: string, name: string): Unstructured {
    const found = this.#collection(info).get(namespace, name)
    if (found) return found
    throw newNotFound(info, name)
  }

  #collection({ group, version, resource }: ResourceInfo): Collection {
    const key = `${group}/${version}/${resource}`
    let collection = this.#collections.get(key)
    if (!collection) {
      collection = new Collection()
      this.#collections.set(key, collection)
    }
    return collection
  }

  #keepPage(list: PagedList): string {
    const token = btoa(JSON.stringify({ v: 'meta.k8s.io/v1', rv: list.version, page: ++this.#lastPage }))
    this.#pages.set(token, list)
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= maxPagedLists) break
      this.#pages.delete(oldest)
    }
    return token
  }

  #page(token: string): PagedList {
    const page = this.#pages.get(token)
    if (page) return page
    throw newResourceExpired(
      'The provided continue parameter is too old to display a consistent list result. You must start a new list without the continue parameter.',
    )
  }
}

const rulesFor = (subresource: string | undefined) => ({ subresource, unconditional: true })

function configOf(config: unknown, namespace: string, name: string): Unstructured {
  if (typeof config !== 'object' || config === null || Array.isArray(config)) {
    throw newBadRequest('what is applied is no object')
  }
  const given: Unstructured = deepCopy(config as Unstructured)
  const metadata = { ...given.metadata, name: given.metadata?.name ?? name }
  if (metadata.name !== name) {
    throw newBadRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`)
  }
  if (metadata.namespace && metadata.namespace !== namespace) {
    throw newBadRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  return { ...given, metadata }
}

/** A configuration may say which object, and at which version, it is for. */
function checkApplied(info: ResourceInfo, live: Unstructured | undefined, { metadata }: Unstructured): void {
  if (!live && metadata.uid) {
    const reason = `uid mismatch: the provided object specified uid ${metadata.uid}, and no existing object was found`
    throw newConflict(info, metadata.name, reason)
  }
  if (live && metadata.resourceVersion && metadata.resourceVersion !== live.metadata.resourceVersion) {
    throw newConflict(info, metadata.name, staleObject)
  }
}

function checkPreconditions(
  info: ResourceInfo,
  { metadata }: Unstructured,
  { preconditions = {} }: DeleteOptions,
): void {
  const { uid, resourceVersion } = preconditions
  // The server names the kind here.
  const kind = { group: info.group, resource: info.kind }
  if (uid !== undefined && uid !== metadata.uid) {
    const reason = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`
    throw newConflict(kind, metadata.name, reason)
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const reason = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`
    throw newConflict(kind, metadata.name, reason)
  }
}

/** What the options of a list or watch select. @throws ApiError isBadRequest */
function filterOf(info: ResourceInfo, namespace: string, opts: ListOptions): ObjectFilter {
  const labels = parsed(() => parseLabelSelector(opts.labelSelector ?? ''))
  const fields = parsed(() => parseFieldSelector(opts.fieldSelector ?? ''))
  const known = selectableFields(info, info.namespaced, info.selectableFields)
  const names = fields.requirements.map(({ field }) => field)
  for (const name of names) if (!known.includes(name)) throw newBadRequest(unknownField(info, name))
  return {
    namespace,
    matches: (object) =>
      labels.matches(object.metadata.labels) && (fields.empty || fields.matches(fieldsOf(info, object, names))),
  }
}

function parsed<R>(parse: () => R): R {
  try {
    return parse()
  } catch (err) {
    throw newBadRequest((err as Error).message)
  }
}
