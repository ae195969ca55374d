// Questions that the answers of discovery can be asked.

import {
  type CallOptions,
  formatGroupVersion,
  type GroupVersion,
  type GroupVersionResource,
  goQuote,
  isNotFound,
  messageOf,
  parseGroupVersion,
} from '../meta/index.js'
import type {
  APIResource,
  APIResourceList,
  ServerGroupsInterface,
  ServerResourcesInterface,
  ServerVersionInterface,
} from './types.js'
import type { VersionInfo } from './version-info.js'

/** Chooses resources. */
export type ResourcePredicate = (groupVersion: string, resource: APIResource) => boolean

/** The resources that a predicate chooses. Lists of which nothing is left are left out; the lists given stay as they are. */
export function filteredBy(predicate: ResourcePredicate, lists: readonly APIResourceList[]): APIResourceList[] {
  return lists.flatMap((list) => {
    const resources = list.resources.filter((resource) => predicate(list.groupVersion, resource))
    return resources.length === 0 ? [] : [{ ...list, resources }]
  })
}

/** Chooses the resources that have all of these verbs: `filteredBy(supportsAllVerbs(['list', 'watch']), lists)`. */
export function supportsAllVerbs(verbs: readonly string[]): ResourcePredicate {
  return (_, resource) => verbs.every((verb) => resource.verbs.includes(verb))
}

/**
 * Every resource of the lists, each once.
 *
 * @throws Error when a list's group-version has more than one slash
 */
export function groupVersionResources(lists: readonly APIResourceList[]): GroupVersionResource[] {
  const found = new Map<string, GroupVersionResource>()
  for (const { groupVersion, resources } of lists) {
    const { group, version } = parseGroupVersion(groupVersion)
    for (const { name: resource } of resources) {
      found.set(`${group}/${version}/${resource}`, { group, version, resource })
    }
  }
  return [...found.values()]
}

/**
 * Whether a server has a resource in a version; subresources are named `deployments/scale`.
 *
 * @throws ApiError, ConnectionError, RequestTimeoutError when the server does not tell
 */
export async function isResourceEnabled(
  client: Pick<ServerResourcesInterface, 'serverResourcesForGroupVersion'>,
  { group, version, resource }: GroupVersionResource,
  opts: CallOptions = {},
): Promise<boolean> {
  try {
    const { resources } = await client.serverResourcesForGroupVersion(formatGroupVersion({ group, version }), opts)
    return resources.some(({ name }) => name === resource)
  } catch (err) {
    if (isNotFound(err)) return false
    throw err
  }
}

/**
 * Resolves when the server has a group-version, or names none at all, as old servers do.
 *
 * @throws Error when it has not; ApiError, ConnectionError, RequestTimeoutError when the server does not tell
 */
export async function serverSupportsVersion(
  client: ServerGroupsInterface,
  required: GroupVersion,
  opts: CallOptions = {},
): Promise<void> {
  const { groups } = await client.serverGroups(opts)
  const versions = new Set(groups.flatMap((group) => group.versions.map(({ groupVersion }) => groupVersion)))
  const wanted = formatGroupVersion(required)
  if (versions.size === 0 || versions.has(wanted)) return
  throw new Error(`server does not support API version ${goQuote(wanted)}`)
}

/**
 * Resolves when the server was built from the very same sources as a client.
 *
 * @throws Error when it was not, or does not tell
 */
export async function matchesServerVersion(
  clientVersion: Pick<VersionInfo, 'gitVersion' | 'gitCommit' | 'gitTreeState'>,
  client: ServerVersionInterface,
  opts: CallOptions = {},
): Promise<void> {
  const server = await client.serverVersion(opts).catch((err) => {
    opts.signal?.throwIfAborted()
    throw new Error(`couldn't read version from server: ${messageOf(err)}`, { cause: err })
  })
  const same = (['gitVersion', 'gitCommit', 'gitTreeState'] as const).every((key) => server[key] === clientVersion[key])
  if (same) return
  throw new Error(
    `server version (${JSON.stringify(server)}) differs from client version (${JSON.stringify(clientVersion)})`,
  )
}
