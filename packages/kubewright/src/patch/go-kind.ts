// The types of Go that patches tell apart, and their names in messages, so that these are Go's to the letter.

import { isInt64 } from '../meta/index.js'

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
      return isInt64(value) ? 'int64' : 'float64'
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
