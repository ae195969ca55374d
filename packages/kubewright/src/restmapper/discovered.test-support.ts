// What discovery found, for tests of mappers.

import type { APIGroup, APIResource, APIResourceList } from '../discovery/index.js'
import { parseGroupVersion } from '../meta/index.js'

export type Facts = Partial<APIResource> & Pick<APIResource, 'name'>

/** The resources of a group-version; what a fact leaves out is empty, and in namespaces. */
export function list(groupVersion: string, ...facts: readonly Facts[]): APIResourceList {
  const resources = facts.map((fact) => ({ singularName: '', namespaced: true, kind: '', verbs: [], ...fact }))
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources }
}

/** A group; the first version is the preferred one. */
export function group(name: string, ...versions: readonly string[]): APIGroup {
  const found = versions.map((version) => ({ version, groupVersion: name === '' ? version : `${name}/${version}` }))
  return { name, versions: found, ...(found[0] && { preferredVersion: found[0] }) }
}

/** The groups of lists, with their versions in the order of the lists. */
export function groupsOf(lists: readonly APIResourceList[]): APIGroup[] {
  const versions = new Map<string, string[]>()
  for (const { groupVersion } of lists) {
    const { group: name, version } = parseGroupVersion(groupVersion)
    versions.set(name, [...(versions.get(name) ?? []), version])
  }
  return Array.from(versions, ([name, all]) => group(name, ...all))
}
