// JSON merge patches (RFC 7386), as kube-apiserver applies them and kubectl makes them.

import { isObject, ownMember, setMember } from '../meta/index.js'
import { PatchConflictError } from './errors.js'
import { copyJson, copyObject, equalJson, type JsonObject } from './json-value.js'
import { check, type PatchPrecondition } from './preconditions.js'

/** Options of functions that compute a patch. */
export interface CreatePatchOptions {
  /** What the patch has to meet; the first that does not hold throws. @defaultValue none */
  readonly preconditions?: readonly PatchPrecondition[]
}

/**
 * What a document becomes by a JSON merge patch: objects merge, `null` deletes, everything else replaces.
 *
 * **Guarantees** Neither argument is changed, and the result shares nothing with them.
 *
 * **Caveats** As kube-apiserver: nulls inside a list that replaces another value are kept only where that was an object.
 * @throws TypeError for an argument that is no object, or has what JSON has not
 */
export function applyMergePatch<T extends object>(document: T, patch: object): T {
  const result = copyObject(document, 'the document')
  mergeInto(result, copyObject(patch, 'the merge patch'))
  return result as T
}

function mergeInto(document: JsonObject, patch: JsonObject): void {
  for (const key of Object.keys(patch)) {
    const value = patch[key]
    if (value === null) {
      delete document[key]
      continue
    }
    const current = ownMember(document, key)
    if (!isObject(current)) {
      pruneNulls(value)
      setMember(document, key, value)
    } else if (isObject(value)) mergeInto(current, value)
    else setMember(document, key, value)
  }
}

function pruneNulls(value: unknown): void {
  if (Array.isArray(value)) value.forEach(pruneNulls)
  if (!isObject(value)) return
  for (const key of Object.keys(value)) {
    if (value[key] === null) delete value[key]
    else pruneNulls(value[key])
  }
}

/**
 * The JSON merge patch that makes `modified` of `original`.
 *
 * **Caveats** A member that `modified` has as `null` cannot be told from one to delete: applied, it is gone.
 *
 * @example
 * ```ts
 * await deployments.patch('web', mergePatch(createMergePatch(old, changed)))
 * ```
 * @throws TypeError for an argument that is no object, or has what JSON has not
 */
export function createMergePatch(original: object, modified: object): Record<string, unknown> {
  return diff(copyObject(original, 'the original'), copyObject(modified, 'the modified object'))
}

function diff(original: JsonObject, modified: JsonObject): JsonObject {
  const patch: JsonObject = {}
  for (const key of Object.keys(modified)) {
    const value = modified[key]
    if (!Object.hasOwn(original, key)) {
      setMember(patch, key, value)
      continue
    }
    const before = original[key]
    if (isObject(before) && isObject(value)) {
      const inner = diff(before, value)
      if (Object.keys(inner).length > 0) setMember(patch, key, inner)
    } else if (!equalJson(before, value)) setMember(patch, key, value)
  }
  for (const key of Object.keys(original)) if (!Object.hasOwn(modified, key)) setMember(patch, key, null)
  return patch
}

/**
 * The JSON merge patch of a three-way merge, as `kubectl apply` makes for custom resources: what `modified` adds to and
 * changes of `current`, and deletes of `original`. What others have added to `current` stays. client-go's
 * jsonmergepatch.CreateThreeWayJSONMergePatch.
 *
 * @throws PatchConflictError when something would be deleted and set at once
 * @throws PreconditionFailedError when a precondition does not hold
 */
export function createThreeWayMergePatch(
  original: object,
  modified: object,
  current: object,
  options: CreatePatchOptions = {},
): Record<string, unknown> {
  const changes = keepOrDeleteNull(createMergePatch(current, modified), false)
  const deletions = keepOrDeleteNull(createMergePatch(original, modified), true)
  if (conflict(changes, deletions)) throw new PatchConflictError(changes, deletions)
  const patch = copyJson(deletions, 'the patch')
  mergeInto(patch, changes)
  check(patch, options.preconditions)
  return patch
}

function keepOrDeleteNull(patch: JsonObject, keepNull: boolean): JsonObject {
  const result: JsonObject = {}
  for (const key of Object.keys(patch)) {
    const value = patch[key]
    if (value === null) {
      if (keepNull) setMember(result, key, null)
    } else if (isObject(value) && Object.keys(value).length > 0) {
      const inner = keepOrDeleteNull(value, keepNull)
      if (Object.keys(inner).length > 0) setMember(result, key, inner)
    } else if (!keepNull) setMember(result, key, value)
  }
  return result
}

/**
 * Whether two JSON merge patches set a value differently. client-go's mergepatch.HasConflicts.
 *
 * @throws TypeError for an argument that has what JSON has not
 */
export function mergePatchesConflict(left: unknown, right: unknown): boolean {
  return conflict(copyJson(left, 'the left patch'), copyJson(right, 'the right patch'))
}

function conflict(left: unknown, right: unknown): boolean {
  if (isObject(left)) {
    if (!isObject(right)) return true
    return Object.keys(left).some((key) => Object.hasOwn(right, key) && conflict(left[key], right[key]))
  }
  if (!Array.isArray(left)) return !equalJson(left, right)
  if (!Array.isArray(right) || left.length !== right.length) return true
  return left.some((item, i) => conflict(item, right[i]))
}
