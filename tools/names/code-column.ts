// The code in the tables at the beginning of docs/names.md: each name in the column of ours is one of ours.

import type { GroupVersionFacts } from '../spec/format.js'
import type { LibraryExports } from './exports.js'
import { camelCase } from './mapping.js'

/** Words of the language, and what Node has. */
const known = new Set('await const for if in new of return undefined console Promise os homedir'.split(' '))

/** Names in the last column of Markdown tables that are neither ours nor the examples' own. */
export function deadCode(markdown: string, facts: readonly GroupVersionFacts[], ours: LibraryExports): string[] {
  const names = new Set([...allNames(ours), ...accessorsOf(facts)])
  const rows = markdown.split('\n').filter((line) => line.startsWith('|'))
  return rows.flatMap((row) => {
    const column = row.replace(/\\\|/g, ' ').split('|').at(-2) ?? ''
    const code = [...column.matchAll(/`([^`]*)`/g)].map((match) => match[1] ?? '').join('\n')
    const called = code.replace(/'[^']*'/g, '').matchAll(/\bnew ([A-Z]\w*)|([.]?)\b([a-z]\w*)(?=\(|\b)/g)
    return [...called].flatMap(([, made, dot, name]) => {
      const used = made ?? name ?? ''
      const isLocal = dot === '' && made === undefined && !new RegExp(`\\b${used}\\(`).test(code)
      return names.has(used) || known.has(used) || isLocal
        ? []
        : [`docs/names/beginning.md: ${used} is none of our names`]
    })
  })
}

function allNames(ours: LibraryExports): Set<string> {
  const exported = ours.rooms.flatMap((room) => ours.namesOf(room).map((name) => ({ room, name })))
  const members = exported.flatMap(({ room, name }) => [...ours.membersOf(room, name)])
  return new Set([...exported.map(({ name }) => name), ...members])
}

function accessorsOf(facts: readonly GroupVersionFacts[]): string[] {
  const resources = facts.flatMap(({ resources: all = {} }) => Object.values(all))
  return resources.flatMap(({ client }) => (client ? [camelCase(client.accessor)] : []))
}
