// Lists as strategic merge patches see them: the type of their items, their order, an item by its merge key.

import { goValue, isObject, ownMember } from '../../meta/index.js'
import { type GoKind, goKind, goTypeName } from '../go-kind.js'
import type { JsonObject } from '../json-value.js'
import { badType, marker, noListOfLists, noMergeKey } from './directives.js'
import { sortByText, sortStable } from './go-sort.js'

/** The type that all items of the lists have. @throws Error where there is none, or more than one */
export function itemKind(...lists: readonly (readonly unknown[])[]): GoKind {
  let kind: GoKind | undefined
  for (const list of lists) {
    for (const item of list) {
      const found = goKind(item)
      if (kind === undefined) {
        if (found === 'list') throw new Error(noListOfLists)
        kind = found
      } else if (found !== kind) {
        throw new Error(`list element types are not identical: ${goTypeName(kind)} and ${goTypeName(found)}`)
      }
    }
  }
  if (kind === undefined) throw new Error('no elements in any of the given slices')
  return kind
}

/** The item as an object. */
export function asObject(item: unknown): JsonObject {
  if (isObject(item)) return item
  throw badType('map', goKind(item))
}

/** The value of an object's merge key. @throws Error where it has none */
export function mergeValue(item: JsonObject, mergeKey: string): unknown {
  if (!Object.hasOwn(item, mergeKey)) throw noMergeKey(item, mergeKey)
  return item[mergeKey]
}

/** Where the item with this merge key is, -1 where there is none. */
export function findByKey(list: readonly unknown[], mergeKey: string, value: unknown): number {
  for (const [i, item] of list.entries()) {
    if (!isObject(item)) throw new Error(`value for key ${i} is not a map`)
    if (Object.hasOwn(item, mergeKey) && sameScalar(item[mergeKey], value)) return i
  }
  return -1
}

/** Scalars of the same type and value. */
export function sameScalar(a: unknown, b: unknown): boolean {
  // oxlint-disable-next-line eqeqeq -- a number and a bigint of the same value
  return a === b || (typeof a !== typeof b && goKind(a) === 'int64' && goKind(b) === 'int64' && a == b)
}

/** Sorts scalars by their text, in place. */
export function sortScalars(list: unknown[]): unknown[] {
  return sortByText(list, goValue)
}

/** The objects of a list, by the text of their merge key. */
export function sortedByKey(list: readonly unknown[], mergeKey: string): JsonObject[] {
  if (list.length > 0) itemKind(list)
  return sortByText(list.map(asObject), (item) => goValue(ownMember(item, mergeKey)))
}

/** Each scalar once; the last one takes the place of a removed one, as in Go. */
export function deduplicate(list: readonly unknown[]): unknown[] {
  const result = [...list]
  for (let i = 0; i < result.length - 1; i++) {
    for (let j = i + 1; j < result.length; j++) {
      if (!sameScalar(result[i], result[j])) continue
      const last = result.pop()
      if (j < result.length) result[j--] = last
    }
  }
  return result
}

/** Items that `by` has, and those that it has not. */
export function partition(list: readonly unknown[], by: readonly unknown[], mergeKey: string): [unknown[], unknown[]] {
  const [present, absent]: [unknown[], unknown[]] = [[], []]
  for (const item of list) {
    const found =
      mergeKey === ''
        ? by.some((other) => sameScalar(other, item))
        : findByKey(by, mergeKey, mergeValue(asObject(item), mergeKey)) >= 0
    ;(found ? present : absent).push(item)
  }
  return [present, absent]
}

/** Where an item is in a list, by its merge key or, of scalars, by its value; -1 where it is not. */
function positions(order: readonly unknown[], mergeKey: string, kind: GoKind): (item: unknown) => number {
  const idOf = (item: unknown): unknown => {
    if (kind !== 'map') return normal(item)
    return isObject(item) ? normal(ownMember(item, mergeKey)) : null
  }
  if (order.length < 5) return (item) => order.findIndex((other) => idOf(other) === idOf(item))
  const byId = new Map<unknown, number>()
  for (const [i, item] of order.entries()) {
    const id = idOf(item)
    if (!byId.has(id)) byId.set(id, i)
  }
  return (item) => byId.get(idOf(item)) ?? -1
}

/** Of a number, one of its two forms; of what is not there, null. */
function normal(value: unknown): unknown {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : (value ?? null)
}

/** Sorts a list by the order of another; objects that are to be deleted go to the end. */
export function normalizeOrder(
  list: readonly unknown[],
  order: readonly unknown[],
  mergeKey: string,
  kind: GoKind,
): unknown[] {
  let toSort = [...list]
  let toDelete: unknown[] = []
  if (kind === 'map') {
    for (const item of [...list, ...order]) mergeValue(asObject(item), mergeKey)
    toSort = list.filter((item) => ownMember(item as JsonObject, marker) !== 'delete')
    toDelete = list.filter((item) => ownMember(item as JsonObject, marker) === 'delete')
  }
  const positionOf = positions(order, mergeKey, kind)
  const ranked = toSort.map((item) => ({ item, position: positionOf(item) }))
  sortStable(ranked, (a, b) => a.position < 0 || b.position < 0 || a.position < b.position)
  return [...ranked.map(({ item }) => item), ...toDelete]
}

/**
 * Items of a patch and items that only the server has, in one list: each part keeps its order, and between them the
 * server's decides where it knows both.
 */
export function interleave(
  patch: readonly unknown[],
  serverOnly: readonly unknown[],
  serverOrder: readonly unknown[],
  mergeKey: string,
  kind: GoKind,
): unknown[] {
  const positionOf = positions(serverOrder, mergeKey, kind)
  const result: unknown[] = []
  let [i, j] = [0, 0]
  while (i < serverOnly.length || j < patch.length) {
    if (i >= serverOnly.length) result.push(patch[j++])
    else if (j >= patch.length) result.push(serverOnly[i++])
    else {
      const [left, right] = [positionOf(serverOnly[i]), positionOf(patch[j])]
      result.push(left >= 0 && right >= 0 && left < right ? serverOnly[i++] : patch[j++])
    }
  }
  return result
}
