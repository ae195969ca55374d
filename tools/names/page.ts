// Writes docs/names.md: the hand-written beginning, then a part for each section of docs/names/*.txt.

import { type Entry, referencePattern, type Section, toReference } from './entries.js'
import type { LibraryExports } from './exports.js'
import { type Mapped, type MappedPackage, withRoom } from './mapping.js'

/** The page's text. The beginning ends under the heading below which the sections stand. */
export function writePage(
  beginning: string,
  sections: readonly Section[],
  packages: readonly MappedPackage[],
  ours: LibraryExports,
): string {
  const parts = sections.map((section) => {
    const of = packages.filter((p) => p.section === section)
    return new SectionWriter(section, ours).write(of)
  })
  return `${[beginning.trim(), linksTo(sections.map(headingOf)), ...parts].join('\n\n')}\n`
}

function headingOf({ path }: Section): string {
  return path.slice('k8s.io/'.length)
}

/** A line of links to headings, whose anchors are numbered where they are the same. */
function linksTo(headings: readonly string[]): string {
  const seen = new Map<string, number>()
  const links = headings.map((heading) => {
    const slug = heading.toLowerCase().replace(/[^\p{L}\p{N}_-]/gu, '')
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    return `[${heading.replace('*', '\\*')}](#${count === 0 ? slug : `${slug}-${count}`})`
  })
  return links.join(' · ')
}

class SectionWriter {
  readonly #section: Section
  readonly #ours: LibraryExports

  constructor(section: Section, ours: LibraryExports) {
    this.#section = section
    this.#ours = ours
  }

  write(packages: readonly MappedPackage[]): string {
    const { rooms, text } = this.#section
    const here = rooms.filter((room) => !room.startsWith('gen/')).map((room) => `\`${entryPoint(room)}\``)
    const names = new Map(packages.flatMap((p) => p.names).map((name) => [name.name, name]))
    return [
      `### ${headingOf(this.#section)}`,
      ...(here.length > 0 ? [`Here: ${here.join(', ')}.`] : []),
      ...(text === '' ? [] : [this.render(text)]),
      ...this.#byRule([...names.values()]),
      ...this.#table([...names.values()]),
    ].join('\n\n')
  }

  /** Names that are the same here: types with those of their members that are. */
  #byRule(names: readonly Mapped[]): string[] {
    const shown = names.filter(({ name, by }) => !name.includes('.') && (by === 'rule' || by === 'twin'))
    if (shown.length === 0) return []
    const same = shown.map(({ name, as }) => {
      const head = as === undefined || as === name ? code(name) : `${code(name)} → ${code(`${as}()`)}`
      return `${head}${membersByRule(name, names)}`
    })
    return [`The same: ${same.join(', ')}.`]
  }

  #table(names: readonly Mapped[]): string[] {
    const rows = this.#section.entries.flatMap((entry) => {
      const of = names.filter((name) => name.entry === entry)
      return of.length === 0 ? [] : [`| ${goNames(entry, of, names)} | ${this.#what(entry)} |`]
    })
    return rows.length === 0 ? [] : [['| Go | here |', '|---|---|', ...rows].join('\n')]
  }

  #what({ kind, text }: Entry): string {
    const shown = this.render(text).replaceAll('|', '\\|')
    if (kind === 'not-yet') return shown === '' ? 'not yet' : `not yet: ${shown}`
    return kind === 'none' ? `– ${shown}` : shown
  }

  /** References in code become names; elsewhere code, with the entry point where it is none of the section's. */
  render(text: string): string {
    return text
      .split(/(`[^`]*`)/)
      .map((part) => (part.startsWith('`') ? this.#renderCode(part) : this.#renderProse(part)))
      .join('')
  }

  #renderCode(part: string): string {
    const rooms = new Set<string>()
    const rendered = part.replace(referencePattern, (...match) => {
      const { name, member, room } = this.#reference(match)
      if (room !== undefined) rooms.add(room)
      return member ?? name
    })
    return rooms.size === 0 ? rendered : `${rendered} of ${[...rooms].map((r) => code(entryPoint(r))).join(', ')}`
  }

  #renderProse(part: string): string {
    return part.replace(referencePattern, (...match) => {
      const { name, member, room } = this.#reference(match)
      const shown = code(member === undefined ? name : `${name}.${member}`)
      return room === undefined ? shown : `${shown} of ${code(entryPoint(room))}`
    })
  }

  /** A reference, with its entry point only where a reader of the section has to be told. */
  #reference(match: readonly string[]): { name: string; member?: string; room?: string } {
    const { name, member, room } = withRoom(toReference(match), this.#section, this.#ours) ?? toReference(match)
    const isForeign = room !== undefined && !this.#section.rooms.includes(room)
    return { name, ...(member === undefined ? {} : { member }), ...(isForeign ? { room } : {}) }
  }
}

/** An entry's names, and those that a pattern stands for, so that they are found by searching the page. */
function goNames(entry: Entry, of: readonly Mapped[], all: readonly Mapped[]): string {
  const exact = entry.patterns.filter((p) => !p.includes('*'))
  const tops = of.map(({ name }) => name).filter((name) => !name.includes('.') && !exact.includes(name))
  const members = entry.patterns.filter((p) => p.includes('*') && p.includes('.'))
  const named = [...exact, ...tops, ...members]
  const shown = named.length > 0 ? named : of.map(({ name }) => name)
  return shown.map((name) => `${code(name)}${membersByRule(name, all)}`).join(', ')
}

/** The members of a type that are the same here, in parentheses. */
function membersByRule(type: string, names: readonly Mapped[]): string {
  const members = names.flatMap(({ name, by, as }) => {
    if ((by !== 'rule' && by !== 'twin') || !name.startsWith(`${type}.`)) return []
    const member = code(name.slice(type.length + 1))
    return [as === undefined ? member : `${member} → ${code(as)}`]
  })
  return members.length === 0 ? '' : ` (${members.join(', ')})`
}

function entryPoint(room: string): string {
  return room === '.' ? 'kubewright' : `kubewright/${room}`
}

function code(text: string): string {
  return `\`${text}\``
}
