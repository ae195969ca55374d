// One strategic merge patch merged into an object, or into another patch.

import { goValue, isObject, ownMember, type Schema, setMember } from '../../meta/index.js'
import { namesOf } from '../errors.js'
import { type GoKind, goKind } from '../go-kind.js'
import { equalJson, type JsonObject } from '../json-value.js'
import {
  badDirective,
  badPrimitiveList,
  badRetainKeys,
  badSetElementOrder,
  badType,
  deleteFromList,
  fieldOf,
  hasMarker,
  marker,
  retainKeys,
  setElementOrder,
} from './directives.js'
import {
  asObject,
  deduplicate,
  findByKey,
  interleave,
  itemKind,
  mergeValue,
  normalizeOrder,
  partition,
  sameScalar,
} from './lists.js'
import { lookupList, lookupObject, type PatchMeta } from './lookup.js'

/** Whether a patch is merged into an object, whose result has no directives, or into a patch, which keeps them. */
export type MergeInto = 'object' | 'patch'

/** Merges, changing both; the result shares parts of either. */
export function mergeObjects(original: JsonObject, patch: JsonObject, schema: Schema, into: MergeInto): JsonObject {
  if (Object.hasOwn(patch, marker)) {
    const directive = patch[marker]
    if (directive === 'delete') return {}
    if (directive !== 'replace') throw badDirective(directive, patch)
    delete patch[marker]
    return patch
  }
  applyRetainKeys(original, patch, into)
  mergeOrderedLists(original, patch, schema, into)
  for (const key of Object.keys(patch)) mergeField(key, original, patch[key], schema, into)
  return original
}

function mergeField(patchKey: string, original: JsonObject, value: unknown, schema: Schema, into: MergeInto): void {
  let key = patchKey
  const isDeletion = key.startsWith(deleteFromList)
  if (isDeletion) {
    if (into === 'patch') {
      setMember(original, key, value)
      return
    }
    key = fieldOf(key, deleteFromList, badPrimitiveList)
  }
  if (value === null) {
    delete original[key]
    if (into === 'object') return
  }
  const current = ownMember(original, key)
  if (isObject(current) && isObject(value)) {
    const meta = lookupObject(schema, key)
    setMember(original, key, meta.strategy === 'replace' ? value : mergeObjects(current, value, meta.schema, into))
  } else if (Array.isArray(current) && Array.isArray(value)) {
    setMember(original, key, mergeListField(current, value, lookupList(schema, key), isDeletion, into))
  } else if (isDeletion && (current === undefined || goKind(current) !== goKind(value))) {
    // Nothing to delete from.
  } else {
    if (into === 'object') discardNulls(value)
    const kept = withoutDirectives(value)
    if (kept === undefined) delete original[key]
    else setMember(original, key, kept)
  }
}

/** Removes the members that `$retainKeys` does not name. */
function applyRetainKeys(original: JsonObject, patch: JsonObject, into: MergeInto): void {
  if (!Object.hasOwn(patch, retainKeys)) return
  const inPatch = patch[retainKeys]
  delete patch[retainKeys]
  if (into === 'patch') {
    const inOriginal = ownMember(original, retainKeys)
    if (inOriginal === undefined) original[retainKeys] = inPatch
    else if (!equalJson(inOriginal, inPatch)) {
      throw new Error(
        `${goValue(inOriginal)} and ${goValue(inPatch)} are not deep equal: this may happen when calculating the 3-way diff patch`,
      )
    }
    return
  }
  if (!Array.isArray(inPatch)) throw new Error(badRetainKeys)
  const kept = new Set<unknown>(inPatch)
  for (const key of Object.keys(patch)) {
    const isField = patch[key] !== null && !key.startsWith(deleteFromList) && !key.startsWith(setElementOrder)
    if (isField && !kept.has(key)) throw new Error(badRetainKeys)
  }
  for (const key of Object.keys(original)) if (!kept.has(key)) delete original[key]
}

/** Merges the lists that `$setElementOrder` names, and takes them out of the patch. */
function mergeOrderedLists(original: JsonObject, patch: JsonObject, schema: Schema, into: MergeInto): void {
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(setElementOrder)) continue
    const order = patch[key]
    if (into === 'patch') {
      if (!Object.hasOwn(original, key)) setMember(original, key, order)
      else if (!equalJson(original[key], order)) throw new Error(badSetElementOrder)
    }
    delete patch[key]
    if (!Array.isArray(order)) throw badType('list', goKind(order))
    const name = fieldOf(key, setElementOrder, badSetElementOrder)
    const [before, change] = [listAt(original, name), listAt(patch, name)]
    const meta = lookupList(schema, name)
    checkOrder(change ?? [], order, meta.mergeKey)
    if (!before && !change) continue
    const merged = !change
      ? (before as unknown[])
      : before
        ? mergeListField(before, change, meta, false, into)
        : (withoutDirectives(change) as unknown[])
    const kind = itemKind(before ?? [], change ?? [])
    const [ordered, serverOnly] = partition(merged, order, meta.mergeKey)
    setMember(original, name, arrange(ordered, serverOnly, order, before ?? [], meta.mergeKey, kind))
    delete patch[name]
  }
}

function listAt(object: JsonObject, key: string): unknown[] | undefined {
  if (!Object.hasOwn(object, key)) return undefined
  const list = object[key]
  if (!Array.isArray(list)) throw badType('list', goKind(list))
  return list
}

