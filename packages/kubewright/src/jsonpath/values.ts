// The data as client-go sees it: maps, arrays, text, whole numbers, fractions, booleans, nothing.

import { compareText, isObject } from '../meta/index.js'

/** A map of JSON: an object that is no array. */
export type JsonMap = Readonly<Record<string, unknown>>

/** Keys with a value, in the order of their UTF-8 bytes: Go's, where Go has one. */
export function keysOf(map: JsonMap): string[] {
  return Object.keys(map)
    .filter((key) => map[key] !== undefined)
    .sort(compareText)
}

/** What a container holds: the items of an array, the values of a map. Nothing for other values. */
export function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.includes(undefined) ? Array.from(value, orNull) : value
  return isObject(value) ? keysOf(value).map((key) => value[key]) : []
}

/** An item of an array that is not there is null, as in JSON. */
const orNull = (value: unknown): unknown => value ?? null

/** Negative, 0 or positive; exact between numbers and bigints. */
export function compareNumbers(a: number | bigint, b: number | bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The error of walking in a circle, which JSON cannot have. */
export function circular(): TypeError {
  return new TypeError('cannot look into data that contains itself: objects of the API are plain data')
}
