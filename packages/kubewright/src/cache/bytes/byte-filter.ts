// Leaving fields out of an object while its bytes are copied: what is never read need not be kept.

import { eachItem, type FieldPath, keysOf } from './field-path.js'
import { Members, skipSpace, skipValue } from './json-bytes.js'

/** Which fields of objects are kept. */
export interface FieldFilterOptions {
  /** Fields to leave out. */
  drop?: readonly FieldPath[] | undefined
  /** Fields to keep; all others are left out, what names the object excepted. */
  pick?: readonly FieldPath[] | undefined
}

/** What a cache and its listers need of each object, and what says who an object belongs to. */
const alwaysPicked: readonly FieldPath[] = [
  'apiVersion',
  'kind',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'metadata.resourceVersion',
  'metadata.labels',
  'metadata.ownerReferences',
]

const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const comma = 0x2c

/** What becomes of a value: kept or left out whole, or looked into. */
type Rule = 'keep' | 'drop' | Inside

interface Inside {
  readonly named: Map<string, Rule>
  /** Of members that are not named. */
  readonly others: 'keep' | 'drop'
}

/** Copies objects without the fields that are not wanted. */
export class ByteFilter {
  readonly #rule: Inside

  /** @throws TypeError for a path that is none */
  constructor({ drop = [], pick }: FieldFilterOptions) {
    this.#rule = { named: new Map(), others: pick ? 'drop' : 'keep' }
    if (pick) for (const path of [...alwaysPicked, ...pick]) setRule(this.#rule, keysOf(path), 'keep')
    for (const path of drop) setRule(this.#rule, keysOf(path), 'drop')
  }

  /**
   * Copies the object that begins at `start`, and whose brace is the last byte before `end`, to `target`, which has as much room behind `at`. What
   * follows the last field that a path names is not looked at: servers write each key once.
   *
   * @returns the offset in `target` behind the copy.
   * @throws SyntaxError when bytes that it walks through are no JSON
   */
  copy(source: Uint8Array, start: number, end: number, target: Uint8Array, at: number): number {
    const copy = new Copy(source, end, target, at)
    copy.object(start, this.#rule, { endsSource: true })
    return copy.at
  }
}

/** Drops come after picks: they take something away from what is kept, and never add to it. */
function setRule(rule: Inside, keys: readonly string[], what: 'keep' | 'drop'): void {
  let inside = rule
  for (const key of keys.slice(0, -1)) {
    const known = inside.named.get(key) ?? inside.others
    if (typeof known === 'object') {
      inside = known
      continue
    }
    // The whole is picked, or dropped, already.
    if (known === what && inside.named.has(key)) return
    if (known === 'drop' && what === 'drop') return
    const next: Inside = { named: new Map(), others: known }
    inside.named.set(key, next)
    inside = next
  }
  inside.named.set(keys.at(-1) as string, what)
}

/** One object on its way. */
class Copy {
  readonly #source: Uint8Array
  readonly #end: number
  readonly #target: Uint8Array
  at: number

  constructor(source: Uint8Array, end: number, target: Uint8Array, at: number) {
    this.#source = source
    this.#end = end
    this.#target = target
    this.at = at
  }

  /**
   * @param endsSource whether the source ends with the object: its brace is the last byte.
   * @returns the offset in the source behind the object.
   */
  object(start: number, { named, others }: Inside, { endsSource }: { endsSource: boolean }): number {
    const members = new Members(this.#source, start, this.#end)
    // Where the object is known to end, members behind the last one that is named need not be found.
    const unseen = endsSource ? new Set(named.keys()) : undefined
    let isFirst = true
    // Neighbours that are kept are copied together.
    let [runStart, runEnd] = [-1, -1]
    const copyRun = (): void => {
      if (runStart >= 0) this.#bytes(runStart, runEnd)
      runStart = -1
    }
    const keepOn = (): void => {
      if (runStart >= 0) return
      if (!isFirst) this.#byte(comma)
      isFirst = false
      runStart = members.keyStart - 1
    }
    this.#byte(openBrace)
    while (members.next()) {
      if (unseen?.size === 0) {
        if (others === 'keep') {
          keepOn()
          runEnd = this.#end - 1
        }
        members.valueEnd = this.#end
        break
      }
      const name = nameOf(members, named)
      if (name !== undefined) unseen?.delete(name)
      const rule = (name !== undefined && named.get(name)) || others
      if (rule === 'drop') {
        copyRun()
        continue
      }
      keepOn()
      if (rule === 'keep') {
        runEnd = members.valueEnd
      } else {
        runEnd = members.valueStart
        copyRun()
        members.valueEnd = this.#value(members.valueStart, rule)
      }
    }
    copyRun()
    this.#byte(closeBrace)
    return members.valueEnd
  }

  #value(start: number, rule: Inside): number {
    switch (this.#source[start]) {
      case openBrace:
        return this.object(start, rule, { endsSource: false })
      case openBracket:
        return this.#list(start, rule.named.get(eachItem) ?? rule.others)
      default: {
        const end = skipValue(this.#source, start, this.#end)
        this.#bytes(start, end)
        return end
      }
    }
  }

  #list(start: number, rule: Rule): number {
    const source = this.#source
    if (typeof rule !== 'object') {
      const end = skipValue(source, start, this.#end)
      if (rule === 'keep') this.#bytes(start, end)
      else this.#empty()
      return end
    }
    this.#byte(openBracket)
    let at = skipSpace(source, start + 1)
    while (source[at] !== closeBracket) {
      at = skipSpace(source, this.#value(at, rule))
      if (source[at] === comma) {
        this.#byte(comma)
        at = skipSpace(source, at + 1)
      } else if (source[at] !== closeBracket) {
        throw new SyntaxError('the JSON lacks a comma in a list')
      }
    }
    this.#byte(closeBracket)
    return at + 1
  }

  #empty(): void {
    this.#byte(openBracket)
    this.#byte(closeBracket)
  }

  #byte(byte: number): void {
    this.#target[this.at++] = byte
  }

  #bytes(start: number, end: number): void {
    this.#target.set(this.#source.subarray(start, end), this.at)
    this.at += end - start
  }
}

function nameOf(members: Members, named: ReadonlyMap<string, Rule>): string | undefined {
  for (const name of named.keys()) if (members.keyIs(name)) return name
  return undefined
}
