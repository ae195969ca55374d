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
const openBracket = 0x5b
const closeBracket = 0x5d
const comma = 0x2c

/** What becomes of a value: kept or left out whole, or looked into. */
type Rule = 'keep' | 'drop' | Inside

class Inside {
  /** Of members that are not named. */
  readonly others: 'keep' | 'drop'
  readonly names: string[] = []
  readonly rules: Rule[] = []

  constructor(others: 'keep' | 'drop') {
    this.others = others
  }

  get(name: string): Rule | undefined {
    return this.rules[this.names.indexOf(name)]
  }

  set(name: string, rule: Rule): void {
    const at = this.names.indexOf(name)
    this.rules[at < 0 ? this.names.push(name) - 1 : at] = rule
  }

  /** Where the member's name stands in the list of names; -1 when it is none of them. */
  find(members: Members): number {
    const { names } = this
    for (let i = 0; i < names.length; i++) if (members.keyIs(names[i] as string)) return i
    return -1
  }
}

/** Copies objects without the fields that are not wanted. */
export class ByteFilter {
  readonly #rule: Inside

  /** @throws TypeError for a path that is none */
  constructor({ drop = [], pick }: FieldFilterOptions) {
    this.#rule = new Inside(pick ? 'drop' : 'keep')
    if (pick) for (const path of [...alwaysPicked, ...pick]) setRule(this.#rule, keysOf(path), 'keep')
    for (const path of drop) setRule(this.#rule, keysOf(path), 'drop')
  }

  /**
   * Copies the object that begins at `start`, and whose brace is the last byte before `end`, to `target`, which has as much
   * room behind `at`. What follows the last field that a path names is not looked at: servers write each key once.
   *
   * @returns the offset in `target` behind the copy.
   * @throws SyntaxError when bytes that it walks through are no JSON
   */
  copy(source: Uint8Array, start: number, end: number, target: Uint8Array, at: number): number {
    return new Copy({ source, start, end, target, at }).object(this.#rule)
  }
}

/** Drops come after picks: they take something away from what is kept, and never add to it. */
function setRule(rule: Inside, keys: readonly string[], what: 'keep' | 'drop'): void {
  let inside = rule
  for (const key of keys.slice(0, -1)) {
    const named = inside.get(key)
    const known = named ?? inside.others
    if (typeof known === 'object') {
      inside = known
      continue
    }
    // The whole is picked, or dropped, already.
    if (known === what && named !== undefined) return
    if (known === 'drop' && what === 'drop') return
    const next = new Inside(known)
    inside.set(key, next)
    inside = next
  }
  inside.set(keys.at(-1) as string, what)
}

/** More names than this are not counted: bits of a number. */
const maxCounted = 30

/** One object on its way. */
class Copy {
  readonly #source: Uint8Array
  readonly #end: number
  readonly #target: Uint8Array
  /** What is kept waits to be copied together with what follows it: from here on in the source, */
  #from: number
  /** to here in the target. */
  #at: number

  constructor({
    source,
    start,
    end,
    target,
    at,
  }: { source: Uint8Array; start: number; end: number; target: Uint8Array; at: number }) {
    this.#source = source
    this.#end = end
    this.#target = target
    this.#from = start
    this.#at = at
  }

  /** The object that ends with the source. @returns the offset in the target behind it */
  object(rule: Inside): number {
    this.#members(this.#from, rule, { endsSource: true })
    this.#copyTo(this.#end)
    return this.#at
  }

  /** @returns the offset in the source behind the object. */
  #members(start: number, rule: Inside, { endsSource }: { endsSource: boolean }): number {
    const { names, rules, others } = rule
    const members = new Members(this.#source, start, this.#end)
    // Where the object is known to end, members behind the last one that is named need not be found.
    const counted = endsSource && names.length <= maxCounted
    let unseen = (1 << names.length) - 1
    let keptEnd = start + 1
    let [keepsAny, isCut] = [false, false]
    while (members.next()) {
      const isRest = counted && unseen === 0
      if (isRest) members.valueEnd = this.#end - 1
      const at = isRest ? -1 : rule.find(members)
      if (at >= 0) unseen &= ~(1 << at)
      const what = at < 0 ? others : (rules[at] as Rule)
      if (what === 'drop') {
        if (!isCut) this.#copyTo(keptEnd)
        isCut = true
        continue
      }
      if (isCut) {
        if (keepsAny) this.#target[this.#at++] = comma
        this.#from = members.keyStart - 1
        isCut = false
      }
      keepsAny = true
      if (what !== 'keep') members.valueEnd = this.#value(members.valueStart, what)
      keptEnd = members.valueEnd
    }
    if (isCut) this.#from = members.valueEnd - 1
    return members.valueEnd
  }

  #value(start: number, rule: Inside): number {
    switch (this.#source[start]) {
      case openBrace:
        return this.#members(start, rule, { endsSource: false })
      case openBracket:
        return this.#list(start, rule.get(eachItem) ?? rule.others)
      default:
        return skipValue(this.#source, start, this.#end)
    }
  }

  #list(start: number, rule: Rule): number {
    const source = this.#source
    if (typeof rule !== 'object') {
      const end = skipValue(source, start, this.#end)
      if (rule === 'drop') {
        this.#copyTo(start + 1)
        this.#from = end - 1
      }
      return end
    }
    let at = skipSpace(source, start + 1)
    while (source[at] !== closeBracket) {
      at = skipSpace(source, this.#value(at, rule))
      if (source[at] === comma) at = skipSpace(source, at + 1)
      else if (source[at] !== closeBracket) throw new SyntaxError('the JSON lacks a comma in a list')
    }
    return at + 1
  }

  #copyTo(end: number): void {
    this.#target.set(this.#source.subarray(this.#from, end), this.#at)
    this.#at += end - this.#from
    this.#from = end
  }
}
