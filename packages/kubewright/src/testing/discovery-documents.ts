// What a fake answers to discovery: its groups, and the resources of a group-version.

import type { APIResource, VersionInfo } from '../discovery/index.js'
import { formatGroupVersion } from '../meta/index.js'
import type { ResourceInfo } from './resources.js'

/** The version that a fake is of, unless a test says something else. */
export const defaultServerVersion: VersionInfo = {
  major: '1',
  minor: '36',
  gitVersion: 'v1.36.3',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: '',
}

/** The versions of a group, the preferred first. */
function versionsOf(resources: readonly ResourceInfo[], group: string): string[] {
  const versions = new Set(resources.filter((info) => info.group === group).map(({ version }) => version))
  return [...versions].sort(compareVersions)
}

/**
 * As kube-apiserver orders them: stable before beta before alpha, and of these the newest first; then names that are no
 * such version, by the alphabet.
 */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [rankOf(a), rankOf(b)]
  const different = x.findIndex((part, i) => part !== y[i])
  if (different >= 0) return (y[different] ?? 0) - (x[different] ?? 0)
  return a < b ? -1 : a > b ? 1 : 0
}

function rankOf(version: string): [stage: number, major: number, minor: number] {
  const [all, major = '0', stage = '', minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? []
  if (all === undefined) return [0, 0, 0]
  return [{ '': 3, beta: 2, alpha: 1 }[stage] ?? 0, Number(major), Number(minor)]
}

/** The answer of `/api`. */
export function coreVersions(resources: readonly ResourceInfo[]): object {
  return { kind: 'APIVersions', apiVersion: 'v1', versions: versionsOf(resources, '') }
}

/** The answer of `/apis`. */
export function apiGroups(resources: readonly ResourceInfo[]): object {
  const names = [...new Set(resources.map(({ group }) => group))].filter((group) => group !== '')
  const groups = names.map((name) => {
    const versions = versionsOf(resources, name).map((version) => ({
      groupVersion: formatGroupVersion({ group: name, version }),
      version,
    }))
    return { name, versions, preferredVersion: versions[0] }
  })
  return { kind: 'APIGroupList', apiVersion: 'v1', groups }
}

/** The answer of a group-version's path; undefined where nothing is known of it. */
export function apiResources(
  resources: readonly ResourceInfo[],
  groupVersion: { group: string; version: string },
): object | undefined {
  const found = resources.filter(
    ({ group, version }) => group === groupVersion.group && version === groupVersion.version,
  )
  if (found.length === 0) return undefined
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: formatGroupVersion(groupVersion),
    resources: found.flatMap(resourceDocuments),
  }
}

function resourceDocuments(info: ResourceInfo): APIResource[] {
  const { resource: name, singular: singularName, kind, verbs, shortNames, categories } = info
  const namespaced = info.namespaced ?? true
  const subresources = Object.entries(info.subresources).map(
    ([subresource, facts]): APIResource => ({
      name: `${name}/${subresource}`,
      singularName: '',
      namespaced,
      kind,
      ...facts.kind,
      verbs: [...facts.verbs],
    }),
  )
  const own: APIResource = {
    name,
    singularName,
    namespaced,
    kind,
    verbs: [...verbs],
    ...(shortNames.length > 0 && { shortNames: [...shortNames] }),
    ...(categories.length > 0 && { categories: [...categories] }),
  }
  return [own, ...subresources]
}
