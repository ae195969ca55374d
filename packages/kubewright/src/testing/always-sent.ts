// Parts of built-in objects that a server always sends, if empty: they are there to be read, as the types say.

import { schemaForKind } from '../gen/schema/index.js'
import { requiredNulls, valueStructs } from '../gen/value-structs.js'
import { deepCopy, type Schema, type Unstructured } from '../meta/index.js'
import type { ResourceInfo } from './resources.js'

type JsonObject = Record<string, unknown>

type FieldsByDefinition = Readonly<Record<string, readonly string[]>>

/** Gives an object of a built-in kind the parts that it lacks. Changes it. */
export function fillIn({ builtIn, schema }: ResourceInfo, object: Unstructured): void {
  if (builtIn && schema) fill(object, schema, { nulls: false })
}

const objectMeta = schemaForKind({ group: 'meta.k8s.io', version: 'v1', kind: 'PartialObjectMetadata' })

/** Drops lists and maps without items, and nulls, where Go leaves them out: everywhere but in custom resources' own parts. */
export function withoutEmpty({ builtIn, schema }: ResourceInfo, object: Unstructured): void {
  if (builtIn && schema) dropEmpty(object, schema)
  else if (objectMeta) dropEmpty({ metadata: object.metadata }, objectMeta)
}

function dropEmpty(value: unknown, schema: Schema): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    if (schema.type === 'list') for (const item of value) dropEmpty(item, schema.items)
    return
  }
  if (schema.type === 'map') for (const part of Object.values(value)) dropEmpty(part, schema.values)
  if (schema.type !== 'struct') return
  const object = value as JsonObject
  const required = fieldsIn(requiredNulls, schema.name)
  for (const [field, part] of Object.entries(object)) {
    const known = Object.hasOwn(schema.fields, field) ? schema.fields[field]?.schema : undefined
    if (!known) continue
    if (isLeftOut(part, known) && !required.includes(field)) delete object[field]
    else dropEmpty(part, known)
  }
}

function isLeftOut(value: unknown, schema: Schema): boolean {
  if (value === null) return schema.type !== 'untyped'
  // A map of anything stands for a struct without fields as well, which says something by being there.
  const mayBeEmpty = schema.type === 'list' || (schema.type === 'map' && schema.values.type !== 'untyped')
  return mayBeEmpty && typeof value === 'object' && Object.keys(value).length === 0
}

/** What Go's JSON has of a built-in kind's object that has nothing: what is there without anybody's doing. */
export function emptyObjectOf(info: ResourceInfo): object {
  const empty: JsonObject = {}
  if (info.schema) fill(empty, info.schema, { nulls: true })
  return empty
}

/** A copy of an object as Go's JSON has it, with null where what is required is missing: what field managers compare. */
export function withNulls({ builtIn, schema }: ResourceInfo, object: Unstructured): Unstructured {
  const copied = deepCopy<Unstructured>(object)
  if (builtIn && schema) fill(copied, schema, { nulls: true })
  return copied
}

function fill(value: unknown, schema: Schema, options: { readonly nulls: boolean }): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    if (schema.type === 'list') for (const item of value) fill(item, schema.items, options)
    return
  }
  if (schema.type === 'map') for (const part of Object.values(value)) fill(part, schema.values, options)
  if (schema.type !== 'struct') return
  const object = value as JsonObject
  for (const field of fieldsIn(valueStructs, schema.name)) object[field] ??= {}
  if (options.nulls) for (const field of fieldsIn(requiredNulls, schema.name)) object[field] ??= null
  for (const [field, part] of Object.entries(object)) {
    const known = Object.hasOwn(schema.fields, field) ? schema.fields[field] : undefined
    if (known) fill(part, known.schema, options)
  }
}

function fieldsIn(table: FieldsByDefinition, name = ''): readonly string[] {
  return Object.hasOwn(table, name) ? (table[name] ?? []) : []
}
