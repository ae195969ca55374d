// What a schema says of a field to strategic merge patches.

import { type FieldSchema, goQuote, type Schema } from '../../meta/index.js'

/** How a field merges, and the schema of its value or, of a list, of its items. */
export interface PatchMeta {
  readonly schema: Schema
  readonly strategy: string
  readonly retainKeys: boolean
  /** `''` where there is none. */
  readonly mergeKey: string
}

/** The field of an object. @throws Error where the schema knows no such field */
export function lookupObject(schema: Schema, key: string): PatchMeta {
  return metaOf(findField(schema, key))
}

/** The field of a list, with the schema of its items. @throws Error where there is no such field, or it is no list */
export function lookupList(schema: Schema, key: string): PatchMeta {
  const meta = metaOf(findField(schema, key))
  if (meta.schema.type !== 'list') throw new Error('expected slice or array type, but got: struct')
  if (meta.schema.items.type === 'list') throw new Error('unexpected slice of slice')
  return { ...meta, schema: meta.schema.items }
}

function findField(schema: Schema, key: string): FieldSchema {
  if (schema.type === 'struct') {
    const field = schema.fields[key] ?? findFolded(schema.fields, key)
    if (field) return field
    const name = schema.name?.slice(schema.name.lastIndexOf('.') + 1) ?? ''
    throw new Error(`unable to find api field in struct ${name} for the json field ${goQuote(key)}`)
  }
  if (schema.type === 'untyped') {
    throw new Error(`unable to find api field in an untyped object for the json field ${goQuote(key)}`)
  }
  const kind = schema.type === 'list' ? 'slice' : schema.type
  throw new Error(`merging an object in json but data type is not struct, instead is: ${kind}`)
}

/** Go reads fields whatever the case of their letters. */
function findFolded(fields: Readonly<Record<string, FieldSchema>>, key: string): FieldSchema | undefined {
  const folded = key.toLowerCase()
  const name = Object.keys(fields).find((field) => field.toLowerCase() === folded)
  return name === undefined ? undefined : fields[name]
}

function metaOf({ schema, patchStrategy = [], patchMergeKey = '' }: FieldSchema): PatchMeta {
  const retainKeys = patchStrategy.includes('retainKeys')
  const others = patchStrategy.filter((strategy) => strategy !== 'retainKeys')
  if (others.length > 1) throw new Error(`unexpected patch strategy: [${patchStrategy.join(' ')}]`)
  return { schema, retainKeys, strategy: others[0] ?? '', mergeKey: patchMergeKey }
}
