// The strategic merge patch between two objects.

import { compareText, goValue, isObject, type Schema, setMember } from '../../meta/index.js'
import { equalJson, type JsonObject } from '../json-value.js'
import { deleteFromList, marker, retainKeys, setElementOrder } from './directives.js'
import { deduplicate, itemKind, mergeValue, normalizeOrder, sameScalar, sortedByKey, sortScalars } from './lists.js'
import { lookupList, lookupObject, type PatchMeta } from './lookup.js'

/** Which half of a difference is wanted, and how it is said. */
export interface DiffOptions {
  /** Say the order of lists that changed. */
  readonly setElementOrder: boolean
  readonly ignoreChangesAndAdditions: boolean
  readonly ignoreDeletions: boolean
}

/** What to send so that `original` becomes `modified`. Sorts lists of scalars of `original`; the result shares parts of `modified`. */
export function diffObjects(
  original: JsonObject,
  modified: JsonObject,
  schema: Schema,
  options: DiffOptions,
  buildRetainKeys = false,
): JsonObject {
  const patch: JsonObject = {}
  for (const key of Object.keys(modified)) {
    const value = modified[key]
    if (!Object.hasOwn(original, key)) {
      if (!options.ignoreChangesAndAdditions) setMember(patch, key, value)
      continue
    }
    const before = original[key]
    if (key === marker) diffMarkers(before, value, patch)
    else if (isObject(before) && isObject(value)) diffObjectField(key, before, value, patch, schema, options)
    else if (Array.isArray(before) && Array.isArray(value)) diffListField(key, before, value, patch, schema, options)
    else if (!options.ignoreChangesAndAdditions && !equalJson(before, value)) setMember(patch, key, value)
  }
  if (!options.ignoreDeletions) {
    for (const key of Object.keys(original)) if (!Object.hasOwn(modified, key)) setMember(patch, key, null)
  }
  if (buildRetainKeys) addRetainKeys(original, modified, patch)
  return patch
}

function addRetainKeys(original: JsonObject, modified: JsonObject, patch: JsonObject): void {
  const kept = Object.keys(modified).filter((key) => modified[key] !== null)
  if (kept.length === 0) return
  const clears = Object.keys(original).some((key) => original[key] !== null && !Object.hasOwn(modified, key))
  if (Object.keys(patch).length > 0 || clears) patch[retainKeys] = kept.sort(compareText)
}

function diffMarkers(before: unknown, value: unknown, patch: JsonObject): void {
  if (typeof before !== 'string' || typeof value !== 'string') {
    throw new Error(`invalid value for special key: ${marker}`)
  }
  if (before !== value) patch[marker] = value
}

/** What the schema says of a field; undefined where it says nothing and that does not matter. */
function metaUnlessEqual(find: () => PatchMeta, before: unknown, value: unknown): PatchMeta | undefined {
  try {
    return find()
  } catch (err) {
    if (equalJson(before, value)) return undefined
    throw err
  }
}

function diffObjectField(
  key: string,
  before: JsonObject,
  value: JsonObject,
  patch: JsonObject,
  schema: Schema,
  options: DiffOptions,
): void {
  const meta = metaUnlessEqual(() => lookupObject(schema, key), before, value)
  if (!meta) return
  if (meta.strategy === 'replace') {
    if (!options.ignoreChangesAndAdditions) setMember(patch, key, value)
    return
  }
  const inner = diffObjects(before, value, meta.schema, options, meta.retainKeys)
  if (Object.keys(inner).length > 0) setMember(patch, key, inner)
}

function diffListField(
  key: string,
  before: unknown[],
  value: unknown[],
  patch: JsonObject,
  schema: Schema,
  options: DiffOptions,
): void {
  const meta = metaUnlessEqual(() => lookupList(schema, key), before, value)
  if (!meta) return
  if (meta.strategy !== 'merge') {
    if (!options.ignoreChangesAndAdditions && !equalJson(before, value)) setMember(patch, key, value)
    return
  }
  const { add, remove, order } = diffLists(before, value, meta, options)
  if (add.length > 0) setMember(patch, key, add)
  if (remove.length > 0) patch[`${deleteFromList}/${key}`] = remove
  if (order.length > 0) patch[`${setElementOrder}/${key}`] = order
}

