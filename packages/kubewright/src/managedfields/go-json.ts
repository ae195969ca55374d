// Values as Go's JSON encoders write them: sets find elements by this text, and the server has it in managedFields.

import { compareText, isObject } from '../meta/index.js'
import { isList, keysOf } from './values.js'

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
  if (!isObject(value)) return JSON.stringify(value ?? null)
  const entries = keysOf(value).sort(compareText)
  return `{${entries.map((key) => `${jsonText(key)}:${jsonValue(value[key])}`).join(',')}}`
}
