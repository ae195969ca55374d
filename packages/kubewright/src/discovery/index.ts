// kubewright/discovery: what a server is and offers.
export { splitGroupsAndResources } from './aggregated.js'
export { computeDiscoverCacheDir, defaultCacheDir } from './cache-dir.js'
export {
  CachedDiscoveryClient,
  type CachedDiscoveryClientForConfigOptions,
  type CachedDiscoveryClientOptions,
} from './cached-discovery-client.js'
export { contentTypeIsGVK } from './content-type.js'
export type { AggregatedDiscovery } from './decode.js'
export { DiscoveryClient, type DiscoveryClientOptions } from './discovery-client.js'
export {
  GroupDiscoveryFailedError,
  groupDiscoveryFailedErrorGroups,
  isGroupDiscoveryFailedError,
  StaleGroupVersionError,
  throwIfFailed,
} from './group-discovery-failed-error.js'
export {
  filteredBy,
  groupVersionResources,
  isResourceEnabled,
  matchesServerVersion,
  type ResourcePredicate,
  serverSupportsVersion,
  supportsAllVerbs,
} from './helpers.js'
export { type CacheTransportOptions, newCacheTransport } from './http-cache.js'
export {
  CacheNotFoundError,
  EmptyResponseError,
  MemCacheClient,
  type MemCacheClientOptions,
} from './mem-cache-client.js'
export { newCachedOpenAPIClient } from './openapi/cached.js'
export { newOpenAPIClient } from './openapi/client.js'
export type { OpenAPIV2Document, OpenAPIV3Document } from './openapi/documents.js'
export { OpenAPIGroupVersionNotFoundError, OpenAPIRoot } from './openapi/root.js'
export { contentTypeOpenAPIV3PB, type OpenAPIClient, type OpenAPIGroupVersion } from './openapi/types.js'
export {
  serverGroupsAndResources,
  serverPreferredNamespacedResources,
  serverPreferredResources,
} from './server-resources.js'
export { isTransientError } from './transient-error.js'
export type {
  AggregatedDiscoveryInterface,
  APIGroup,
  APIGroupList,
  APIResource,
  APIResourceList,
  CachedDiscoveryInterface,
  DiscoveryInterface,
  GroupsAndMaybeResources,
  GroupVersionForDiscovery,
  ServerGroupsAndResources,
  ServerGroupsInterface,
  ServerResources,
  ServerResourcesInterface,
  ServerVersionInterface,
} from './types.js'
export type { VersionInfo } from './version-info.js'
