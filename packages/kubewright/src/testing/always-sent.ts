// Parts of built-in objects that a server always sends, if empty: they are there to be read, as the types say.

import { requiredNulls, valueStructs } from '../gen/value-structs.js'
import { deepCopy, type Schema, type Unstructured } from '../meta/index.js'
import type { ResourceInfo } from './resources.js'

type JsonObject = Record<string, unknown>

type FieldsByDefinition = Readonly<Record<string, readonly string[]>>

/** Gives an object of a built-in kind the parts that it lacks. Changes it. */
export function fillIn({ builtIn, schema }: ResourceInfo, object: Unstructured): void {
  if (builtIn && schema) fill(object, schema, { nulls: false })
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
