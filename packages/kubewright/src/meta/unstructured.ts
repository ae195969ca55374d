// Objects whose kind no type describes, and reading and writing their fields by path.

import type { ObjectMeta, StoredListMeta, StoredObjectMeta } from '../gen/api/meta/v1.js'
import { deepCopy } from './deep-copy.js'
import { goType, goValue, isInt64 } from './go-format.js'
import { goQuote } from './go-quote.js'
import { isNumber } from './is-number.js'
import { isObject } from './is-object.js'
import { ownMember, setMember } from './members.js'

/** An object of any kind, as the server sends it: what dynamic clients read. */
export interface Unstructured {
  apiVersion: string
  kind: string
  metadata: StoredObjectMeta
  [field: string]: unknown
}

/** An object of any kind, as it is written. */
export interface UnstructuredInput {
  apiVersion?: string
  kind?: string
  metadata?: ObjectMeta
  [field: string]: unknown
}

/** A list of {@link Unstructured} objects. */
export interface UnstructuredList {
  apiVersion: string
  kind: string
  metadata: StoredListMeta
  items: Unstructured[]
}

/**
 * The value of a field, found by the names on the way to it: `nestedFieldNoCopy(obj, 'spec', 'template')`. Undefined
 * when there is none; null when that is what there is.
 *
 * **Caveats**: the value is the object's own; {@link nestedFieldCopy} gives one to change. Lists have no names inside.
 *
 * @throws TypeError when something on the way is no map
 */
export function nestedFieldNoCopy(obj: object, ...fields: readonly string[]): unknown {
  let value: unknown = obj
  for (const [i, field] of fields.entries()) {
    if (value === null || value === undefined) return undefined
    if (!isObject(value)) throw accessorError(obj, fields.slice(0, i + 1), value, 'map[string]interface{}')
    value = ownMember(value, field)
  }
  return value
}

/** As {@link nestedFieldNoCopy}; the value is a copy, and yours to change. */
export function nestedFieldCopy(obj: object, ...fields: readonly string[]): unknown {
  return deepCopy(nestedFieldNoCopy(obj, ...fields) as never)
}

/** The text of a field, or undefined. @throws TypeError when it is none */
export function nestedString(obj: object, ...fields: readonly string[]): string | undefined {
  return nested(obj, fields, (value) => typeof value === 'string', 'string')
}

/** The truth value of a field, or undefined. @throws TypeError when it is none */
export function nestedBool(obj: object, ...fields: readonly string[]): boolean | undefined {
  return nested(obj, fields, (value) => typeof value === 'boolean', 'bool')
}

/**
 * The integer of a field, or undefined.
 *
 * **Caveats**: beyond 2^53 it is as exact as the client read it: a bigint, in spite of its type, where the Config says
 * `losslessIntegers`, else rounded.
 *
 * @throws TypeError when it is none, or has more than 64 bits
 */
export function nestedInt64(obj: object, ...fields: readonly string[]): number | undefined {
  return nested<number>(obj, fields, isInteger, 'int64')
}

/**
 * The number of a field, integer or not, or undefined.
 *
 * @throws TypeError when it is none, or a bigint that no number equals
 */
export function nestedNumberAsFloat64(obj: object, ...fields: readonly string[]): number | undefined {
  const value = nested<number | bigint>(obj, fields, isNumber, 'float64 or int64')
  if (typeof value !== 'bigint') return value
  if (BigInt(Number(value)) === value) return Number(value)
  throw new TypeError(
    `${pathOf(fields)} accessor error: int64 value ${value} cannot be losslessly converted to float64`,
  )
}

/** A copy of a field's list of texts, or undefined. @throws TypeError when it is none */
export function nestedStringSlice(obj: object, ...fields: readonly string[]): string[] | undefined {
  const list = nested<unknown[]>(obj, fields, Array.isArray, '[]interface{}')
  return list?.map((item) => {
    if (typeof item === 'string') return item
    throw new TypeError(
      `${pathOf(fields)} accessor error: contains non-string key in the slice: ${wrongType(obj, item, 'string')}`,
    )
  })
}

/** A copy of a field's list, in depth, or undefined. @throws TypeError when it is none */
export function nestedSlice(obj: object, ...fields: readonly string[]): unknown[] | undefined {
  const list = nested<unknown[]>(obj, fields, Array.isArray, '[]interface{}')
  return list && deepCopy<unknown[]>(list)
}

