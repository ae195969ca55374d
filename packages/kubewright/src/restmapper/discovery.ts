// A mapper of what discovery found.

import type { APIGroup, APIResource, DiscoveryInterface } from '../discovery/index.js'
import type { GroupVersion } from '../meta/index.js'
import { DefaultRESTMapper } from './default-rest-mapper.js'
import { unsafeGuessKindToResource } from './guess.js'
import { IndexedRESTMapper } from './indexed-rest-mapper.js'
import { PriorityRESTMapper } from './priority-rest-mapper.js'
import { anyKind, anyResource, anyVersion, type MapperOptions, type RESTMapper } from './types.js'

/** A group and its resources. */
export interface APIGroupResources {
  readonly group: APIGroup
  /** By version: `v1`. */
  readonly versionedResources: ReadonlyMap<string, readonly APIResource[]>
}

/**
 * What a server has, as {@link newDiscoveryRESTMapper} wants it.
 *
 * **Caveats**: groups whose resources could not be found out have none; who has to know asks `serverGroupsAndResources`.
 *
 * @throws ApiError, ConnectionError, RequestTimeoutError when not even the groups are known
 */
export async function getAPIGroupResources(
  client: Pick<DiscoveryInterface, 'serverGroupsAndResources'>,
  opts: MapperOptions = {},
): Promise<APIGroupResources[]> {
  const { groups, resources } = await client.serverGroupsAndResources(opts)
  const lists = new Map(resources.map((list) => [list.groupVersion, list.resources]))
  return groups.map((group) => {
    const versionedResources = new Map<string, readonly APIResource[]>()
    for (const { version, groupVersion } of group.versions) {
      const list = lists.get(groupVersion)
      if (list) versionedResources.set(version, list)
    }
    return { group, versionedResources }
  })
}

/**
 * A mapper of what discovery found. Where several resources or kinds fit, it takes the core group's `v1`; else the first
 * group's; and in a group the preferred version, then the server's order.
 */
export function newDiscoveryRESTMapper(groupResources: readonly APIGroupResources[]): RESTMapper {
  const mappers: DefaultRESTMapper[] = []
  const order: GroupVersion[] = [{ group: '', version: 'v1' }]
  for (const { group, versionedResources } of groupResources) {
    const { name, versions, preferredVersion } = group
    const preferred = preferredVersion?.version ?? ''
    if (preferred !== '' && versionedResources.has(preferred)) order.push({ group: name, version: preferred })
    for (const { version } of versions) {
      const resources = versionedResources.get(version)
      if (!resources) continue
      if (version !== preferred) order.push({ group: name, version })
      mappers.push(versionMapper({ group: name, version }, resources))
    }
  }
  for (const { group } of groupResources) order.push({ group: group.name, version: anyVersion })
  return new PriorityRESTMapper(new IndexedRESTMapper(mappers), {
    resourcePriority: order.map((groupVersion) => ({ ...groupVersion, resource: anyResource })),
    kindPriority: order.map((groupVersion) => ({ ...groupVersion, kind: anyKind })),
  })
}

function versionMapper(gv: GroupVersion, resources: readonly APIResource[]): DefaultRESTMapper {
  const mapper = new DefaultRESTMapper([gv])
  for (const { name, singularName, namespaced, kind } of resources) {
    if (name.includes('/')) continue
    const gvk = { ...gv, kind }
    const plural = { ...gv, resource: name }
    const singular = singularName === '' ? unsafeGuessKindToResource(gvk).singular : { ...gv, resource: singularName }
    const scope = namespaced ? 'namespace' : 'root'
    // Kinds are found in lower case too; resources have the kind as it is written.
    mapper.addSpecific({ ...gv, kind: kind.toLowerCase() }, { plural, singular, scope })
    mapper.addSpecific(gvk, { plural, singular, scope })
    mapper.add({ ...gv, kind: `${kind}List` }, scope)
  }
  mapper.add({ ...gv, kind: 'List' }, 'root')
  return mapper
}
