// From discovery documents to the resources of spec/.

import type { ResourceFacts } from '../spec/format.js'

/** The part of a discovery document (APIResourceList) that is read. */
export interface ApiResourceList {
  groupVersion: string
  resources: {
    name: string
    kind: string
    namespaced: boolean
    singularName: string
    verbs: string[]
    shortNames?: string[]
    categories?: string[]
    group?: string
    version?: string
  }[]
}

/** Converts a discovery document; subresources come under their resources. */
export function toResources(list: ApiResourceList): Record<string, ResourceFacts> {
  const resources: Record<string, ResourceFacts> = {}
  const [version = '', group = ''] = list.groupVersion.split('/').reverse()
  for (const r of list.resources) {
    if (r.name.includes('/')) continue
    resources[r.name] = {
      kind: r.kind,
      namespaced: r.namespaced,
      served: {
        singular: r.singularName,
        ...(r.shortNames ? { shortNames: r.shortNames } : {}),
        ...(r.categories ? { categories: r.categories } : {}),
        verbs: [...r.verbs].sort(),
      },
    }
  }
  for (const r of list.resources) {
    const [parent = '', name] = r.name.split('/')
    if (name === undefined) continue
    const resource = resources[parent]
    if (!resource) throw new Error(`reading the discovery of ${list.groupVersion}: ${r.name} has no resource above it`)
    const kind = { group: r.group ?? group, version: r.version ?? version, kind: r.kind }
    const own = kind.kind === resource.kind && kind.group === group && kind.version === version
    resource.subresources ??= {}
    resource.subresources[name] = { ...(own ? {} : { kind }), verbs: [...r.verbs].sort() }
  }
  return resources
}
