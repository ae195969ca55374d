// Patches as values: the function that makes one fixes its content type, so the two cannot disagree.

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
 */
export function jsonPatch(operations: readonly JsonPatchOperation[]): Patch {
  return { contentType: 'application/json-patch+json', body: operations }
}

/**
 * A JSON merge patch (RFC 7386): objects merge, `null` deletes, lists are replaced whole. Works for every kind.
 * `createMergePatch` of `kubewright/patch` makes the body between two objects.
 */
export function mergePatch(body: object): Patch {
  return { contentType: 'application/merge-patch+json', body }
}

/**
 * A strategic merge patch: lists merge by the kind's merge keys. Built-in kinds only; custom resources answer 415.
 * `createTwoWayStrategicMergePatch` of `kubewright/patch` makes the body between two objects.
 */
export function strategicMergePatch(body: object): Patch {
  return { contentType: 'application/strategic-merge-patch+json', body }
}

/** A server-side apply patch: the fields this manager wants, all of them. `apply` is the usual way to send one. */
export function applyPatch(body: object): Patch {
  return { contentType: 'application/apply-patch+yaml', body }
}
