// Finds for each Go name what it is here: by its entry, by the rule (the same name, camelCase where it is no type), as the
// twin of a name that is found, by an entry with a pattern, or as what is Go's alone; and says what does not add up.

import type { GoName, GoPackages } from '../spec/go-names.js'
import { type Entry, matches, type Reference, referencesOf, type Section } from './entries.js'
import type { LibraryExports } from './exports.js'

/** What is asked of the library's names. */
export type Exports = Pick<LibraryExports, 'rooms' | 'hasRoom' | 'has' | 'isClass' | 'membersOf'>

/** What one Go name is here. Members are called `Type.Member`, fields and methods alike. */
export interface Mapped {
  name: string
  /** How it was found. */
  by: 'entry' | 'rule' | 'twin' | 'go'
  entry?: Entry
  /** By rule: our name, where it is not simply the same in camelCase. */
  as?: string
  /** A member that is said not to be here yet, and is. */
  arrived?: boolean
}

export interface MappedPackage {
  path: string
  section: Section
  names: Mapped[]
}

export interface Mapping {
  packages: MappedPackage[]
  problems: string[]
}

/** `QPS` → `qps`, `TLSConfigFor` → `tlsConfigFor`, `NewStore` → `newStore`. */
export function camelCase(name: string): string {
  return name.replace(/^[A-Z]+(?![a-z])|^[A-Z]+(?=[A-Z][a-z])|^[A-Z]/, (head) => head.toLowerCase())
}

/** Endings of Go names that say how the same thing is called there. */
const twinEndings = ['WithContext', 'WithLogger', 'OrDie']

/** What types have for Go's sake: printing, errors, copies, encodings. The page says once what stands for them. */
const ofGo = new Set(
  `Error Is As Unwrap String GoString Format MarshalLog DeepCopy DeepCopyInto DeepCopyObject OpenAPIModelName
  Marshal MarshalTo MarshalToSizedBuffer MarshalJSON MarshalCBOR MarshalQueryParameter Unmarshal UnmarshalJSON
  UnmarshalCBOR UnmarshalQueryParameter TypeMeta ListMeta SwaggerDoc ToUnstructured ProtoMessage ProtoTime ProtoMicroTime Reset Size RandFill
  OpenAPISchemaType OpenAPISchemaFormat OpenAPIV3OneOfTypes GetObjectKind`.split(/\s+/),
)

/** Maps all names, and collects what is wrong. */
export function mapNames(packages: GoPackages, sections: readonly Section[], ours: Exports): Mapping {
  const problems: string[] = []
  const used = new Set<string>()
  const mapped: MappedPackage[] = []
  for (const [path, names] of packages) {
    const section = sections.find((s) => s.path === path) ?? sections.find((s) => matches(s.path, path))
    if (!section) {
      problems.push(`${path}: no section of docs/names says what its names are here`)
      continue
    }
    used.add(section.where)
    const finder = new Finder(section, ours, used)
    const found = names.flatMap((name) => finder.find(name))
    for (const { name } of found.filter((f) => f.by === undefined)) problems.push(`${path}: ${name} has no entry`)
    mapped.push({ path, section, names: found.filter((f): f is Mapped => f.by !== undefined) })
  }
  problems.push(...sections.flatMap((section) => unused(section, used)))
  problems.push(...sections.flatMap((section) => deadReferences(section, ours)))
  problems.push(...mapped.flatMap((m) => arrived(m, ours)))
  return { packages: mapped, problems }
}

type Found = Mapped | { name: string; by?: undefined }

/** Finds the names of one section. */
class Finder {
  readonly #section: Section
  readonly #ours: Exports
  readonly #used: Set<string>

  constructor(section: Section, ours: Exports, used: Set<string>) {
    this.#section = section
    this.#ours = ours
    this.#used = used
  }

  find(go: GoName): Found[] {
    const type = this.#name(go)
    const home = type.by === undefined ? undefined : this.#homeOf(type)
    const parent = type.by === 'entry' && type.entry?.kind !== 'here' ? type.entry : undefined
    const names = new Set(go.members.map((m) => m.replace(/^\./, '')))
    const members = [...names].sort().map((m) => {
      const name = `${go.name}.${m}`
      if (!parent) return this.#member(name, m, home, names)
      return this.#exact(name) ?? this.#byPattern(name) ?? { name, by: 'entry' as const, entry: parent }
    })
    return [type, ...members]
  }

