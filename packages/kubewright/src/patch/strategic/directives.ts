// The members of a strategic merge patch that are instructions and no fields.

import { goValue, isObject } from '../../meta/index.js'
import { namesOf } from '../errors.js'
import { type GoKind, goTypeName } from '../go-kind.js'
import type { JsonObject } from '../json-value.js'

/** In an object: what to do with the whole of it. */
export const marker = '$patch'
/** In an object: the only members that stay. */
export const retainKeys = '$retainKeys'
/** Before `/<field>`: items of a list of scalars that go. */
export const deleteFromList = '$deleteFromPrimitiveList'
/** Before `/<field>`: the order of a list's items. */
export const setElementOrder = '$setElementOrder'

export const noListOfLists = 'lists of lists are not supported'
export const badPrimitiveList = 'invalid patch format of primitive list'
export const badRetainKeys = 'invalid patch format of retainKeys'
export const badSetElementOrder = 'invalid patch format of setElementOrder list'

export const badType = (expected: GoKind, found: GoKind): Error =>
  new Error(`expected a ${goTypeName(expected)}, but received a ${goTypeName(found)}`)

export const noMergeKey = (item: JsonObject, mergeKey: string): Error =>
  new Error(`map: ${goValue(namesOf(item))} does not contain declared merge key: ${mergeKey}`)

export const badDirective = (directive: unknown, patch: JsonObject): Error =>
  new Error(`unknown patch type: ${goValue(directive)} in map: ${goValue(namesOf(patch, marker))}`)

/** Whether an item says something of itself with `$patch`. */
export function hasMarker(item: unknown): boolean {
  return isObject(item) && Object.hasOwn(item, marker)
}

/** The field of a key such as `$setElementOrder/containers`. */
export function fieldOf(key: string, prefix: string, problem: string): string {
  const slash = key.indexOf('/')
  if (slash < 0 || key.slice(0, slash) !== prefix) throw new Error(problem)
  return key.slice(slash + 1)
}
