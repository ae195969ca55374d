// The verbs of typed clients, one small interface a verb; generated code composes each resource's client of those it has.

import type { DiscoveryInterface } from '../discovery/index.js'
import type { Status } from '../gen/api/meta/v1.js'
import type {
  ApplyOptions,
  CreateOptions,
  DeepReadonly,
  DeleteOptions,
  GetOptions,
  KubernetesObject,
  ListOptions,
  Patch,
  PatchOptions,
  StoredList,
  UpdateOptions,
  Watch,
} from '../meta/index.js'
import type { Config, RESTClient } from '../rest/index.js'

type DeepPartial<T> = T extends readonly (infer U)[]
  ? DeepPartial<U>[]
  : T extends object
    ? { [K in keyof T]?: DeepPartial<T[K]> }
    : T

/**
 * What one manager wants of an object of the written type `W`: any of its fields, and always its name.
 *
 * `apiVersion`, `kind` and the client's namespace are filled in by `apply`.
 */
export type ApplyConfiguration<W extends object> = DeepPartial<Omit<W, 'metadata'>> & {
  metadata: ApplyMetadata<W>
}

type ApplyMetadata<W> = (W extends { metadata?: infer M } ? DeepPartial<NonNullable<M>> : unknown) & { name: string }

/** Creating objects of the written type `W`; the server answers with `T`. */
export interface Creates<T extends object, W extends object = T> {
  /**
   * Creates an object and returns it as stored: defaults filled in, `uid` and `resourceVersion` set.
   *
   * `metadata.name` or `metadata.generateName` is needed; `apiVersion` and `kind` are filled in where absent.
   *
   * @throws ApiError: {@link isAlreadyExists}, {@link isInvalid}, {@link isForbidden}, …
   */
  create(obj: DeepReadonly<W>, opts?: CreateOptions): Promise<T>
}

/** As {@link Creates}, of kinds whose status is written through a subresource: a status given here is lost. */
export interface CreatesWithoutStatus<T extends object, W extends object = T> {
  /**
   * Creates an object and returns it as stored: defaults filled in, `uid` and `resourceVersion` set.
   *
   * `metadata.name` or `metadata.generateName` is needed; `apiVersion` and `kind` are filled in where absent. A status
   * is none of what is created, so a literal cannot have one.
   *
   * @throws ApiError: {@link isAlreadyExists}, {@link isInvalid}, {@link isForbidden}, …
   */
  create(obj: DeepReadonly<Omit<W, 'status'>>, opts?: CreateOptions): Promise<T>
}

/** Replacing objects. */
export interface Updates<T extends object, W extends object = T> {
  /**
   * Replaces an object, its status excepted where the kind has a status subresource, and returns it as stored.
   *
   * The server compares `metadata.resourceVersion`: if the object changed since that version was read, the call fails
   * with a conflict; read it again and redo the change, as `retryOnConflict` does. An object without a version is
   * written whatever is stored, for the kinds that allow it.
   *
   * @throws ApiError: {@link isConflict}, {@link isNotFound}, {@link isInvalid}, …
   * @throws TypeError when the object has no `metadata.name`
   */
  update(obj: DeepReadonly<W>, opts?: UpdateOptions): Promise<T>
}

/** Replacing the status of objects. */
export interface UpdatesStatus<T extends object, W extends object = T> {
  /**
   * Replaces an object's status and nothing else, through the `status` subresource. Conflicts as `update` does.
   *
   * @throws ApiError: {@link isConflict}, {@link isNotFound}, {@link isInvalid}, …
   * @throws TypeError when the object has no `metadata.name`
   */
  updateStatus(obj: DeepReadonly<W>, opts?: UpdateOptions): Promise<T>
}