  #name(go: GoName): Found {
    return (
      this.#exact(go.name) ??
      this.#byRule(go) ??
      this.#twin(
        go.name,
        (base) => this.#exact(base) !== undefined || this.#byRule({ ...go, name: base }) !== undefined,
      ) ??
      this.#byPattern(go.name) ?? { name: go.name }
    )
  }

  #member(name: string, member: string, home: Reference | undefined, siblings: ReadonlySet<string>): Found {
    const exact = this.#exact(name)
    const byRule = this.#memberByRule(name, member, home)
    if (exact?.entry?.kind === 'not-yet' && byRule) return { ...exact, arrived: true }
    return (
      exact ??
      byRule ??
      this.#twin(name, (base) => siblings.has(base.slice(name.indexOf('.') + 1))) ??
      this.#byPattern(name) ??
      (ofGo.has(member) ? { name, by: 'go' } : { name })
    )
  }

  #exact(name: string): Mapped | undefined {
    return this.#entry(name, (pattern) => pattern === name)
  }

  #byPattern(name: string): Mapped | undefined {
    return this.#entry(name, (pattern) => pattern.includes('*') && matches(pattern, name))
  }

  #entry(name: string, is: (pattern: string) => boolean): Mapped | undefined {
    for (const entry of this.#section.entries) {
      const pattern = entry.patterns.find(is)
      if (pattern === undefined) continue
      this.#used.add(`${entry.where} ${pattern}`)
      return { name, by: 'entry', entry }
    }
    return undefined
  }

  #byRule({ kind, name }: GoName): Mapped | undefined {
    const has = (candidate: string) => this.#section.rooms.find((room) => this.#ours.has(room, candidate))
    const same = kind === 'type' ? name : camelCase(name)
    if (has(same)) return { name, by: 'rule' }
    if ((kind === 'var' || kind === 'const') && has(name)) return { name, by: 'rule', as: name }
    const made = kind === 'func' && name.startsWith('New') ? name.slice(3) : ''
    const room = made && has(made)
    return room && this.#ours.isClass(room, made) ? { name, by: 'rule', as: `new ${made}` } : undefined
  }

  #memberByRule(name: string, member: string, home: Reference | undefined): Mapped | undefined {
    if (home?.room === undefined) return undefined
    const members = this.#ours.membersOf(home.room, home.name)
    if (members.has(camelCase(member))) return { name, by: 'rule' }
    const got = member.startsWith('Get') ? camelCase(member.slice(3)) : ''
    return members.has(got) ? { name, by: 'rule', as: got } : undefined
  }

  #twin(name: string, isFound: (base: string) => boolean): Mapped | undefined {
    const ending = twinEndings.find((e) => name.endsWith(e))
    const base = ending && name.slice(0, -ending.length)
    return base && isFound(base) ? { name, by: 'twin' } : undefined
  }

  /** Where the members of a Go type are looked for: in the first type that its entry refers to, or that of its name. */
  #homeOf(type: Mapped): Reference | undefined {
    if (type.entry) {
      if (type.entry.kind !== 'here') return undefined
      const [first] = referencesOf(type.entry.text)
      return first && withRoom(first, this.#section, this.#ours)
    }
    return withRoom({ name: type.as ?? type.name }, this.#section, this.#ours)
  }
}

/** The reference with its room: the first of the section's that has the name, where it says none. */
export function withRoom(reference: Reference, section: Section, ours: Exports): Reference | undefined {
  if (reference.room !== undefined) return ours.has(reference.room, reference.name) ? reference : undefined
  const room = section.rooms.find((r) => ours.has(r, reference.name))
  return room === undefined ? undefined : { ...reference, room }
}

function unused(section: Section, used: ReadonlySet<string>): string[] {
  if (!used.has(section.where)) return [`${section.where}: there is no Go package ${section.path}`]
  return section.entries.flatMap(({ patterns, where }) =>
    patterns
      .filter((pattern) => !used.has(`${where} ${pattern}`))
      .map((pattern) => `${where}: ${pattern} is no name of Go's, or is found without this entry`),
  )
}

function deadReferences(section: Section, ours: Exports): string[] {
  const rooms = section.rooms.filter((room) => !ours.hasRoom(room)).map((room) => `${section.where}: no room ${room}`)
  const texts = [{ text: section.text, where: section.where }, ...section.entries]
  const dead = texts.flatMap(({ text, where }) =>
    referencesOf(text).flatMap((reference) => {
      const { room, name, member } = withRoom(reference, section, ours) ?? {}
      const shown = [reference.name, reference.member].filter(Boolean).join('.')
      if (room === undefined || name === undefined) return [`${where}: ${shown} is not exported`]
      const isThere = member === undefined || ours.membersOf(room, name).has(member)
      return isThere ? [] : [`${where}: ${name} of ${room} has no ${member}`]
    }),
  )
  return [...rooms, ...dead]
}

/** What is said not to be here yet, and is. */
function arrived({ path, names }: MappedPackage, ours: Exports): string[] {
  return names.flatMap(({ name, entry, arrived: isHere }) => {
    if (entry?.kind !== 'not-yet' || entry.namesake) return []
    if (isHere) return [`${entry.where}: ${path}: ${name} is here by now`]
    if (name.includes('.')) return []
    const candidates = [name, camelCase(name), name.replace(/^New/, '')]
    const room = ours.rooms.find((r) => candidates.some((candidate) => ours.has(r, candidate)))
    return room === undefined ? [] : [`${entry.where}: ${path}: ${name} is here by now, in ${room}`]
  })
}
