// The files docs/names/*.txt: what a name of Go's is here, where that does not go without saying. docs/names/README.md
// says how they are written.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What one or more Go names are here. */
export interface Entry {
  /** `Name`, `Type.Member`, with `*` for any characters. */
  patterns: string[]
  /** `none`: there is nothing like it, and the text says why or what to do; `not-yet`: there will be. */
  kind: 'here' | 'none' | 'not-yet'
  /** Of what is not here yet: something else of that name is. */
  namesake: boolean
  /** Markdown, with references to our names in braces. */
  text: string
  where: string
}

/** A Go package, or several that are alike, and what stands for it here. */
export interface Section {
  /** Import path, or a pattern of paths. */
  path: string
  /** Entry points of ours where its names are looked for. */
  rooms: string[]
  /** What to say before the table. */
  text: string
  entries: Entry[]
  where: string
}

/** Reads all sections of a folder, in the order of its files. */
export function readEntries(dir: string): Section[] {
  const files = readdirSync(dir).filter((file) => file.endsWith('.txt'))
  return files.sort().flatMap((file) => parseEntries(readFileSync(join(dir, file), 'utf8'), file))
}

/** Reads the sections of one file. */
export function parseEntries(text: string, file: string): Section[] {
  const sections: Section[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const where = `${file}:${index + 1}`
    const section = sections.at(-1)
    const header = /^== (\S+)(?: = (.+))?$/.exec(line)
    if (line.trim() === '' || line.startsWith('#')) continue
    if (header?.[1]) {
      sections.push({ path: `k8s.io/${header[1]}`, rooms: header[2]?.split(' ') ?? [], text: '', entries: [], where })
    } else if (!section) throw new Error(`${where}: there is no section above this line`)
    else if (line.startsWith('>')) section.text = `${section.text} ${line.slice(1).trim()}`.trim()
    else if (line.startsWith('  ')) continueEntry(section, line, where)
    else section.entries.push(parseEntry(line, where))
  }
  return sections
}

function continueEntry(section: Section, line: string, where: string): void {
  const entry = section.entries.at(-1)
  if (!entry) throw new Error(`${where}: there is no entry above this line`)
  entry.text = `${entry.text} ${line.trim()}`
}

function parseEntry(line: string, where: string): Entry {
  const [, names, mark, text] = /^(.+?) = (-|\?!?)? ?(.*)$/.exec(line) ?? []
  if (names === undefined || text === undefined) throw new Error(`${where}: expected NAMES = TEXT, not ${line}`)
  const kind = mark?.startsWith('-') ? 'none' : mark?.startsWith('?') ? 'not-yet' : 'here'
  if (kind === 'none' && text === '') throw new Error(`${where}: say why there is nothing like it`)
  return { patterns: names.split(' '), kind, namesake: mark === '?!', text, where }
}

/** Whether a name is of a pattern. */
export function matches(pattern: string, name: string): boolean {
  if (!pattern.includes('*')) return pattern === name
  const escaped = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${escaped.join('.*')}$`).test(name)
}

/** A name of ours that a text refers to: `{Config.qps}`, `{rest:Config}`. */
export interface Reference {
  room?: string
  name: string
  member?: string
}

/** A text in pieces: what is said, and the references. */
export function referencesOf(text: string): Reference[] {
  return [...text.matchAll(referencePattern)].map((match) => toReference(match))
}

export const referencePattern: RegExp = /\{(?:([\w./-]+):)?([A-Za-z]\w*)(?:\.(\w+))?\}/g

export function toReference(match: readonly (string | undefined)[]): Reference {
  const [, room, name = '', member] = match
  return { ...(room === undefined ? {} : { room }), name, ...(member === undefined ? {} : { member }) }
}
