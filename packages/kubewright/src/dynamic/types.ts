// What dynamic clients offer: the verbs on objects whose kind no type describes, and on kinds given as values.

import type { Scale, ScaleInput } from '../gen/api/autoscaling/v1.js'
import type { Status } from '../gen/api/meta/v1.js'
import type {
  ApplyConfiguration,
  DeletesCollection,
  Lists,
  Patches,
  PatchesScale,
  ResourceClient,
  Scales,
  StatusResourceClient,
  SubresourceOption,
  UpdatesStatus,
  Watches,
} from '../kubernetes/index.js'
import type {
  ApplyOptions,
  CreateOptions,
  DeepReadonly,
  DeleteOptions,
  GetOptions,
  GroupVersionResource,
  Kind,
  Unstructured,
  UnstructuredInput,
  UnstructuredList,
  UpdateOptions,
} from '../meta/index.js'
import type { Config } from '../rest/index.js'

/**
 * The verbs on a resource of which only the name is known. They are those of the typed clients, which say more of each;
 * `opts.subresource` sends a call to a subresource, whose kind is then what is read and written.
 *
 * **Caveats**: objects are sent as they are: `apiVersion` and `kind` are not filled in. Apply asks for both, and so do custom
 * resources.
 */
export interface DynamicResourceInterface
  extends UpdatesStatus<Unstructured, UnstructuredInput>,
    DeletesCollection,
    Lists<Unstructured, UnstructuredList>,
    Watches<Unstructured>,
    Patches<Unstructured> {
  /**
   * Creates an object, or with `opts.subresource` what is posted there, such as an `eviction`: then it needs a name.
   *
   * @throws ApiError: {@link isAlreadyExists}, {@link isInvalid}, {@link isForbidden}, …
   * @throws TypeError for a name or namespace that no path can have
   */
  create(obj: DeepReadonly<UnstructuredInput>, opts?: CreateOptions & SubresourceOption): Promise<Unstructured>
  /**
   * Replaces an object or its subresource. An old `metadata.resourceVersion` is a conflict, as `retryOnConflict` expects.
   *
   * @throws ApiError: {@link isConflict}, {@link isNotFound}, {@link isInvalid}, …
   * @throws TypeError when the object has no `metadata.name`
   */
  update(obj: DeepReadonly<UnstructuredInput>, opts?: UpdateOptions & SubresourceOption): Promise<Unstructured>
  /**
   * Deletes an object. Returns a Status when it is gone, or the object when it still has to go.
   *
   * @throws ApiError: {@link isNotFound}; {@link isConflict} when `opts.preconditions` are not met
   */
  delete(name: string, opts?: DeleteOptions & SubresourceOption): Promise<Unstructured | Status>
  /**
   * Reads an object or its subresource. What it returns is yours to change.
   *
   * @throws ApiError: {@link isNotFound}, {@link isForbidden}, …
   * @throws Error when the answer has no `kind`
   */
  get(name: string, opts?: GetOptions & SubresourceOption): Promise<Unstructured>
  /**
   * States the fields that `opts.fieldManager` wants, all of them.
   *
   * @throws ApiError: {@link isConflict} when another manager owns a field with another value and `opts.force` is not set
   * @throws TypeError when the configuration has no `metadata.name`, or has `managedFields`: then it was read, not made
   */
  apply(
    config: DeepReadonly<ApplyConfiguration<UnstructuredInput>>,
    opts: ApplyOptions & SubresourceOption,
  ): Promise<Unstructured>
  /** As `apply`, through the `status` subresource: only fields of the status count. */
  applyStatus(config: DeepReadonly<ApplyConfiguration<UnstructuredInput>>, opts: ApplyOptions): Promise<Unstructured>
}

/** A resource in all namespaces, or one that is in none. */
export interface NamespaceableResourceInterface extends DynamicResourceInterface {
  /** The resource in one namespace; in all of them for `''`. */
  namespace(namespace: string): DynamicResourceInterface
}

/** The verbs of a kind: of its objects' types, and those of status and scale where the kind has these subresources. */
export type KindClient<T extends object, W extends object, S extends string> = ('scale' extends S
  ? PatchesScale<Scale> & Scales<Scale, ScaleInput>
  : unknown) &
  ('status' extends S ? StatusResourceClient<T, W> : ResourceClient<T, W>)

/** A kind in all namespaces, or one that is in none. */
export type NamespaceableKindClient<T extends object, W extends object, S extends string> = KindClient<T, W, S> & {
  /** The kind in one namespace; in all of them for `''`. */
  namespace(namespace: string): KindClient<T, W, S>
}

/** What a dynamic client can be asked for; fakes implement it too. */
export interface DynamicInterface {
  /** What it talks to, and as whom. Fakes have none. */
  readonly config?: Config | undefined
  /** The client of a kind, built in or made with {@link defineResource}: typed as the kind is. */
  resource<T extends object, W extends object, S extends string>(kind: Kind<T, W, S>): NamespaceableKindClient<T, W, S>
  /** The client of a resource by its name. */
  resource(resource: GroupVersionResource): NamespaceableResourceInterface
}
