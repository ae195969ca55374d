// One step of a path: which field of an object, or which item of a list.

import { compareText, goQuote, isObject, ownMember, parseLossless } from '../meta/index.js'
import { jsonName, jsonValue } from './go-json.js'
import { compareValues, keysOf, valueText } from './values.js'

/** A key field of a list's item, and its value. */
export interface KeyField {
  readonly name: string
  readonly value: unknown
}

/** Selects a field of an object by its name. */
export interface FieldNameElement {
  readonly fieldName: string
}

/** Selects the item of a keyed list whose key fields have these values; sorted by name. */
export interface KeyElement {
  readonly key: readonly KeyField[]
}

/** Selects the item of a set that has this value. */
export interface ValueElement {
  readonly value: unknown
}

/** Selects an item of a list by its position. */
export interface IndexElement {
  readonly index: number
}

/** One step of a {@link Path}. Made by {@link fieldName}, {@link keyElement}, {@link valueElement}, {@link indexElement}. */
export type PathElement = FieldNameElement | KeyElement | ValueElement | IndexElement

/** The way to a value in an object, from the object itself. */
export type Path = readonly PathElement[]

/** The field of an object with this name. */
export const fieldName = (name: string): FieldNameElement => ({ fieldName: name })

/** The item of a keyed list with these values in its key fields: `keyElement({ name: 'nginx' })`. */
export const keyElement = (fields: Readonly<Record<string, unknown>>): KeyElement => ({
  key: sortedKey(keysOf(fields).map((name) => ({ name, value: fields[name] }))),
})

/** The item of a set that has this value. */
export const valueElement = (value: unknown): ValueElement => ({ value })

/** The item of a list at this position, from 0. */
export const indexElement = (index: number): IndexElement => ({ index })

export const sortedKey = (key: KeyField[]): readonly KeyField[] =>
  key.length < 2 ? key : key.sort((a, b) => compareText(a.name, b.name))

/** What a path may be written with: names of fields, positions in lists, key fields of items, and elements. */
export type PathPart = string | number | PathElement | Readonly<Record<string, unknown>>

const isElement = (part: object): part is PathElement => {
  if (Object.keys(part).length !== 1) return false
  if ('fieldName' in part) return typeof part.fieldName === 'string'
  if ('index' in part) return typeof part.index === 'number'
  return 'key' in part && Array.isArray(part.key)
}

/**
 * A path of its parts: a text is a field's name, a number a position, an object the key fields of an item
 * (`makePath('spec', 'template', 'spec', 'containers', { name: 'nginx' }, 'image')`). An item of a set is written
 * with {@link valueElement}.
 *
 * **Caveats**: an object with `value` as its only property is a {@link ValueElement}; an item whose key field has
 * that name is written with {@link keyElement}.
 */
export function makePath(...parts: readonly PathPart[]): Path {
  return parts.map((part) => {
    if (typeof part === 'string') return fieldName(part)
    if (typeof part === 'number') return indexElement(part)
    if (isElement(part)) return part
    const names = Object.keys(part)
    if (names.length === 1 && names[0] === 'value') return part as unknown as ValueElement
    if (names.length === 0)
      throw new Error('associative list key type path elements must have at least one key (got zero)')
    return keyElement(part)
  })
}

/** A path as the API server prints it: `.spec.template.spec.containers[name="nginx"].image`. */
export const formatPath = (path: Path): string => path.map(formatElement).join('')

export function formatElement(element: PathElement): string {
  if ('fieldName' in element) return `.${element.fieldName}`
  if ('key' in element) return `[${element.key.map(({ name, value }) => `${name}=${valueText(value)}`).join(',')}]`
  if ('index' in element) return `[${element.index}]`
  return element.value === undefined ? '{{invalid path element}}' : `[=${valueText(element.value)}]`
}

/** Selects nothing that could be named. Equal to itself, never written. @internal */
export const invalidElement: ValueElement = { value: undefined }

const rank = (element: PathElement): number =>
  'fieldName' in element ? 0 : 'key' in element ? 1 : 'value' in element ? 2 : 3

/** The order of elements in FieldsV1: names, keys, values, positions. Negative, 0 or positive. */
export function compareElements(a: PathElement, b: PathElement): number {
  if ('fieldName' in a && 'fieldName' in b) return compareText(a.fieldName, b.fieldName)
  if ('key' in a && 'key' in b) return compareKeys(a.key, b.key)
  if ('value' in a && 'value' in b) return compareValues(a.value, b.value)
  if ('index' in a && 'index' in b) return a.index - b.index
  return rank(a) - rank(b)
}

function compareKeys(a: readonly KeyField[], b: readonly KeyField[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const left = a[i] as KeyField
    const right = b[i] as KeyField
    const order = compareText(left.name, right.name) || compareValues(left.value, right.value)
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** An element as FieldsV1 writes it: `f:image`, `k:{"name":"nginx"}`, `v:"x"`, `i:0`. Equal elements have equal texts. */
export function serializeElement(element: PathElement): string {
  if ('fieldName' in element) return `f:${element.fieldName}`
  if ('key' in element)
    return `k:{${element.key.map(({ name, value }) => `${jsonName(name)}:${jsonValue(value)}`).join(',')}}`
  if ('index' in element) return `i:${element.index}`
  return element.value === undefined ? '?' : `v:${jsonValue(element.value)}`
}

/**
 * Reads an element as FieldsV1 writes it; undefined for a type of element that nobody knows yet, which is to be
 * ignored.
 *
 * @throws Error for what is no element
 */
export function parseElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new Error('key must be 2 characters long:')
  if (text[1] !== ':') throw new Error(`missing colon: ${text}`)
  const rest = text.slice(2)
  switch (text[0]) {
    case 'f':
      return { fieldName: rest }
    case 'v':
      return { value: parsed(text, rest) }
    case 'k':
      return { key: parsedKey(text, rest) }
    case 'i':
      if (!/^[+-]?\d+$/.test(rest)) throw new Error(`strconv.Atoi: parsing ${goQuote(rest)}: invalid syntax`)
      return { index: Number(rest) + 0 }
    default:
      return undefined
  }
}

function parsed(text: string, json: string): unknown {
  try {
    return parseLossless(json)
  } catch (err) {
    throw new Error(`no valid JSON after the colon: ${text}`, { cause: err })
  }
}

function parsedKey(text: string, json: string): readonly KeyField[] {
  const fields = parsed(text, json)
  if (fields === null) return []
  if (!isObject(fields)) throw new Error(`no JSON object after the colon: ${text}`)
  return sortedKey(Object.keys(fields).map((name) => ({ name, value: ownMember(fields, name) })))
}
