// JSON values as Go's fmt prints them, for messages that are Go's.

import { compareText } from './compare-text.js'
import { isNumber } from './is-number.js'

/** The Go type that a JSON value is decoded into: fmt's `%T`. */
export function goType(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'boolean':
      return 'bool'
    case 'bigint':
      return BigInt.asIntN(64, value) === value ? 'int64' : 'float64'
    case 'number':
      return isInt64(value) ? 'int64' : 'float64'
    case 'object':
      return 'map[string]interface {}'
    default:
      return typeof value
  }
}

/** A JSON value in Go's words: fmt's `%v`. */
export function goValue(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(goValue).join(' ')}]`
  if (isNumber(value)) return goNumber(value)
  if (typeof value === 'boolean') return String(value)
  if (typeof value !== 'object') return typeof value === 'string' ? value : typeof value
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  entries.sort(([a], [b]) => compareText(a, b))
  return `map[${entries.map(([key, item]) => `${key}:${goValue(item)}`).join(' ')}]`
}

/** Whether a number is what Go's decoder makes an int64 of. JSON text such as `1.0` cannot be told from `1` here. */
export function isInt64(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63
}

/** A number in Go's words: fmt's `%v`, with an exponent of at least two digits for what is below 1e-4, or a fraction of 1e6 or more. */
export function goNumber(value: number | bigint): string {
  if (typeof value === 'bigint' || isInt64(value)) return String(value)
  const [digits = '', power = '0'] = value.toExponential().split('e')
  const exponent = Number(power)
  if (!Number.isFinite(value) || (exponent >= -4 && exponent < 6)) return String(value)
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}
