// All resources of a server, whole or as far as they can be found out, through any discovery client.

import { type CallOptions, formatGroupVersion } from '../meta/index.js'
import { GroupDiscoveryFailedError } from './group-discovery-failed-error.js'
import { filteredBy } from './helpers.js'
import type {
  AggregatedDiscoveryInterface,
  APIGroupList,
  APIResource,
  APIResourceList,
  DiscoveryInterface,
  GroupsAndMaybeResources,
  ServerGroupsAndResources,
  ServerResources,
} from './types.js'

/** How many group-versions are asked for at a time. */
const parallelism = 32

/** What {@link DiscoveryInterface.serverGroupsAndResources} is, for clients that have the two questions it is made of. */
export async function serverGroupsAndResources(
  client: DiscoveryInterface,
  opts: CallOptions = {},
): Promise<ServerGroupsAndResources> {
  const { groupList, resources, failed } = await everything(client, opts)
  const inOrder = groupVersionsOf(groupList).flatMap(({ key }) => resources.get(key) ?? [])
  return { groups: groupList.groups, resources: inOrder, failed: errorOf(failed) }
}

/** What {@link DiscoveryInterface.serverPreferredResources} is, for clients that have the two questions it is made of. */
export async function serverPreferredResources(
  client: DiscoveryInterface,
  opts: CallOptions = {},
): Promise<ServerResources> {
  const { groupList, resources, failed } = await everything(client, opts)
  return { resources: preferred(groupList, resources), failed: errorOf(failed) }
}

/** What {@link DiscoveryInterface.serverPreferredNamespacedResources} is, by the same means. */
export async function serverPreferredNamespacedResources(
  client: DiscoveryInterface,
  opts: CallOptions = {},
): Promise<ServerResources> {
  const { resources, failed } = await serverPreferredResources(client, opts)
  return { resources: filteredBy((_, { namespaced }) => namespaced, resources), failed }
}

/**
 * Calls again when something was missing, in case groups came or went between two of its requests.
 *
 * @param tries how often at most
 */
export async function withRetries<T extends ServerResources>(tries: number, ask: () => Promise<T>): Promise<T> {
  for (let left = tries; ; left--) {
    const answer = await ask()
    if (!answer.failed || left <= 1) return answer
  }
}

type Everything = Required<GroupsAndMaybeResources> & { readonly resources: ReadonlyMap<string, APIResourceList> }

async function everything(client: DiscoveryInterface, opts: CallOptions): Promise<Everything> {
  const { groupList, resources, failed } = await groupsAndMaybeResources(client, opts)
  if (resources) return { groupList, resources, failed }
  return { groupList, ...(await fetchResources(client, groupList, opts)) }
}

/** In one step, where the client can. */
export async function groupsAndMaybeResources(
  client: DiscoveryInterface,
  opts: CallOptions,
): Promise<GroupsAndMaybeResources> {
  if (isAggregated(client)) return client.groupsAndMaybeResources(opts)
  return { groupList: await client.serverGroups(opts), resources: undefined, failed: new Map() }
}

function isAggregated(client: DiscoveryInterface): client is AggregatedDiscoveryInterface {
  return 'groupsAndMaybeResources' in client
}

/** The resources of each group-version, and why some have none. */
async function fetchResources(
  client: DiscoveryInterface,
  groupList: APIGroupList,
  opts: CallOptions,
): Promise<Pick<Everything, 'resources' | 'failed'>> {
  const resources = new Map<string, APIResourceList>()
  const failed = new Map<string, Error>()
  const keys = groupVersionsOf(groupList).map(({ key }) => key)
  await forEachInParallel(keys, async (key) => {
    try {
      resources.set(key, await client.serverResourcesForGroupVersion(key, opts))
    } catch (err) {
      opts.signal?.throwIfAborted()
      failed.set(key, asError(err))
    }
  })
  return { resources, failed }
}

/** The first error ends it all. */
export async function forEachInParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  const worker = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(parallelism, items.length) }, worker))
}

/** Group-versions in the server's order. */
export function groupVersionsOf({ groups }: APIGroupList): { key: string; group: string; version: string }[] {
  return groups.flatMap(({ name, versions }) =>
    versions.map(({ version }) => ({ key: formatGroupVersion({ group: name, version }), group: name, version })),
  )
}

/** What was thrown, as an Error. */
export function asError(err: unknown): Error {
  return err instanceof Error ? err : new Error(String(err), { cause: err })
}

function errorOf(failed: ReadonlyMap<string, Error>): GroupDiscoveryFailedError | undefined {
  return failed.size === 0 ? undefined : new GroupDiscoveryFailedError(failed)
}

/** Each resource in one version. */
function preferred(groupList: APIGroupList, resources: ReadonlyMap<string, APIResourceList>): APIResourceList[] {
  const result: APIResourceList[] = []
  for (const { name: group, versions, preferredVersion } of groupList.groups) {
    const chosen = new Map<string, { resource: APIResource; version: string }>()
    const lists = new Map<string, APIResourceList>()
    for (const { version, groupVersion } of versions) {
      const list = resources.get(formatGroupVersion({ group, version }))
      if (!list) continue
      const empty: APIResourceList = { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: [] }
      lists.set(version, empty)
      result.push(empty)
      for (const resource of list.resources) {
        const { name } = resource
        if (name.includes('/') || (chosen.has(name) && version !== preferredVersion?.version)) continue
        chosen.set(name, { resource, version })
      }
    }
    for (const { resource, version } of chosen.values()) lists.get(version)?.resources.push(resource)
  }
  return result
}
