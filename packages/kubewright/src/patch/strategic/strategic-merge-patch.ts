// Strategic merge patches: apimachinery's strategicpatch, on plain objects and schemas.

import type { Schema } from '../../meta/index.js'
import { PatchConflictError } from '../errors.js'
import { copyJson, copyObject } from '../json-value.js'
import type { CreatePatchOptions } from '../merge-patch.js'
import { check } from '../preconditions.js'
import { objectsConflict } from './conflicts.js'
import { diffObjects } from './diff.js'
import { mergeObjects } from './merge.js'

/**
 * What an object becomes by a strategic merge patch: objects merge, `null` deletes, lists merge where the schema says so.
 * The directives `$patch`, `$retainKeys`, `$deleteFromPrimitiveList/…` and `$setElementOrder/…` are obeyed. client-go's
 * strategicpatch.StrategicMergePatch.
 *
 * **Guarantees** Neither argument is changed, and the result shares nothing with them.
 *
 * @param schema of the object: `DeploymentSchema` of `kubewright/schema/apps/v1`
 * @throws TypeError for an argument that is no object, or has what JSON has not
 * @throws Error where the patch does not fit the schema or its directives contradict each other
 */
export function applyStrategicMergePatch<T extends object>(original: T, patch: object, schema: Schema): T {
  checkSchema(schema)
  const [object, change] = [copyObject(original, 'the original'), copyObject(patch, 'the strategic merge patch')]
  return mergeObjects(object, change, schema, 'object') as T
}

/**
 * The strategic merge patch that makes `modified` of `original`. client-go's strategicpatch.CreateTwoWayMergePatch.
 *
 * **Guarantees** Neither argument is changed, and the result shares nothing with them.
 *
 * @example
 * ```ts
 * const changed = deepCopy(old)
 * changed.spec.template.spec.containers[0]!.image = 'nginx:1.29'
 * const patch = createTwoWayStrategicMergePatch(old, changed, DeploymentSchema)
 * await deployments.patch('web', strategicMergePatch(patch))
 * ```
 * @param schema of both objects: `DeploymentSchema` of `kubewright/schema/apps/v1`
 * @throws TypeError for an argument that is no object, or has what JSON has not
 * @throws PreconditionFailedError when a precondition does not hold
 * @throws Error where an object does not fit the schema
 */
export function createTwoWayStrategicMergePatch(
  original: object,
  modified: object,
  schema: Schema,
  options: CreatePatchOptions = {},
): Record<string, unknown> {
  checkSchema(schema)
  const patch = diffObjects(copyObject(original, 'the original'), copyObject(modified, 'the modified object'), schema, {
    setElementOrder: true,
    ignoreChangesAndAdditions: false,
    ignoreDeletions: false,
  })
  check(patch, options.preconditions)
  return patch
}

/** Options of {@link createThreeWayStrategicMergePatch}. */
export interface ThreeWayPatchOptions extends CreatePatchOptions {
  /** Whether what others have changed differently since `original` may be changed. @defaultValue false */
  readonly overwrite?: boolean
}

/**
 * The strategic merge patch of a three-way merge, as `kubectl apply` makes it: what `modified` adds to and changes of
 * `current`, and deletes of `original`. What others have added to `current` stays. client-go's
 * strategicpatch.CreateThreeWayMergePatch.
 *
 * @param original what was applied last, `{}` at first
 * @param modified what shall be
 * @param current what the server has
 * @throws PatchConflictError without `overwrite`, when others have changed differently what the patch changes
 * @throws PreconditionFailedError when a precondition does not hold
 * @throws Error where an object does not fit the schema
 */
export function createThreeWayStrategicMergePatch(
  original: object,
  modified: object,
  current: object,
  schema: Schema,
  options: ThreeWayPatchOptions = {},
): Record<string, unknown> {
  checkSchema(schema)
  const before = copyObject(original, 'the original')
  const wanted = copyObject(modified, 'the modified object')
  const live = copyObject(current, 'the current object')
  const changes = diffObjects(live, wanted, schema, {
    setElementOrder: true,
    ignoreChangesAndAdditions: false,
    ignoreDeletions: true,
  })
  const deletions = diffObjects(before, wanted, schema, {
    setElementOrder: true,
    ignoreChangesAndAdditions: true,
    ignoreDeletions: false,
  })
  // Both hold parts of `wanted`, and merging changes what it merges.
  const patch = mergeObjects(deletions, copyJson(changes, 'the patch'), schema, 'patch')
  check(patch, options.preconditions)
  if (options.overwrite !== true) {
    const changed = diffObjects(before, live, schema, {
      setElementOrder: false,
      ignoreChangesAndAdditions: false,
      ignoreDeletions: false,
    })
    if (objectsConflict(patch, changed, schema)) throw new PatchConflictError(patch, changed)
  }
  return patch
}

/**
 * One patch that does what several do one after the other; of what two change, the later one decides. client-go's
 * strategicpatch.MergeStrategicMergeMapPatchUsingLookupPatchMeta.
 *
 * @throws TypeError for an argument that is no list of objects, or has what JSON has not
 * @throws Error where a patch does not fit the schema, or two ask for different orders of a list or members to retain
 */
export function mergeStrategicMergePatches(patches: readonly object[], schema: Schema): Record<string, unknown> {
  checkSchema(schema)
  if (!Array.isArray(patches)) throw new TypeError('what is to be merged is a list of strategic merge patches')
  return patches.reduce<Record<string, unknown>>(
    (merged, patch) => mergeObjects(merged, copyObject(patch, 'a strategic merge patch'), schema, 'patch'),
    {},
  )
}

/**
 * Whether two strategic merge patches set something differently. client-go's strategicpatch.MergingMapsHaveConflicts.
 *
 * @throws TypeError for an argument that is no object, or has what JSON has not
 * @throws Error where a patch does not fit the schema
 */
export function strategicMergePatchesConflict(left: object, right: object, schema: Schema): boolean {
  checkSchema(schema)
  return objectsConflict(
    copyObject(left, 'a strategic merge patch'),
    copyObject(right, 'a strategic merge patch'),
    schema,
  )
}

/** A kind's descriptor is none, and custom resources have none. */
function checkSchema(schema: Schema | undefined): void {
  if (typeof schema?.type === 'string') return
  throw new TypeError(
    'a strategic merge patch needs the schema of its object, such as DeploymentSchema of kubewright/schema/apps/v1; custom resources take merge patches instead, which need none',
  )
}
