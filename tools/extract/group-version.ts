// One group-version's resources: what discovery says of them, and what the Go client of each has.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ResourceFacts } from '../spec/format.js'
import { type ApiResourceList, toResources } from './discovery.js'
import { type GoGroupVersionClient, type GoResourceClient, readGroupName } from './go-client.js'
import { apiPackages, definitionPackage, moduleDir } from './go-modules.js'

export interface GroupVersion {
  /** How the names of its definitions begin. */
  pkg: string
  group: string
  version: string
  folder: string
  served: boolean
  accessor?: string
  /** `client.scale` is still a definition's whole name. */
  resources?: Record<string, ResourceFacts>
}

/** Joins a Go client with the discovery document of its group-version, where there is one. */
export function readGroupVersion(
  client: GoGroupVersionClient,
  discoveryDir: string,
  isPackage: (pkg: string) => boolean,
): GroupVersion {
  const { folder, version, accessor } = client
  const home = apiPackages.find((p) => isPackage(`${p.name}.${folder}.${version}`))
  if (!home) throw new Error(`reading the API description: no definitions for ${folder}/${version}`)
  const group = readGroupName(join(moduleDir(home.module), home.dir, folder, version))
  const file = join(discoveryDir, group ? `apis__${group}__${version}.json` : `api__${version}.json`)
  const served = existsSync(file)
  const resources = served ? toResources(JSON.parse(readFileSync(file, 'utf8')) as ApiResourceList) : {}
  for (const r of client.resources) {
    const facts = resources[r.resource] ?? { kind: r.kind, namespaced: r.namespaced }
    if (facts.kind !== r.kind || facts.namespaced !== r.namespaced) {
      throw new Error(`reading ${group}/${version} ${r.resource}: discovery and the Go client differ`)
    }
    resources[r.resource] = { ...facts, client: toClient(r) }
  }
  return {
    pkg: `${home.name}.${folder}.${version}`,
    group,
    version,
    folder,
    served,
    accessor,
    resources: Object.fromEntries(Object.entries(resources).sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function toClient(client: GoResourceClient): NonNullable<ResourceFacts['client']> {
  const { accessor, methods, expansion, scale } = client
  return {
    accessor,
    methods,
    ...(expansion.length > 0 ? { expansion } : {}),
    ...(scale ? { scale: `${definitionPackage(scale.pkg)}.${scale.name}` } : {}),
  }
}
