// Objects to JSON, refusing what JSON would silently lose or change.

/**
 * The JSON text of plain data.
 *
 * Properties that are undefined are left out.
 *
 * @throws TypeError naming the field that JSON cannot carry: NaN and infinities, BigInt, functions, symbols, Date, Map,
 *   Set, Promise and other objects of the language's own that are no plain data, undefined in a list, objects that
 *   contain themselves, and objects nested too deeply.
 */
export function encodeJSON(value: unknown): string {
  const path: (string | number)[] = []
  const problem = findProblem(value, path, new Set(), 0)
  if (problem === undefined) return JSON.stringify(value)
  throw new TypeError(`cannot encode ${describePath(path.reverse())} as JSON: ${problem}`)
}

/** Deeper than any object of the API, and than a server reads. */
const maxDepth = 1000

/** The first thing that JSON cannot carry. `path` receives the way to it, innermost part first. */
function findProblem(
  value: unknown,
  path: (string | number)[],
  parents: Set<object>,
  depth: number,
): string | undefined {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? undefined : `${value} is not a JSON number`
    case 'bigint':
      return 'it is a BigInt; use a number, or a string where the API takes one'
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
  if (value instanceof Date) return 'it is a Date; the API takes a string, such as toISOString() gives'
  if (value instanceof Map || value instanceof Set)
    return `it is a ${value.constructor.name}; use a plain object or array`
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return 'it is binary data; the API takes base64 text'
  if (value instanceof Promise) return 'it is a Promise; await it first'
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return undefined
  // Of a RegExp, a Blob or a boxed number JSON would make {} or lose what it is; instances of classes of one's own are data.
  const [, builtIn = ''] = /^\[object (?!Object\]|Array\])(.+)\]$/.exec(Object.prototype.toString.call(value)) ?? []
  if (builtIn !== '') return `it is a ${builtIn}; use plain data`
  if (depth > maxDepth) return `it is nested more than ${maxDepth} levels deep`
  if (parents.has(value)) return 'it contains itself'
  parents.add(value)
  const isArray = Array.isArray(value)
  for (const key of isArray ? value.keys() : Object.keys(value)) {
    const part = (value as Record<string | number, unknown>)[key]
    const problem =
      part === undefined && isArray
        ? 'it is undefined, which a list cannot hold'
        : findProblem(part, path, parents, depth + 1)
    if (problem !== undefined) {
      path.push(key)
      return problem
    }
  }
  parents.delete(value)
  return undefined
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
