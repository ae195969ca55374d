// One group-version's resources: what discovery says of them, and what the Go client of each has.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GroupVersionFacts, ResourceFacts } from '../spec/format.js'
import { type ApiResourceList, toResources } from './discovery.js'
import { type GoGroupVersionClient, type GoResourceClient, readGroupName } from './go-client.js'
import { apiPackages, definitionPackage, moduleDir } from './go-modules.js'

/** What spec/ holds of a group-version, its definitions excepted; `client.scale` is still a definition's whole name. */
export interface GroupVersion extends Omit<GroupVersionFacts, 'definitions'> {
  /** How the names of its definitions begin. */
  pkg: string
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
