// Values of JSON as structured-merge-diff sees them: their order, equality and text. An undefined property is none.

import { compareText, goNumber, goQuote, isNumber, isObject, ownMember } from '../meta/index.js'

export type JsonObject = Readonly<Record<string, unknown>>

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** The names of properties that hold something. */
export function keysOf(object: JsonObject): string[] {
  const keys = Object.keys(object)
  return keys.some((key) => object[key] === undefined) ? keys.filter((key) => object[key] !== undefined) : keys
}

export function isEmptyMap(object: JsonObject): boolean {
  for (const key in object) if (Object.hasOwn(object, key) && object[key] !== undefined) return false
  return true
}

// Numbers, texts, booleans, lists, objects, null: in this order.
function rank(value: unknown): number {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return 0
    case 'string':
      return 1
    case 'boolean':
      return 2
    default:
      return value === null || value === undefined ? 5 : isList(value) ? 3 : 4
  }
}

/** The order of values in sets: negative, 0 or positive. */
export function compareValues(a: unknown, b: unknown): number {
  const kind = rank(a)
  const difference = kind - rank(b)
  if (difference !== 0) return difference
  switch (kind) {
    case 1:
      return compareText(a as string, b as string)
    case 3:
      return compareLists(a as readonly unknown[], b as readonly unknown[])
    case 4:
      return compareMaps(a as JsonObject, b as JsonObject)
    case 5:
      return 0
    default:
      return (a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0
  }
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const order = compareValues(a[i], b[i])
    if (order !== 0) return order
  }
  return a.length - b.length
}

function compareMaps(a: JsonObject, b: JsonObject): number {
  const left = keysOf(a).sort(compareText)
  const right = keysOf(b).sort(compareText)
  for (let i = 0; i < left.length && i < right.length; i++) {
    // The object that has the key that the other has not comes later.
    const order =
      -compareText(left[i] as string, right[i] as string) || compareValues(a[left[i] as string], b[right[i] as string])
    if (order !== 0) return order
  }
  return left.length - right.length
}

/** Whether two values are the same: objects without regard to order, a bigint and the number that reading makes of it. */
export function equalValues(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a === 'bigint') return typeof b === 'number' && Number(a) === b
  if (typeof b === 'bigint') return typeof a === 'number' && Number(b) === a
  if (isList(a)) {
    if (!isList(b) || a.length !== b.length) return false
    for (let i = 0; i < a.length; i++) if (!equalValues(a[i], b[i])) return false
    return true
  }
  if (!isObject(a)) return (a ?? null) === (b ?? null)
  if (!isObject(b)) return false
  const keys = keysOf(a)
  if (keys.length !== keysOf(b).length) return false
  for (const key of keys) {
    const other = ownMember(b, key)
    if (other === undefined || !equalValues(a[key], other)) return false
  }
  return true
}

/** A value in the text of a path: `"nginx"`, `80`. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'string') return goQuote(value)
  if (isNumber(value)) return goNumber(value)
  if (isList(value)) return `[${value.map(valueText).join(',')}]`
  if (isObject(value))
    return keysOf(value)
      .map((key) => `${key}=${valueText(value[key])}`)
      .join('')
  return value === true ? 'true' : 'false'
}

/** A value as Go's `%#v` prints it in messages. */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)'
  if (typeof value === 'string') return goQuote(value)
  if (isNumber(value)) return goNumber(value)
  if (isList(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`
  if (!isObject(value)) return value === true ? 'true' : 'false'
  const entries = keysOf(value).sort(compareText)
  return `map[string]interface {}{${entries.map((key) => `${goQuote(key)}:${goSyntax(value[key])}`).join(', ')}}`
}
