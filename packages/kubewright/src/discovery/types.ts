// What discovery clients answer, and what they can be asked.

import type {
  APIResource,
  APIResourceList,
  GroupVersionForDiscovery,
  APIGroupList as WireGroupList,
} from '../gen/api/meta/v1.js'
import type { CallOptions } from '../meta/index.js'
import type { RESTClient } from '../rest/index.js'
import type { GroupDiscoveryFailedError } from './group-discovery-failed-error.js'
import type { OpenAPIV2Document } from './openapi/documents.js'
import type { OpenAPIClient } from './openapi/types.js'
import type { VersionInfo } from './version-info.js'

export type { APIResource, APIResourceList, GroupVersionForDiscovery }

/** The groups of a server. */
export type APIGroupList = WireGroupList

/**
 * A group and its versions. `preferredVersion` is absent when the server can say nothing of any version: all of them belong
 * to an aggregated server that is not there.
 */
export type APIGroup = APIGroupList['groups'][number]

/** What is known of resources. */
export interface ServerResources {
  /** One list a group-version, in the server's order of groups and versions. */
  readonly resources: APIResourceList[]
  /**
   * Which group-versions are missing, and why; undefined when `resources` is all there is. {@link throwIfFailed} makes it an
   * exception.
   */
  readonly failed?: GroupDiscoveryFailedError | undefined
}

/** What is known of groups and resources. `groups` has the groups whose resources are missing, too. */
export interface ServerGroupsAndResources extends ServerResources {
  readonly groups: APIGroup[]
}

/** The groups and, where the server tells both at once, the resources. */
export interface GroupsAndMaybeResources {
  readonly groupList: APIGroupList
  /** By group-version, such as `apps/v1` and `v1`. Undefined: to be asked for, one by one. */
  readonly resources: ReadonlyMap<string, APIResourceList> | undefined
  /** By group-version: what the server itself could not find out. */
  readonly failed: ReadonlyMap<string, Error>
}

/** Asking for groups. */
export interface ServerGroupsInterface {
  /**
   * The groups that the server has, with their versions. The core group is named `''` and is the first.
   *
   * @throws ApiError ({@link isForbidden} for users without the right), ConnectionError, RequestTimeoutError
   */
  serverGroups(opts?: CallOptions): Promise<APIGroupList>
}

/** Asking for resources. */
export interface ServerResourcesInterface {
  /**
   * The resources of a group-version: `apps/v1`, `v1`. Subresources are named `deployments/scale`. What has no name cannot be
   * asked for, and is left out.
   *
   * @throws ApiError: {@link isNotFound} when the server has no such group-version
   * @throws TypeError or Error, before anything is sent, for what is no group-version: it may lead to another path
   */
  serverResourcesForGroupVersion(groupVersion: string, opts?: CallOptions): Promise<APIResourceList>
  /**
   * All groups, and the resources of all their versions.
   *
   * **Guarantees**: what could be found out is there even when something is missing; see `failed`.
   *
   * @throws ApiError, ConnectionError, RequestTimeoutError when not even the groups are known
   */
  serverGroupsAndResources(opts?: CallOptions): Promise<ServerGroupsAndResources>
  /**
   * Each resource once, in the version that the server prefers or else the first that has it; no subresources. Lists may be
   * empty. Throws as {@link ServerResourcesInterface.serverGroupsAndResources}.
   */
  serverPreferredResources(opts?: CallOptions): Promise<ServerResources>
  /** As {@link ServerResourcesInterface.serverPreferredResources}, those that are in namespaces; no empty lists. */
  serverPreferredNamespacedResources(opts?: CallOptions): Promise<ServerResources>
}

/** Asking for the version. */
export interface ServerVersionInterface {
  /**
   * The server's version. Needs no permission on most clusters, so it is a good first question.
   *
   * @throws ApiError, ConnectionError, RequestTimeoutError
   */
  serverVersion(opts?: CallOptions): Promise<VersionInfo>
}

/** What a discovery client can be asked; fakes implement it too. `timeout` counts for each request of a call. */
export interface DiscoveryInterface extends ServerGroupsInterface, ServerResourcesInterface, ServerVersionInterface {
  /** What it asks through; fakes have none. */
  readonly restClient?: RESTClient | undefined
  /** The OpenAPI v2 (Swagger) document of the whole API. */
  openAPISchema(opts?: CallOptions): Promise<OpenAPIV2Document>
  /** The OpenAPI v3 documents, one a group-version. */
  openAPIV3(): OpenAPIClient
  /** A client of the same server that asks for the older form of discovery only; itself, where it has no such choice. */
  withLegacy(): DiscoveryInterface
}

/** A discovery client that may learn groups and resources with the same requests. */
export interface AggregatedDiscoveryInterface extends DiscoveryInterface {
  /** Throws as {@link ServerResourcesInterface.serverGroupsAndResources}. */
  groupsAndMaybeResources(opts?: CallOptions): Promise<GroupsAndMaybeResources>
}

/** A discovery client that remembers. */
export interface CachedDiscoveryInterface extends DiscoveryInterface {
  /** Whether what it answers is new enough that asking again is no use when something is not found. */
  fresh(): boolean
  /** From now on answers nothing that it knew before. */
  invalidate(): void
}
