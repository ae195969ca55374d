// Values as Go writes them in messages, and the names of their types there, so that messages are Go's to the letter.

import { isObject } from './json-value.js'

/** Go's `%v`: `map[name:web ports:[80]]`. */
export function goFormat(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (typeof value === 'number') return formatNumber(value)
  if (Array.isArray(value)) return `[${value.map(goFormat).join(' ')}]`
  if (typeof value === 'string') return value
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  if (!isObject(value)) return typeof value
  const keys = Object.keys(value).sort(compareText)
  return `map[${keys.map((key) => `${key}:${goFormat(value[key])}`).join(' ')}]`
}

function formatNumber(value: number): string {
  if (Number.isSafeInteger(value)) return String(value)
  const text = String(value)
  const exponent = Math.floor(Math.log10(Math.abs(value)))
  // Go changes to exponents elsewhere than JavaScript does, and writes two digits of them.
  const scientific = exponent < -4 || exponent >= 21 ? value.toExponential() : text
  return scientific.replace(/e([+-])(\d)$/, 'e$10$2')
}

/** The order of Go's strings: that of their bytes in UTF-8, which is that of code points. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (x === y) continue
    // Halves of a pair stand for code points above all others.
    const [high, other] = [x >= 0xd800 && x < 0xe000, y >= 0xd800 && y < 0xe000]
    return high === other ? x - y : high ? 1 : -1
  }
  return a.length - b.length
}

/** What Go's decoder makes of a value: the types that patches tell apart. */
export type GoKind = 'map' | 'list' | 'string' | 'int64' | 'float64' | 'bool' | 'nil'

export function goKind(value: unknown): GoKind {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'boolean':
      return 'bool'
    case 'bigint':
      return 'int64'
    case 'number':
      return Number.isSafeInteger(value) ? 'int64' : 'float64'
    default:
      return value === null || value === undefined ? 'nil' : Array.isArray(value) ? 'list' : 'map'
  }
}

/** The name of a type in Go's messages. */
export function goTypeName(kind: GoKind): string {
  const names: Partial<Record<GoKind, string>> = {
    map: 'map[string]interface {}',
    list: '[]interface {}',
    nil: '%!s(<nil>)',
  }
  return names[kind] ?? kind
}
