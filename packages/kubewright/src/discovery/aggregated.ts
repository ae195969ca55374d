// The aggregated form of discovery, one document for everything, as groups and lists of resources.

import type {
  APIGroupDiscovery,
  APIResourceDiscovery,
  APISubresourceDiscovery,
  APIVersionDiscovery,
} from '../gen/api/apidiscovery/v2.js'
import { formatGroupVersion } from '../meta/index.js'
import { type AggregatedDiscovery, kindOf, namesAndCategories, orNone, textOf, textsOf } from './decode.js'
import { StaleGroupVersionError } from './group-discovery-failed-error.js'
import type { APIGroup, APIGroupList, APIResource, APIResourceList, GroupsAndMaybeResources } from './types.js'

/**
 * Groups, their resources by group-version, and the group-versions that the server knows nothing new of, which are in none
 * of the other two.
 */
export function splitGroupsAndResources(
  discovery: AggregatedDiscovery,
): GroupsAndMaybeResources & { readonly resources: ReadonlyMap<string, APIResourceList> } {
  const groupList: APIGroupList = { kind: 'APIGroupList', apiVersion: 'v1', groups: [] }
  const resources = new Map<string, APIResourceList>()
  const failed = new Map<string, Error>()
  for (const item of orNone(discovery.items)) groupList.groups.push(splitGroup(item, resources, failed))
  return { groupList, resources, failed }
}

function splitGroup(
  { metadata, versions }: APIGroupDiscovery,
  resources: Map<string, APIResourceList>,
  failed: Map<string, Error>,
): APIGroup {
  const group: APIGroup = { name: textOf(metadata?.name), versions: [] }
  for (const version of orNone(versions)) {
    const name = textOf(version.version)
    const groupVersion = formatGroupVersion({ group: group.name, version: name })
    if (version.freshness === 'Stale') {
      failed.set(groupVersion, new StaleGroupVersionError(groupVersion))
      continue
    }
    const served = { groupVersion, version: name }
    group.versions.push(served)
    group.preferredVersion ??= served
    resources.set(groupVersion, resourceList(groupVersion, version))
  }
  return group
}

/** What has no name is left out: nothing can be asked of it. */
function resourceList(groupVersion: string, version: APIVersionDiscovery): APIResourceList {
  const named = orNone(version.resources).filter(({ resource }) => textOf(resource) !== '')
  const resources = named.flatMap((resource) => [
    ...resourceOf(resource),
    ...orNone(resource.subresources).flatMap((subresource) => subresourceOf(resource, subresource)),
  ])
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources }
}

/** None where it has no kind: then it is there for its subresources only. */
function resourceOf(resource: APIResourceDiscovery): APIResource[] {
  const kind = kindOf(resource)
  if (!kind) return []
  return [{ ...namesOf(resource), ...kind, verbs: textsOf(resource.verbs), ...namesAndCategories(resource) }]
}

function subresourceOf(parent: APIResourceDiscovery, subresource: APISubresourceDiscovery): APIResource[] {
  const kind = kindOf(subresource)
  const ownName = textOf(subresource.subresource)
  if (!kind || ownName === '') return []
  const { name, ...names } = namesOf(parent)
  return [{ name: `${name}/${ownName}`, ...names, ...kind, verbs: textsOf(subresource.verbs) }]
}

function namesOf({
  resource,
  singularResource,
  scope,
}: APIResourceDiscovery): Pick<APIResource, 'name' | 'singularName' | 'namespaced'> {
  return { name: textOf(resource), singularName: textOf(singularResource), namespaced: scope === 'Namespaced' }
}
