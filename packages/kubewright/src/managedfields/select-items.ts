// A value without some of its fields, or with nothing but them.

import { isObject, type Schema, setMember } from '../meta/index.js'
import type { FieldSet } from './field-set.js'
import { elementOfAny } from './list-items.js'
import { deduce, fieldOf, type ListShape, type MapShape, shapeOf } from './shape.js'
import { isEmptyMap, isList, type JsonObject, keysOf } from './values.js'

/** `value` without the fields (or, to `extract`, with nothing but the fields) in the set; null when nothing is left. */
export function selectItems(value: unknown, items: FieldSet, schema: Schema | undefined, extract: boolean): unknown {
  if (!schema) return null
  const { map, scalar, list } = deduce(shapeOf(schema), value)
  if (map) return isObject(value) ? (ofMap(map, value, items, extract) ?? null) : null
  if (scalar) return value
  return list && isList(value) ? (ofList(list, value, items, extract) ?? null) : null
}

function ofList(list: ListShape, value: readonly unknown[], items: FieldSet, extract: boolean): unknown {
  if (!list.associative || value.length === 0) return extract ? value : undefined
  const kept: unknown[] = []
  for (const item of value) {
    const element = elementOfAny(list, item)
    const exact = items.hasElement(element)
    if (exact && !extract) continue
    const below = items.childrenOf(element)
    if (extract && !exact && !below) continue
    kept.push(below ? selectItems(item, below, list.items, extract) : item)
  }
  return kept.length > 0 ? kept : undefined
}

function ofMap(map: MapShape, value: JsonObject, items: FieldSet, extract: boolean): unknown {
  if (map.atomic || isEmptyMap(value)) return extract ? value : undefined
  const kept: Record<string, unknown> = {}
  for (const name of keysOf(value)) {
    const element = { fieldName: name }
    const schema = fieldOf(map, name) ?? map.values
    const item = value[name]
    if (items.hasElement(element)) {
      // With the set of this level, not the one below: what structured-merge-diff does.
      if (extract) setMember(kept, name, selectItems(item, items, schema, extract))
      continue
    }
    const below = items.childrenOf(element)
    if (below) setMember(kept, name, selectItems(item, below, schema, extract))
    else if (!extract) setMember(kept, name, item)
  }
  return isEmptyMap(kept) ? undefined : kept
}