interface ListDiff {
  add: unknown[]
  /** Scalars that go; objects that go are in `add`, with a directive. */
  remove: unknown[]
  order: unknown[]
}

function diffLists(original: unknown[], modified: unknown[], meta: PatchMeta, options: DiffOptions): ListDiff {
  if (original.length === 0) {
    return { add: modified.length === 0 || options.ignoreChangesAndAdditions ? [] : modified, remove: [], order: [] }
  }
  return itemKind(original, modified) === 'map'
    ? diffListsOfObjects(original, modified, meta, options)
    : diffListsOfScalars(original, modified, options)
}

function diffListsOfObjects(
  original: readonly unknown[],
  modified: readonly unknown[],
  meta: PatchMeta,
  options: DiffOptions,
): ListDiff {
  const { mergeKey } = meta
  const { changed, deleted } = compareByKey(original, modified, meta, options)
  const add = [...normalizeOrder(changed, modified, mergeKey, 'map'), ...deleted]
  const orderSame = isOrderSame(original, modified, mergeKey)
  const sayOrder =
    options.setElementOrder &&
    ((!options.ignoreChangesAndAdditions && (add.length > 0 || !orderSame)) ||
      (!options.ignoreDeletions && add.length > 0))
  const order = sayOrder
    ? modified.map((item) => {
        const key: JsonObject = {}
        setMember(key, mergeKey, (item as JsonObject)[mergeKey])
        return key
      })
    : []
  return { add, remove: [], order }
}

function isOrderSame(original: readonly unknown[], modified: readonly unknown[], mergeKey: string): boolean {
  if (original.length !== modified.length) return false
  return modified.every((item, i) =>
    sameScalar(mergeValue(original[i] as JsonObject, mergeKey), mergeValue(item as JsonObject, mergeKey)),
  )
}

/** Walks along both lists, sorted by their merge keys. */
function compareByKey(
  original: readonly unknown[],
  modified: readonly unknown[],
  { mergeKey, retainKeys: buildRetainKeys, schema }: PatchMeta,
  options: DiffOptions,
): { changed: unknown[]; deleted: unknown[] } {
  const changed: unknown[] = []
  const deleted: unknown[] = []
  const [before, after] = [sortedByKey(original, mergeKey), sortedByKey(modified, mergeKey)]
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    const [left, right] = [before[i], after[j]]
    const leftKey = left && mergeValue(left, mergeKey)
    const rightKey = right && mergeValue(right, mergeKey)
    const difference = !left ? 1 : !right ? -1 : compareText(goValue(leftKey), goValue(rightKey))
    if (left && right && difference === 0) {
      const inner = diffObjects(left, right, schema, options, buildRetainKeys)
      if (Object.keys(inner).length > 0) {
        setMember(inner, mergeKey, rightKey)
        changed.push(inner)
      }
      i++
      j++
    } else if (difference > 0) {
      if (!options.ignoreChangesAndAdditions) changed.push(right)
      j++
    } else {
      if (!options.ignoreDeletions) {
        const directive: JsonObject = {}
        setMember(directive, mergeKey, leftKey)
        directive[marker] = 'delete'
        deleted.push(directive)
      }
      i++
    }
  }
  return { changed, deleted }
}

function diffListsOfScalars(original: unknown[], modified: unknown[], options: DiffOptions): ListDiff {
  const [before, after] = [sortScalars(original), sortScalars([...modified])]
  const added: unknown[] = []
  const removed: unknown[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    const difference =
      i >= before.length ? 1 : j >= after.length ? -1 : compareText(goValue(before[i]), goValue(after[j]))
    if (difference > 0) {
      if (!options.ignoreChangesAndAdditions) added.push(after[j])
    } else if (difference < 0 && !options.ignoreDeletions) removed.push(before[i])
    if (difference <= 0) i++
    if (difference >= 0) j++
  }
  const remove = deduplicate(removed)
  const sayOrder =
    options.setElementOrder &&
    ((!options.ignoreDeletions && remove.length > 0) ||
      (!options.ignoreChangesAndAdditions && !equalJson(before, modified)))
  return { add: normalizeOrder(added, modified, '', 'string'), remove, order: sayOrder ? modified : [] }
}
