// Whether two strategic merge patches of one kind contradict each other.

import { goValue, isObject, ownMember, type Schema } from '../../meta/index.js'
import { namesOf } from '../errors.js'
import { equalJson, type JsonObject } from '../json-value.js'
import { marker, retainKeys } from './directives.js'
import { asObject, deduplicate, itemKind, sortScalars } from './lists.js'
import { lookupList, lookupObject, type PatchMeta } from './lookup.js'

/** client-go's strategicpatch.MergingMapsHaveConflicts. */
export function objectsConflict(left: JsonObject, right: JsonObject, schema: Schema): boolean {
  return valuesConflict(left, right, { schema, strategy: '', retainKeys: false, mergeKey: '' })
}

function valuesConflict(left: unknown, right: unknown, meta: PatchMeta): boolean {
  if (isObject(left)) {
    if (!isObject(right)) return true
    const [leftMarks, rightMarks] = [Object.hasOwn(left, marker), Object.hasOwn(right, marker)]
    if (leftMarks !== rightMarks || (leftMarks && left[marker] !== right[marker])) return true
    return meta.strategy !== 'replace' && fieldsConflict(left, right, meta.schema)
  }
  if (!Array.isArray(left)) return !equalJson(left, right)
  return !Array.isArray(right) || listsConflict(left, right, meta)
}

function fieldsConflict(left: JsonObject, right: JsonObject, schema: Schema): boolean {
  for (const key of Object.keys(left)) {
    if (key === marker || key === retainKeys || !Object.hasOwn(right, key)) continue
    const value = left[key]
    const meta = Array.isArray(value)
      ? lookupList(schema, key)
      : isObject(value)
        ? lookupObject(schema, key)
        : { schema, strategy: '', retainKeys: false, mergeKey: '' }
    if (valuesConflict(value, right[key], meta)) return true
  }
  return false
}

function listsConflict(left: readonly unknown[], right: readonly unknown[], meta: PatchMeta): boolean {
  const kind = itemKind(left, right)
  if (meta.strategy === 'merge') {
    if (kind !== 'map') return false
    const others = byKey(right, meta.mergeKey)
    return [...byKey(left, meta.mergeKey)].some(([key, item]) => {
      const other = others.get(key)
      return other !== undefined && valuesConflict(item, other, { ...meta, strategy: '', mergeKey: '' })
    })
  }
  if (left.length !== right.length) return true
  const [a, b] = kind === 'map' ? [left, right] : [sortScalars(deduplicate(left)), sortScalars(deduplicate(right))]
  return a.some((item, i) => valuesConflict(item, b[i], { ...meta, strategy: '', mergeKey: '' }))
}

function byKey(list: readonly unknown[], mergeKey: string): Map<string, JsonObject> {
  const result = new Map<string, JsonObject>()
  for (const value of list) {
    const item = asObject(value)
    if (!Object.hasOwn(item, mergeKey)) {
      throw new Error(`cannot find merge key \`${mergeKey}\` in merging list element:${goValue(namesOf(item))}`)
    }
    result.set(goValue(ownMember(item, mergeKey)), item)
  }
  return result
}
