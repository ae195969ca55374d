// Values of JSON as structured-merge-diff sees them: their order, equality and text. An undefined property is none.

import { goQuote } from '../meta/index.js'

export type JsonObject = Readonly<Record<string, unknown>>

export const isMap = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** Integers beyond 2^53 are bigints, where they were read so. */
export const isNumber = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint'

/** What an object's own property holds; inherited ones are none of the data's. */
export const own = (object: JsonObject, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined)

/** The names of properties that hold something. */
export function keysOf(object: JsonObject): string[] {
  const keys = Object.keys(object)
  return keys.some((key) => object[key] === undefined) ? keys.filter((key) => object[key] !== undefined) : keys
}

export function isEmptyMap(object: JsonObject): boolean {
  for (const key in object) if (Object.hasOwn(object, key) && object[key] !== undefined) return false
  return true
}

/** Puts a property into an object under construction; `__proto__` is a name like any other. */
export function put(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  } else object[key] = value
}

/** The order of Go's strings: by UTF-8 bytes, which is by code points. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i)
    const right = b.charCodeAt(i)
    if (left === right) continue
    // Surrogates stand for what comes after all that a single unit can say.
    const ofSurrogate = left >= 0xd800 && left <= 0xdfff
    if (ofSurrogate !== (right >= 0xd800 && right <= 0xdfff)) return ofSurrogate ? 1 : -1
    return left < right ? -1 : 1
  }
  return a.length < b.length ? -1 : 1
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
  if (!isMap(a)) return (a ?? null) === (b ?? null)
  if (!isMap(b)) return false
  const keys = keysOf(a)
  if (keys.length !== keysOf(b).length) return false
  for (const key of keys) {
    const other = own(b, key)
    if (other === undefined || !equalValues(a[key], other)) return false
  }
  return true
}

/** A number as Go's `%v` prints it. */
function goNumber(value: number | bigint): string {
  const text = String(value)
  if (typeof value === 'bigint') return text
  const size = Math.abs(value)
  if (size < 1e21 && (size >= 1e-4 || value === 0)) return text
  const [digits, exponent] = value.toExponential().split('e') as [string, string]
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`
}

/** A value in the text of a path: `"nginx"`, `80`. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'string') return goQuote(value)
  if (isNumber(value)) return goNumber(value)
  if (isList(value)) return `[${value.map(valueText).join(',')}]`
  if (isMap(value))
    return keysOf(value)
      .map((key) => `${key}=${valueText(value[key])}`)
      .join('')
  return value === true ? 'true' : 'false'
}

/** A value as Go's `%v` prints it in messages. */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (isNumber(value)) return goNumber(value)
  if (typeof value === 'string') return value
  if (isList(value)) return `[${value.map(goText).join(' ')}]`
  if (!isMap(value)) return value === true ? 'true' : 'false'
  const entries = keysOf(value).sort(compareText)
  return `map[${entries.map((key) => `${key}:${goText(value[key])}`).join(' ')}]`
}

/** A value as Go's `%#v` prints it in messages. */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)'
  if (typeof value === 'string') return goQuote(value)
  if (isNumber(value)) return goNumber(value)
  if (isList(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`
  if (!isMap(value)) return value === true ? 'true' : 'false'
  const entries = keysOf(value).sort(compareText)
  return `map[string]interface {}{${entries.map((key) => `${goQuote(key)}:${goSyntax(value[key])}`).join(', ')}}`
}

/** The name of a value's type as Go's `%T` prints it in messages. */
export function goType(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (typeof value === 'bigint') return 'int64'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'string'
  return isList(value) ? '[]interface {}' : 'map[string]interface {}'
}

const controls = /["\\\p{Cc}]/gu
const carefulOfHtml = /["\\\p{Cc}<>&\u2028\u2029]/gu

// Go's encoders have no short forms for the backspace and the form feed, and none for what comes after ASCII.
const escaped = (c: string): string => {
  if (c === '"' || c === '\\') return `\\${c}`
  if (c === '\n') return '\\n'
  if (c === '\r') return '\\r'
  if (c === '\t') return '\\t'
  return c >= '\x7f' && c < '\xa0' ? c : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`
}

const plain = /^[\w .:/@=+-]*$/

/** A text as Go's JSON encoders write the name of a property. */
export const jsonName = (text: string): string =>
  plain.test(text) ? `"${text}"` : `"${text.replace(controls, escaped)}"`

/** A text as Go's JSON encoders write it as a value: careful of HTML. */
export const jsonText = (text: string): string =>
  plain.test(text) ? `"${text}"` : `"${text.replace(carefulOfHtml, escaped)}"`

/** A value as Go's JSON encoders write it. */
export function jsonValue(value: unknown): string {
  if (typeof value === 'string') return jsonText(value)
  if (isList(value)) return `[${value.map(jsonValue).join(',')}]`
  if (typeof value === 'bigint') return String(value)
  if (!isMap(value)) return JSON.stringify(value ?? null)
  const entries = keysOf(value).sort(compareText)
  return `{${entries.map((key) => `${jsonText(key)}:${jsonValue(value[key])}`).join(',')}}`
}