function arrange(
  patch: readonly unknown[],
  serverOnly: readonly unknown[],
  patchOrder: readonly unknown[],
  serverOrder: readonly unknown[],
  mergeKey: string,
  kind: GoKind,
): unknown[] {
  return interleave(
    normalizeOrder(patch, patchOrder, mergeKey, kind),
    normalizeOrder(serverOnly, serverOrder, mergeKey, kind),
    serverOrder,
    mergeKey,
    kind,
  )
}

/** The items of a patch have to be among those of `$setElementOrder`, in its order. */
function checkOrder(change: readonly unknown[], order: readonly unknown[], mergeKey: string): void {
  if (order.length === 0 || change.length === 0) return
  const kept = mergeKey === '' ? change : change.filter((item) => ownMember(asObject(item), marker) !== 'delete')
  let [i, j] = [0, 0]
  while (i < kept.length && j < order.length) {
    const item = kept[i]
    if (hasMarker(item)) i++
    else if (sameItem(item, order[j++], mergeKey)) i++
  }
  if (i < kept.length && j >= order.length) {
    const told = mergeKey === '' ? change : change.map((item) => namesOf(asObject(item), mergeKey))
    throw new Error(
      `The order in patch list:\n${goValue(told)}\n doesn't match ${setElementOrder} list:\n${goValue(order)}\n`,
    )
  }
}

function sameItem(a: unknown, b: unknown, mergeKey: string): boolean {
  if (mergeKey === '') return sameScalar(a, b)
  const [left, right] = [asObject(a), asObject(b)]
  return sameScalar(mergeValue(left, mergeKey), mergeValue(right, mergeKey))
}

function mergeListField(
  current: unknown[],
  change: unknown[],
  { mergeKey, schema, strategy }: PatchMeta,
  isDeletion: boolean,
  into: MergeInto,
): unknown[] {
  if (strategy !== 'merge' && !isDeletion) return change
  if (current.length === 0 && change.length === 0) return current
  const kind = itemKind(current, change)
  if (kind !== 'map') {
    if (into === 'object' && isDeletion) return current.filter((item) => !change.some((gone) => sameScalar(gone, item)))
    const merged = deduplicate([...current, ...change])
    const [ordered, serverOnly] = partition(merged, change, mergeKey)
    return arrange(ordered, serverOnly, change, current, mergeKey, kind)
  }
  if (mergeKey === '') throw new Error('cannot merge lists without merge key for struct')
  const { base, rest, replace } = applyItemDirectives(current, change, mergeKey)
  const merged = mergeItems(base, rest, mergeKey, schema, into)
  // See the caveat below.
  if (!replace) for (let i = 0; i < merged.length && i < current.length; i++) current[i] = merged[i]
  const [ordered, serverOnly] = partition(merged, rest, mergeKey)
  return arrange(ordered, serverOnly, rest, base, mergeKey, kind)
}

/**
 * Does what items with `$patch` say; `rest` are the others.
 *
 * **Caveats** In Go, what remains of a list and what is added to it share memory with the list before, whose order is then
 * asked for: an added item that has come to where a deleted one was has a place in that order, and server-only items
 * that are not before it come behind it. Patches have to give what the server makes of them, so `current` is changed likewise:
 * items move up, its length stays.
 */
function applyItemDirectives(
  current: unknown[],
  change: readonly unknown[],
  mergeKey: string,
): { base: unknown[]; rest: unknown[]; replace: boolean } {
  const rest: unknown[] = []
  let length = current.length
  let replace = false
  for (const item of change.map(asObject)) {
    if (!Object.hasOwn(item, marker)) {
      rest.push(item)
      continue
    }
    const directive = item[marker]
    if (directive === 'delete') length = deleteItems(current, length, mergeKey, mergeValue(item, mergeKey))
    else if (directive === 'replace') replace = true
    else if (directive === 'merge') throw new Error('merging lists cannot yet be specified in the patch')
    else throw badDirective(directive, item)
  }
  return replace ? { base: rest, rest: [], replace } : { base: current.slice(0, length), rest, replace }
}

/** Moves items up over those with this key; returns how many are left at the start of the list. */
function deleteItems(list: unknown[], length: number, mergeKey: string, value: unknown): number {
  let left = length
  for (;;) {
    const at = findByKey(list.slice(0, left), mergeKey, value)
    if (at < 0) return left
    list.copyWithin(at, at + 1, left)
    left--
  }
}

function mergeItems(
  base: readonly unknown[],
  change: readonly unknown[],
  mergeKey: string,
  schema: Schema,
  into: MergeInto,
): unknown[] {
  const merged = [...base]
  for (const item of change) {
    const patch = item as JsonObject
    const at = findByKey(merged, mergeKey, mergeValue(patch, mergeKey))
    if (at < 0) merged.push(patch)
    else merged[at] = mergeObjects(merged[at] as JsonObject, patch, schema, into)
  }
  return merged
}

function discardNulls(value: unknown): void {
  if (Array.isArray(value)) value.forEach(discardNulls)
  if (!isObject(value)) return
  for (const key of Object.keys(value)) {
    if (value[key] === null) delete value[key]
    else discardNulls(value[key])
  }
}

/** The value without members and items that are directives; undefined where it is one itself. */
function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined)
  if (!isObject(value)) return value
  if (Object.hasOwn(value, marker)) return undefined
  for (const key of Object.keys(value)) {
    const kept = withoutDirectives(value[key])
    if (kept === undefined) delete value[key]
    else setMember(value, key, kept)
  }
  return value
}
