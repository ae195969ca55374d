// Objects to JSON, refusing what JSON would silently lose or change.

import { stringifyWithBigInts } from './stringify-bigint.js'

/** Options of {@link encodeJSON}. */
export interface EncodeOptions {
  /** Take whole numbers beyond 2^53 as they are. For what no server gets to see. @defaultValue false */
  readonly allowRounded?: boolean | undefined
}

/**
 * The JSON text of plain data. A bigint is written as its digits. Half of a character beyond U+FFFF, which no text in UTF-8
 * can hold, becomes U+FFFD, as Go writes it and the API server would read it.
 *
 * Properties that are undefined are left out. A `toJSON` of an object's own is called twice: what it gives is checked too.
 *
 * @throws TypeError naming the field that JSON cannot carry: NaN and infinities, functions, symbols, Date, Map, Set,
 *   Promise and other objects of the language's own that are no plain data, undefined in a list, objects that contain
 *   themselves, and objects nested too deeply. And one that may not be what it was: a whole number beyond 2^53 that would
 *   have fitted 64 bits, as reading rounds those. Also for a bigint of more than 64 bits.
 */
export function encodeJSON(value: unknown, { allowRounded = false }: EncodeOptions = {}): string {
  const search: Search = { path: [], parents: new Set(), hasBigInt: false, allowRounded }
  const problem = findProblem(value, search, 0)
  if (problem !== undefined) {
    throw new TypeError(`cannot encode ${describePath(search.path.reverse())} as JSON: ${problem}`)
  }
  return withPlainText(search.hasBigInt ? stringifyWithBigInts(value) : JSON.stringify(value))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: some of the characters in question
const special = /\\ud|[\x7f-\x9f\u2028\u2029\ufffe\uffff]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: some of the characters in question
const escapesAndSpecials = /\\(ud[\da-f]{3}|.)|[\x7f-\x9f\u2028\u2029\ufffe\uffff]/g

/**
 * The same JSON without what an API server does not read as JSON says. It takes what is applied for YAML: there, half of a
 * pair is an error, as are control characters beyond ASCII's first 32, and what YAML calls the end of a line is folded into a
 * space.
 */
function withPlainText(json: string): string {
  if (!special.test(json)) return json
  return json.replace(escapesAndSpecials, (found, escape?: string) => {
    if (escape === undefined) return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`
    return escape.length > 1 ? '\uFFFD' : found
  })
}

/** What {@link findProblem} knows on its way. */
interface Search {
  /** Receives the way to the problem, innermost part first. */
  readonly path: (string | number)[]
  readonly parents: Set<object>
  hasBigInt: boolean
  readonly allowRounded: boolean
}

/** Deeper than any object of the API, and than a server reads. */
const maxDepth = 1000

/** The first thing that JSON cannot carry. */
function findProblem(value: unknown, search: Search, depth: number): string | undefined {
  switch (typeof value) {
    case 'number':
      return Number.isSafeInteger(value) ? undefined : numberProblem(value, search)
    case 'bigint':
      search.hasBigInt = true
      return BigInt.asIntN(64, value) === value ? undefined : `${value} has more than the 64 bits of the API's integers`
    case 'function':
      return 'it is a function'
    case 'symbol':
      return 'it is a symbol'
    case 'object':
      break
    default:
      return undefined
  }
  if (value === null) return undefined
  const problem = foreignProblem(value)
  if (problem !== undefined) return problem
  const { toJSON } = value as { toJSON?: unknown }
  if (typeof toJSON !== 'function') return partsProblem(value, search, depth)
  // JSON.stringify asks once: of what toJSON gives, only the parts are asked again.
  const given: unknown = toJSON.call(value, '')
  if (given === undefined) return 'its toJSON() gives undefined; have it give plain data'
  if (typeof given !== 'object' || given === null) return findProblem(given, search, depth)
  return foreignProblem(given) ?? partsProblem(given, search, depth)
}

/** What is wrong with an object of the language's own that holds something else than its fields, if anything. */
function foreignProblem(value: object): string | undefined {
  if (value instanceof Date) return 'it is a Date; the API takes a string, such as toISOString() gives'
  if (value instanceof Map || value instanceof Set)
    return `it is a ${value.constructor.name}; use a plain object or array`
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return 'it is binary data; the API takes base64 text'
  return value instanceof Promise ? 'it is a Promise; await it first' : undefined
}

/** The first thing in an object or a list that JSON cannot carry. */
function partsProblem(value: object, search: Search, depth: number): string | undefined {
  // Of a RegExp, a Blob or a boxed number JSON would make {} or lose what it is; instances of classes of one's own are data.
  const [, builtIn = ''] = /^\[object (?!Object\]|Array\])(.+)\]$/.exec(Object.prototype.toString.call(value)) ?? []
  if (builtIn !== '') return `it is a ${builtIn}; use plain data`
  if (depth > maxDepth) return `it is nested more than ${maxDepth} levels deep`
  const { path, parents } = search
  if (parents.has(value)) return 'it contains itself'
  parents.add(value)
  const isArray = Array.isArray(value)
  for (const key of isArray ? value.keys() : Object.keys(value)) {
    const part = (value as Record<string | number, unknown>)[key]
    const problem =
      part === undefined && isArray ? 'it is undefined, which a list cannot hold' : findProblem(part, search, depth + 1)
    if (problem !== undefined) {
      path.push(key)
      return problem
    }
  }
  parents.delete(value)
  return undefined
}

/** What is wrong with a number that is no safe integer, if anything. */
function numberProblem(value: number, { allowRounded }: Search): string | undefined {
  if (!Number.isFinite(value)) return `${value} is not a JSON number`
  // Rounding makes 2^63 of the greatest integers. What is greater was none, but a floating-point number.
  if (allowRounded || !Number.isInteger(value) || Math.abs(value) > 2 ** 63) return undefined
  return (
    `${BigInt(value)} is beyond 2^53, where a number is rounded: it may not be what the server sent. ` +
    'Set losslessIntegers of the Config to read such integers as bigint, or write a bigint'
  )
}

function describePath(path: readonly (string | number)[]): string {
  if (path.length === 0) return 'the value'
  const shown = path
    .slice(0, 20)
    .map((part, i) => {
      if (typeof part === 'number') return `[${part}]`
      if (!/^[A-Za-z_$][\w$]*$/.test(part)) return `[${JSON.stringify(part)}]`
      return i === 0 ? part : `.${part}`
    })
    .join('')
  return path.length > 20 ? `${shown}…` : shown
}