/** Deleting one object. */
export interface Deletes<T extends object> {
  /**
   * Deletes an object. Returns a Status when it is gone, or the object when it still has to go: finalizers are left or
   * its grace period runs, and `metadata.deletionTimestamp` is set.
   *
   * @throws ApiError: {@link isNotFound}; {@link isConflict} when `opts.preconditions` are not met
   */
  delete(name: string, opts?: DeleteOptions): Promise<T | Status>
}

/** Deleting many objects. */
export interface DeletesCollection {
  /**
   * Deletes every object that `listOpts` selects; without selectors, all of the namespace (or of the cluster). `signal` and
   * `timeout` may be in either; those of `opts` count first.
   *
   * **Caveats**: the server deletes one after the other and stops at the first failure; what was deleted stays deleted.
   */
  deleteCollection(opts?: DeleteOptions, listOpts?: ListOptions): Promise<Status>
}

/** Reading one object. */
export interface Gets<T extends object> {
  /**
   * Reads an object. What it returns is yours to change.
   *
   * @throws ApiError: {@link isNotFound}, {@link isForbidden}, …
   */
  get(name: string, opts?: GetOptions): Promise<T>
}

/** Reading many objects: lists of the type `L`. */
export interface Lists<T extends object, L extends object = StoredList<T>> {
  /**
   * Lists objects: of the client's namespace, or of all namespaces. Items carry `apiVersion` and `kind`.
   *
   * With `limit`, one page at most of that size; `metadata.continue` is then what the next call's `continue` takes.
   *
   * @throws ApiError: {@link isResourceExpired} when a continue token or version is too old
   */
  list(opts?: ListOptions): Promise<L>
}

/** Following changes. */
export interface Watches<T extends object> {
  /**
   * Follows changes from `opts.resourceVersion` on; resolves once the server has accepted the watch.
   *
   * **Caveats**: servers end watches after minutes, and a version can be too old (an `ERROR` event or an ApiError,
   * {@link isExpiredOrGone}). An informer deals with both.
   *
   * @example
   * ```ts
   * for await (const event of await clientset.coreV1().pods('default').watch()) console.log(event.type)
   * ```
   */
  watch(opts?: ListOptions): Promise<Watch<T>>
}

/** Changing some fields. */
export interface Patches<T extends object> {
  /**
   * Patches an object: with `jsonPatch`, `mergePatch`, `strategicMergePatch` or `applyPatch`. Without a
   * `resourceVersion` in the patch, no conflict is possible with the first three.
   *
   * `opts.subresource` patches that subresource and returns what it is: for `status`, `resize` or `ephemeralcontainers`
   * the object itself.
   *
   * **Caveats**: a subresource whose name the types do not know to be `scale`, a variable say, is typed as the object.
   *
   * @throws ApiError: {@link isNotFound}, {@link isInvalid}; {@link isUnsupportedMediaType} for a kind of patch that
   *   the resource does not take
   * @throws TypeError when the patch is none of those, but what one is made of
   */
  patch(name: string, patch: Patch, opts?: PatchOptions): Promise<T>
}

/** Changing the number of replicas alone. To stand before {@link Patches}, whose subresources are typed as the object. */
export interface PatchesScale<S extends object> {
  /**
   * Patches the number of replicas through the `scale` subresource, and returns the Scale.
   *
   * @throws ApiError: {@link isNotFound}, {@link isInvalid}
   */
  patch(name: string, patch: Patch, opts: PatchOptions & { subresource: 'scale' }): Promise<S>
}

/** Server-side apply. */
export interface Applies<T extends object, W extends object = T> {
  /**
   * States the fields that `opts.fieldManager` wants, all of them: the server creates the object or merges them in,
   * owns them for that manager, and removes the fields it owned before and no longer states.
   *
   * **Caveats**: make the configuration anew, of what you want; an object that was read carries `managedFields` and is
   * refused.
   *
   * @throws ApiError: {@link isConflict} when another manager owns a field with another value and `opts.force` is not set
   * @throws TypeError when the configuration has no `metadata.name`, or has `managedFields`: then it was read, not made
   */
  apply(config: DeepReadonly<ApplyConfiguration<W>>, opts: ApplyOptions): Promise<T>
}