/** A copy of a field's map of texts, such as labels, or undefined. @throws TypeError when it is none */
export function nestedStringMap(obj: object, ...fields: readonly string[]): Record<string, string> | undefined {
  return copyOfTexts(obj, fields)
}

/** As {@link nestedStringMap}; null gives null, and a null in the map gives `''`, as decoding JSON into Go's types does. */
export function nestedNullCoercingStringMap(
  obj: object,
  ...fields: readonly string[]
): Record<string, string> | null | undefined {
  if (nestedFieldNoCopy(obj, ...fields) === null) return null
  return copyOfTexts(obj, fields, '')
}

/** A copy of a field's map, in depth, or undefined. @throws TypeError when it is none */
export function nestedMap(obj: object, ...fields: readonly string[]): Record<string, unknown> | undefined {
  const map = nested<Record<string, unknown>>(obj, fields, isObject, mapType)
  return map && deepCopy<Record<string, unknown>>(map)
}

/**
 * Sets a field, given by the names on the way to it, to a copy of `value`: `setNestedField(obj, 3, 'spec', 'replicas')`.
 * Maps that are missing on the way are made.
 *
 * **Guarantees**: when it throws, the object is as it was.
 *
 * @throws TypeError when something on the way is no map, or the value no JSON
 */
export function setNestedField(obj: object, value: unknown, ...fields: readonly string[]): void {
  const copied = deepCopy(value as never)
  const { parents, last } = splitPath(fields, 'setNestedField')
  let map = obj
  for (const [i, field] of parents.entries()) {
    const next = ownMember(map, field)
    if (next === undefined) {
      // From here on everything is new: nothing can fail any more, so the object is changed in one step.
      const rest = parents.slice(i + 1).reduceRight<unknown>((inner, name) => single(name, inner), single(last, copied))
      return setMember(map, field, rest)
    }
    if (!isObject(next)) {
      throw new TypeError(`value cannot be set because ${pathOf(parents.slice(0, i + 1))} is not a ${mapType}`)
    }
    map = next
  }
  setMember(map, last, copied)
}

/** Removes a field, given by the names on the way to it; without effect where there is none. */
export function removeNestedField(obj: object, ...fields: readonly string[]): void {
  const { parents, last } = splitPath(fields, 'removeNestedField')
  let map: unknown = obj
  for (const field of parents) {
    map = ownMember(map as object, field)
    if (!isObject(map)) return
  }
  delete (map as Record<string, unknown>)[last]
}

const mapType = 'map[string]interface{}'

function isInteger(value: unknown): value is number {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value
  return typeof value === 'number' && isInt64(value)
}

function single(field: string, value: unknown): object {
  const map = {}
  setMember(map, field, value)
  return map
}

function nested<T>(
  obj: object,
  fields: readonly string[],
  is: (value: unknown) => value is T,
  expected: string,
): T | undefined {
  const value = nestedFieldNoCopy(obj, ...fields)
  if (value === undefined || is(value)) return value
  throw accessorError(obj, fields, value, expected)
}

function copyOfTexts(obj: object, fields: readonly string[], forNull?: string): Record<string, string> | undefined {
  const map = nested(obj, fields, isObject, mapType)
  if (!map) return undefined
  const texts: Record<string, string> = {}
  for (const [key, item] of Object.entries(map)) {
    const text = item === null ? forNull : item
    if (typeof text !== 'string') {
      throw new TypeError(
        `${pathOf(fields)} accessor error: contains non-string value in the map under key ${goQuote(key)}: ${wrongType(obj, item, 'string')}`,
      )
    }
    setMember(texts, key, text)
  }
  return texts
}

function splitPath(fields: readonly string[], doing: string): { parents: readonly string[]; last: string } {
  const last = fields.at(-1)
  if (last === undefined) throw new TypeError(`${doing}: which field? give the names on the way to it`)
  return { parents: fields.slice(0, -1), last }
}

function accessorError(obj: object, fields: readonly string[], value: unknown, expected: string): TypeError {
  return new TypeError(`${pathOf(fields)} accessor error: ${wrongType(obj, value, expected)}`)
}

/** With the value, but for a Secret's. */
function wrongType(obj: object, value: unknown, expected: string): string {
  const shown = ownMember(obj, 'kind') === 'Secret' ? 'the value' : goValue(value)
  return `${shown} is of the type ${goType(value)}, expected ${expected}`
}

function pathOf(fields: readonly string[]): string {
  return `.${fields.join('.')}`
}
