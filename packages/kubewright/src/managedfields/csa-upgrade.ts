// From client-side to server-side apply: who owned fields by updates owns them by apply. client-go's csaupgrade.

import type { ManagedFieldsEntry } from '../gen/api/meta/v1.js'
import { type DeepReadonly, jsonPatch, type KubernetesObject, type Patch } from '../meta/index.js'
import { FieldSet } from './field-set.js'
import { entriesOf, isEntryOf } from './managers.js'
import type { JsonObject } from './values.js'

/** Options of {@link upgradeManagedFields}. */
export interface UpgradeOptions {
  /** The subresource that was written through. The object itself by default. */
  readonly subresource?: string
}

/**
 * The managers of an operation that own all these fields; entries that cannot be read own nothing.
 *
 * @example who last applied by `kubectl apply` without `--server-side`
 * ```ts
 * const annotation = FieldSet.of(makePath('metadata', 'annotations', 'kubectl.kubernetes.io/last-applied-configuration'))
 * const names = findFieldsOwners(live.metadata.managedFields, 'Update', annotation).map(({ manager }) => manager)
 * ```
 */
export function findFieldsOwners<E extends DeepReadonly<ManagedFieldsEntry>>(
  managedFields: readonly E[] | undefined,
  operation: 'Apply' | 'Update',
  fields: FieldSet,
): E[] {
  return (managedFields ?? []).filter((entry) => {
    if (entry.operation !== operation) return false
    try {
      return fields.difference(decode(entry)).empty
    } catch {
      return false
    }
  })
}

/**
 * The object with what the managers `csaManagers` own by updates (of client-side apply) owned by `ssaManager` by apply,
 * as if it had applied it always. Then it can stop wanting a field, which removes it. Shares the rest with the object,
 * which is not changed.
 *
 * **Caveats**: cannot be undone: what the managers owned by updates is known no more. Client-side apply owns defaults
 * too; those that are not applied are removed by the next apply, and filled in anew by the server. To store it, send
 * {@link upgradeManagedFieldsPatch}.
 *
 * @throws Error for managedFields that cannot be read
 */
export function upgradeManagedFields<T extends object>(
  object: T,
  csaManagers: Iterable<string>,
  ssaManager: string,
  options: UpgradeOptions = {},
): T {
  const before = entriesOf(object)
  const after = upgraded(before, csaManagers, ssaManager, options)
  if (after === before) return object
  const { metadata, ...rest } = object as { metadata?: object }
  const { managedFields: _, ...others } = metadata as JsonObject
  return { ...rest, metadata: { ...others, ...(after && { managedFields: after }) } } as T
}

/**
 * A JSON patch that stores what {@link upgradeManagedFields} makes of an object, or undefined where nothing is to be
 * done. It carries the object's resourceVersion: if the object has changed since, the server answers with a conflict.
 *
 * @example
 * ```ts
 * await retryOnConflict(async () => {
 *   const patch = upgradeManagedFieldsPatch(await deployments.get('web'), ['kubectl-client-side-apply'], 'kubectl')
 *   if (patch) await deployments.patch('web', patch)
 * })
 * ```
 * @throws Error for managedFields that cannot be read
 */
export function upgradeManagedFieldsPatch(
  object: DeepReadonly<KubernetesObject>,
  csaManagers: Iterable<string>,
  ssaManager: string,
  options: UpgradeOptions = {},
): Patch | undefined {
  const before = entriesOf(object)
  const after = upgraded(before, csaManagers, ssaManager, options)
  if (JSON.stringify(before) === JSON.stringify(after)) return undefined
  return jsonPatch([
    { op: 'replace', path: '/metadata/managedFields', value: after ?? null },
    // No test: that would fail as invalid, this fails as a conflict.
    { op: 'replace', path: '/metadata/resourceVersion', value: object.metadata?.resourceVersion ?? '' },
  ])
}

type Entries = readonly ManagedFieldsEntry[] | undefined

function upgraded(
  entries: Entries,
  csaManagers: Iterable<string>,
  ssaManager: string,
  { subresource = '' }: UpgradeOptions,
): Entries {
  let result = entries
  for (const csaManager of csaManagers) if (result) result = upgradedFrom(result, csaManager, ssaManager, subresource)
  return result
}

function upgradedFrom(
  entries: readonly ManagedFieldsEntry[],
  csaManager: string,
  ssaManager: string,
  subresource: string,
): Entries {
  const isCsa = (entry: ManagedFieldsEntry): boolean => isEntryOf(entry, csaManager, 'Update', subresource)
  let target = entries.findIndex((entry) => isEntryOf(entry, ssaManager, 'Apply', subresource))
  const result = [...entries]
  if (target < 0) {
    target = entries.findIndex(isCsa)
    if (target < 0) return entries
    result[target] = { ...(entries[target] as ManagedFieldsEntry), manager: ssaManager, operation: 'Apply' }
  }
  const into = result[target] as ManagedFieldsEntry
  // Of another version's names nothing can be said in this one's.
  const csa = result.find((entry) => isCsa(entry) && entry.apiVersion === into.apiVersion)
  const set = csa ? decode(into).union(decode(csa)) : decode(into)
  result[target] = { ...into, fieldsV1: set.toFieldsV1() }
  const kept = result.filter((entry) => !isCsa(entry))
  return kept.length > 0 ? kept : undefined
}

function decode({ fieldsV1 }: DeepReadonly<ManagedFieldsEntry>): FieldSet {
  try {
    return FieldSet.fromFieldsV1(fieldsV1)
  } catch (err) {
    throw new Error(`failed to convert fields to set: ${(err as Error).message}`, { cause: err })
  }
}
