// The one place where JSON of a server becomes values: whole answers, slices of long lists, events of a watch.

import { parseLossless } from '../meta/index.js'
import { textOf } from './bytes.js'

/**
 * Text of JSON to a value.
 *
 * @throws SyntaxError
 */
export type JSONParser = (text: string) => unknown

/**
 * How a Config wants answers read: by JSON.parse, whose numbers are doubles, or with large integers as bigint.
 */
export function jsonParserFor({ losslessIntegers }: { losslessIntegers: boolean }): JSONParser {
  return losslessIntegers ? parseLossless : parseJSONText
}

/**
 * Bytes of UTF-8 to a value.
 *
 * @throws SyntaxError
 */
export function parseJSON(bytes: Uint8Array, parse: JSONParser = parseJSONText): unknown {
  return parse(textOf(bytes))
}

/** By JSON.parse: integers beyond 2^53 lose their last digits. */
export function parseJSONText(text: string): unknown {
  return JSON.parse(text)
}
