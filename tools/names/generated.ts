// The rules by which the names of client-go's generated packages are ours: each resource that spec/ knows of a Go client
// for has here the accessors, verbs, informers, listers and types that the rules promise.

import type { GroupVersionFacts, ResourceFacts } from '../spec/format.js'
import type { LibraryExports } from './exports.js'
import { camelCase } from './mapping.js'

/** What the rules promise and the library has not. */
export function brokenRules(facts: readonly GroupVersionFacts[], ours: LibraryExports): string[] {
  return facts.flatMap((f) => [...brokenClients(f, ours), ...brokenTypes(f, ours)])
}

function brokenClients(facts: GroupVersionFacts, ours: LibraryExports): string[] {
  const { folder, version, accessor } = facts
  if (accessor === undefined) return []
  const clients = `gen/clients/${folder}/${version}`
  const problems: string[] = []
  const expect = (room: string, type: string, member: string) => {
    if (!ours.membersOf(room, type).has(camelCase(member)))
      problems.push(`${room}: ${type} has no ${camelCase(member)}`)
  }
  expect('kubernetes', 'ClientsetInterface', accessor)
  for (const resource of Object.values(facts.resources ?? {})) {
    if (!resource.client) continue
    expect(clients, `${accessor}Interface`, resource.client.accessor)
    for (const method of resource.client.methods) expect(clients, `${resource.kind}Interface`, method)
    if (isCached(resource.client)) expect('gen/informers', `${accessor}Informers`, resource.client.accessor)
  }
  return problems
}

function isCached({ methods }: NonNullable<ResourceFacts['client']>): boolean {
  return methods.includes('List') && methods.includes('Watch')
}

function brokenTypes({ folder, version, accessor, definitions }: GroupVersionFacts, ours: LibraryExports): string[] {
  if (accessor === undefined) return []
  const room = `api/${folder}/${version}`
  return Object.entries(definitions).flatMap(([name, { properties }]) =>
    properties === undefined || ours.has(room, name) ? [] : [`${room}: no type ${name}`],
  )
}
