// The data as client-go sees it: maps, arrays, text, whole numbers, fractions, booleans, nothing.

/** A map of JSON: an object that is no array. */
export type JsonMap = Readonly<Record<string, unknown>>

export function isMap(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Keys with a value, in the order of their UTF-8 bytes: Go's, where Go has one. */
export function keysOf(map: JsonMap): string[] {
  return Object.keys(map)
    .filter((key) => map[key] !== undefined)
    .sort(compareText)
}

/** What a container holds: the items of an array, the values of a map. Nothing for other values. */
export function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.includes(undefined) ? Array.from(value, orNull) : value
  return isMap(value) ? keysOf(value).map((key) => value[key]) : []
}

/** An item of an array that is not there is null, as in JSON. */
const orNull = (value: unknown): unknown => value ?? null

/** Whether Go would hold a number as int64, which it does with whole numbers that fit. */
export function isInteger(value: unknown): value is number | bigint {
  if (typeof value === 'bigint') return true
  return Number.isInteger(value) && (value as number) >= -(2 ** 63) && (value as number) < 2 ** 63
}

/** The name of Go's type, for messages. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  if (isMap(value)) return 'map[string]interface {}'
  if (typeof value === 'number' || typeof value === 'bigint') return isInteger(value) ? 'int64' : 'float64'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

/** Negative, 0 or positive: the order of the UTF-8 bytes, which is Go's. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const difference = rank(a.charCodeAt(i)) - rank(b.charCodeAt(i))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** Halves of characters beyond U+FFFF come after all others. */
function rank(codeUnit: number): number {
  return codeUnit >= 0xd800 && codeUnit <= 0xdfff ? codeUnit + 0x10000 : codeUnit
}

/** Negative, 0 or positive; exact between numbers and bigints. */
export function compareNumbers(a: number | bigint, b: number | bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The error of walking in a circle, which JSON cannot have. */
export function circular(): TypeError {
  return new TypeError('cannot look into data that contains itself: objects of the API are plain data')
}