/** Server-side apply of the status. */
export interface AppliesStatus<T extends object, W extends object = T> {
  /**
   * As `apply`, through the `status` subresource: only fields of the status count.
   *
   * @throws ApiError: {@link isConflict}, {@link isNotFound}
   * @throws TypeError when the configuration has no `metadata.name`
   */
  applyStatus(config: DeepReadonly<ApplyConfiguration<W>>, opts: ApplyOptions): Promise<T>
}

/** Reading how many replicas an object has; `S` is the Scale type. */
export interface GetsScale<S extends object> {
  /**
   * Reads the object's `scale` subresource.
   *
   * @throws ApiError: {@link isNotFound}, …
   */
  getScale(name: string, opts?: GetOptions): Promise<S>
}

/** Setting how many replicas an object has. */
export interface UpdatesScale<S extends object, SW extends object = S> {
  /**
   * Replaces the object's `scale` subresource: sets the number of replicas. Conflicts as `update` does.
   *
   * @throws ApiError: {@link isConflict}, {@link isNotFound}, {@link isInvalid}
   */
  updateScale(name: string, scale: DeepReadonly<SW>, opts?: UpdateOptions): Promise<S>
}

/** Server-side apply of the number of replicas. */
export interface AppliesScale<S extends object, SW extends object = S> {
  /**
   * As `apply`, through the `scale` subresource: `opts.fieldManager` owns the number of replicas from then on. The name
   * in the configuration is filled in where absent.
   *
   * **Caveats**: kube-apiserver 1.36 answers 500 for custom resources, which it cannot convert; `patch` with a merge patch and
   * `opts.subresource: 'scale'` does it.
   *
   * @throws ApiError: {@link isConflict}, {@link isNotFound}
   */
  applyScale(name: string, scale: DeepReadonly<DeepPartial<SW>>, opts: ApplyOptions): Promise<S>
}

/** All three scale verbs. */
export interface Scales<S extends object, SW extends object = S>
  extends GetsScale<S>,
    UpdatesScale<S, SW>,
    AppliesScale<S, SW> {}

/** Every verb that resources share, creating and the status ones excepted. */
interface SharedVerbs<T extends object, W extends object, L extends object>
  extends Updates<T, W>,
    Deletes<T>,
    DeletesCollection,
    Gets<T>,
    Lists<T, L>,
    Watches<T>,
    Patches<T>,
    Applies<T, W> {}

/** Every verb that resources share, status ones excepted. */
export interface ResourceClient<
  T extends object = KubernetesObject,
  W extends object = T,
  L extends object = StoredList<T>,
> extends Creates<T, W>,
    SharedVerbs<T, W, L> {}

/** As {@link ResourceClient}, for kinds with a status subresource. */
export interface StatusResourceClient<
  T extends object = KubernetesObject,
  W extends object = T,
  L extends object = StoredList<T>,
> extends CreatesWithoutStatus<T, W>,
    SharedVerbs<T, W, L>,
    UpdatesStatus<T, W>,
    AppliesStatus<T, W> {}

/** As {@link StatusResourceClient}, for kinds with a scale subresource too, of the type `S`. */
export type ScalableResourceClient<
  T extends object,
  W extends object,
  L extends object,
  S extends object,
> = PatchesScale<S> & StatusResourceClient<T, W, L>

/** The clients of one group-version's resources. */
export interface GroupVersionClient {
  /** The client they all send their requests through, for requests that no verb makes. */
  restClient(): RESTClient
}

/** What a clientset has beside the accessors of group-versions. */
export interface ClientsetBase {
  /** What it talks to, and as whom. Fakes have none. */
  readonly config?: Config | undefined
  /** What the server is and offers. */
  discovery(): DiscoveryInterface
}
