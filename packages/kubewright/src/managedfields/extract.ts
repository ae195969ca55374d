// What a manager applied, taken out of an object: to be changed and applied again.

import { type DeepReadonly, deepCopy, goType, isObject, ownMember, type Schema } from '../meta/index.js'
import { FieldSet } from './field-set.js'
import { entriesOf, isEntryOf } from './managers.js'
import { formatPath, type PathElement } from './path-element.js'
import { TypedValue } from './typed-value.js'
import type { JsonObject } from './values.js'

type DeepPartial<T> = T extends readonly (infer U)[]
  ? DeepPartial<U>[]
  : T extends object
    ? { [K in keyof T]?: DeepPartial<T[K]> }
    : T

/** What one manager applied to an object of type `T`: what `apply` takes. */
export type Extracted<T> = DeepPartial<Omit<T, 'metadata'>> & {
  apiVersion: string
  kind: string
  metadata: (T extends { metadata?: infer M } ? DeepPartial<NonNullable<M>> : unknown) & { name: string }
}

/** Options of {@link extract}. */
export interface ExtractOptions {
  /** What was applied through this subresource, such as `status` or `scale`. The object itself by default. */
  readonly subresource?: string
}

/**
 * What `fieldManager` owns of an object by apply, with name, namespace, apiVersion and kind: client-go's ExtractX,
 * ExtractXStatus, … Change it and apply it again: what is left out of it then, the server removes.
 *
 * Only these four when the manager applied nothing, or owns nothing any more; fields that another took by force are
 * not there, so applying again does not take them back.
 *
 * @example
 * ```ts
 * const live = await deployments.get('web')
 * const config = extract(live, 'web-operator', DeploymentSchema)
 * config.spec = { ...config.spec, replicas: 3 }
 * await deployments.apply(config, { fieldManager: 'web-operator' })
 * ```
 *
 * @param object as it came from the server, with its managedFields; no Scale
 * @throws SchemaError for an object that is not what the schema says
 * @throws Error for managedFields that cannot be read, or that name nothing that the object has; for items that are told
 * apart by integers beyond 2^53, of an object that was read without `losslessIntegers`
 */
export function extract<T extends object>(
  object: DeepReadonly<T>,
  fieldManager: string,
  schema: Schema,
  { subresource = '' }: ExtractOptions = {},
): Extracted<T> {
  const source = object as JsonObject
  const typed = typedOf(source, schema)
  const entry = entriesOf(source)?.find((each) => isEntryOf(each, fieldManager, 'Apply', subresource))
  const fields = entry && FieldSet.fromFieldsV1(entry.fieldsV1)
  if (fields) refuseRounded(fields, source)
  const extracted = fields ? extractedBy(typed, fields, fieldManager) : {}
  return named(extracted, source) as Extracted<T>
}

/** Else an item would be left out that the object has under a rounded number, and the next apply remove it. */
function refuseRounded(fields: FieldSet, object: JsonObject): void {
  if (!holdsRounded(object)) return
  for (const path of fields) {
    if (path.some(isOfBigInt)) {
      throw new Error(
        `cannot extract ${formatPath(path)}: the object's integers beyond 2^53 were rounded when it was read; set losslessIntegers of the Config`,
      )
    }
  }
}

function holdsRounded(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsRounded)
}

function isOfBigInt(element: PathElement): boolean {
  if ('key' in element) return element.key.some(({ value }) => typeof value === 'bigint')
  return 'value' in element && typeof element.value === 'bigint'
}

function typedOf(object: JsonObject, schema: Schema): TypedValue {
  try {
    return TypedValue.of(object, schema)
  } catch (err) {
    ;(err as Error).message = `error converting obj to typed: ${(err as Error).message}`
    throw err
  }
}

function extractedBy(object: TypedValue, fields: FieldSet, fieldManager: string): Record<string, unknown> {
  const { value } = object.extractItems(fields.leaves())
  if (!isObject(value))
    throw new Error(
      `unable to convert managed fields for ${fieldManager} to unstructured, expected map, got ${goType(value)}`,
    )
  return deepCopy<Record<string, unknown>>(value)
}

function named(extracted: Record<string, unknown>, source: JsonObject): Record<string, unknown> {
  const metadata = ownMember(source, 'metadata')
  const { name, namespace } = (isObject(metadata) ? metadata : {}) as { name?: string; namespace?: string }
  const { apiVersion, kind, metadata: its, ...rest } = extracted
  const merged = { ...(isObject(its) && its), ...(name && { name }), ...(namespace && { namespace }) }
  return {
    apiVersion: ownMember(source, 'apiVersion') ?? apiVersion,
    kind: ownMember(source, 'kind') ?? kind,
    ...((its !== undefined || Object.keys(merged).length > 0) && { metadata: merged }),
    ...rest,
  }
}
