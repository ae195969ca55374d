// Patches as values: the function that makes one fixes its content type, so the two cannot disagree.

import { isObject } from './is-object.js'

/** One step of a JSON patch (RFC 6902). */
export type JsonPatchOperation =
  | { op: 'add' | 'replace' | 'test'; path: string; value: unknown }
  | { op: 'remove'; path: string }
  | { op: 'move' | 'copy'; from: string; path: string }

/** A patch and its content type. Made by {@link jsonPatch}, {@link mergePatch}, {@link strategicMergePatch}, {@link applyPatch}. */
export interface Patch {
  readonly contentType: string
  readonly body: object
}

/**
 * A JSON patch (RFC 6902): a list of steps, all or none of them done. `createJsonPatch` of `kubewright/patch` makes the steps
 * between two objects.
 *
 * @throws TypeError when it is no list
 */
export function jsonPatch(operations: readonly JsonPatchOperation[]): Patch {
  if (!Array.isArray(operations)) {
    throw new TypeError('a JSON patch is a list of operations; an object that is merged goes to mergePatch')
  }
  return { contentType: 'application/json-patch+json', body: operations }
}

/**
 * A JSON merge patch (RFC 7386): objects merge, `null` deletes, lists are replaced whole. Works for every kind.
 * `createMergePatch` of `kubewright/patch` makes the body between two objects.
 *
 * @throws TypeError when it is no object
 */
export function mergePatch(body: object): Patch {
  checkObject(body, 'a merge patch')
  return { contentType: 'application/merge-patch+json', body }
}

/**
 * A strategic merge patch: lists merge by the kind's merge keys. Built-in kinds only; custom resources answer 415.
 * `createTwoWayStrategicMergePatch` of `kubewright/patch` makes the body between two objects.
 *
 * @throws TypeError when it is no object
 */
export function strategicMergePatch(body: object): Patch {
  checkObject(body, 'a strategic merge patch')
  return { contentType: 'application/strategic-merge-patch+json', body }
}

/**
 * A server-side apply patch: the fields this manager wants, all of them. `apply` is the usual way to send one.
 *
 * @throws TypeError when it is no object
 */
export function applyPatch(body: object): Patch {
  checkObject(body, 'an apply patch')
  return { contentType: 'application/apply-patch+yaml', body }
}

/** A request without a body, or with a body of another kind of patch, would be answered in riddles. */
function checkObject(body: unknown, what: string): void {
  if (isObject(body)) return
  throw new TypeError(`${what} is an object, not ${described(body)}`)
}

function described(value: unknown): string {
  if (Array.isArray(value)) return 'a list; a list of operations goes to jsonPatch'
  return value === undefined || value === null ? String(value) : `a ${typeof value}`
}
