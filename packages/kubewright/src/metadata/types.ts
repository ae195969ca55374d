// What metadata clients offer: the verbs that need to know no more of an object than its metadata.

import type { PartialObjectMetadata, PartialObjectMetadataList, Status } from '../gen/api/meta/v1.js'
import type { DeletesCollection, Lists, SubresourceOption, Watches } from '../kubernetes/index.js'
import type {
  DeleteOptions,
  GetOptions,
  GroupVersionResource,
  Kind,
  KubernetesObject,
  Patch,
  PatchOptions,
} from '../meta/index.js'
import type { Config } from '../rest/index.js'

/** A list of metadata. */
export interface MetadataList extends PartialObjectMetadataList {}

/** The verbs on a resource of whose objects only the metadata is read. */
export interface MetadataResourceInterface
  extends DeletesCollection,
    Lists<PartialObjectMetadata, MetadataList>,
    Watches<PartialObjectMetadata> {
  /**
   * Reads an object's metadata, which is yours to change.
   *
   * @throws ApiError: {@link isNotFound}, {@link isForbidden}, …
   * @throws Error when the answer has no metadata
   */
  get(name: string, opts?: GetOptions & SubresourceOption): Promise<PartialObjectMetadata>
  /**
   * Patches an object, and returns its metadata: labels, annotations, finalizers and owners are what there is to patch.
   *
   * @throws ApiError: {@link isNotFound}, {@link isInvalid}; {@link isUnsupportedMediaType}
   */
  patch(name: string, patch: Patch, opts?: PatchOptions): Promise<PartialObjectMetadata>
  /**
   * Deletes an object. Returns a Status when it is gone, or the object, whole, when it still has to go.
   *
   * @throws ApiError: {@link isNotFound}; {@link isConflict} when `opts.preconditions` are not met
   */
  delete(name: string, opts?: DeleteOptions & SubresourceOption): Promise<KubernetesObject | Status>
}

/** A resource in all namespaces, or one that is in none. */
export interface NamespaceableMetadataInterface extends MetadataResourceInterface {
  /** The resource in one namespace; in all of them for `''`. */
  namespace(namespace: string): MetadataResourceInterface
}

/** What a metadata client can be asked for; fakes implement it too. */
export interface MetadataInterface {
  /** What it talks to, and as whom. Fakes have none. */
  readonly config?: Config | undefined
  /**
   * The client of a resource, by its name or by its kind.
   *
   * @throws TypeError when the name of group, version or resource can be none
   */
  resource(of: Kind | GroupVersionResource): NamespaceableMetadataInterface
}
