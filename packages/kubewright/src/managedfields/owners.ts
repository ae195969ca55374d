// Reading managedFields: who owns what of an object.

import type { ManagedFieldsEntry } from '../gen/api/meta/v1.js'
import type { DeepReadonly, KubernetesObject } from '../meta/index.js'
import { FieldSet } from './field-set.js'
import { entriesOf, withoutManagedFields } from './managers.js'
import { formatPath, makePath, type Path, type PathPart } from './path-element.js'
import type { JsonObject } from './values.js'

/** A manager of an object, and what it owns. */
export interface FieldOwner {
  readonly manager: string
  /** `Apply`, or `Update` for what create, update and patch do. */
  readonly operation: 'Apply' | 'Update'
  /** The version whose field names `fields` has. */
  readonly apiVersion: string
  /** The subresource that was written through; undefined for the object itself. */
  readonly subresource?: string
  /** When it changed something last, RFC 3339. */
  readonly time?: string
  readonly fields: FieldSet
}

/**
 * The managers of an object, with what each owns, in the server's order: those who apply first, each kind from the
 * oldest change to the latest.
 *
 * @throws Error for managedFields that cannot be read
 */
export function managersOf(object: DeepReadonly<KubernetesObject>): FieldOwner[] {
  return (entriesOf(object) ?? []).map(ownerOf)
}

const ownerOf = ({
  manager = '',
  operation,
  apiVersion = '',
  subresource,
  time,
  fieldsV1,
}: ManagedFieldsEntry): FieldOwner => ({
  manager,
  operation: operation === 'Apply' ? 'Apply' : 'Update',
  apiVersion,
  ...(subresource && { subresource }),
  ...(time && { time }),
  fields: FieldSet.fromFieldsV1(fieldsV1),
})

/**
 * The managers that own a field: those that own it itself or a whole that it is part of, such as an atomic list.
 *
 * @param path as messages have it (`.spec.replicas`, `.spec.template.spec.containers[name="web"].image`), or its parts
 *   (`['spec', 'replicas']`)
 * @example
 * ```ts
 * ownersOf(deploy, '.spec.replicas').map(({ manager }) => manager)     // ['kube-controller-manager']
 * ```
 * @throws Error for managedFields that cannot be read
 */
export function ownersOf(object: DeepReadonly<KubernetesObject>, path: string | readonly PathPart[]): FieldOwner[] {
  const text = typeof path === 'string' ? path : formatPath(makePath(...path))
  const wanted = text.startsWith('.') || text.startsWith('[') ? text : `.${text}`
  return managersOf(object).filter(({ fields }) => owns(fields, wanted))
}

function owns(fields: FieldSet, wanted: string): boolean {
  const leaves = fields.leaves()
  for (const path of fields) {
    const text = formatPath(path)
    if (text === wanted) return true
    if (isAbove(text, wanted) && leaves.has(path) && !isItem(path)) return true
  }
  return false
}

const isAbove = (text: string, wanted: string): boolean =>
  wanted.startsWith(text) && (wanted[text.length] === '.' || wanted[text.length] === '[')

/** Of an item that is owned without fields, only its being there is owned. */
const isItem = (path: Path): boolean => {
  const last = path.at(-1)
  return last !== undefined && 'key' in last
}

/**
 * The object without managedFields, which are often most of it: for caches (as `transform` of an informer) and for
 * showing. Shares the rest with the object, which is not changed.
 */
export const stripManagedFields = <T extends object>(object: T): T =>
  withoutManagedFields(object as unknown as JsonObject) as T
