// What generated schemas are written with: short, without effects, and with fields that are made when first looked at.

import type { FieldSchema, ListSchema, MapSchema, ScalarSchema, Schema, StructSchema, UntypedSchema } from './schema.js'

export const string: ScalarSchema = { type: 'string' }
export const integer: ScalarSchema = { type: 'integer' }
export const number: ScalarSchema = { type: 'number' }
export const boolean: ScalarSchema = { type: 'boolean' }
/** Text or a number. */
export const any: ScalarSchema = { type: 'any' }
export const untyped: UntypedSchema = { type: 'untyped' }
/** A RawExtension. */
export const atomicUntyped: UntypedSchema = { type: 'untyped', atomic: true }

/** A list that apply replaces whole. */
export const listOf = (items: Schema): ListSchema => ({ type: 'list', items, listType: 'atomic' })

/** A list that apply merges by value. */
export const setOf = (items: Schema): ListSchema => ({ type: 'list', items, listType: 'set' })

/** A list that apply merges by the values of keys. */
export const keyedListOf = (
  items: Schema,
  keys: readonly string[],
  keyDefaults?: Readonly<Record<string, unknown>>,
): ListSchema => ({ type: 'list', items, listType: 'map', keys, ...(keyDefaults && { keyDefaults }) })

/** An object with free keys. */
export const mapOf = (values: Schema): MapSchema => ({ type: 'map', values })

/** An object with free keys that apply replaces whole. */
export const atomicMapOf = (values: Schema): MapSchema => ({ type: 'map', values, atomic: true })

/** Fields as they are written down: a schema alone where nothing is to be said of strategic merge patches. */
export type Fields = Readonly<Record<string, Schema | FieldSchema>>

/** A field with something to say to strategic merge patches; strategies are separated by commas, as in Go's tags. */
export function field(schema: Schema, strategies: string, patchMergeKey?: string): FieldSchema {
  const patchStrategy = strategies === '' ? [] : (strategies.split(',') as NonNullable<FieldSchema['patchStrategy']>)
  return { schema, patchStrategy, ...(patchMergeKey !== undefined && { patchMergeKey }) }
}

/** An object with known fields. */
export const struct = (name: string, fields: () => Fields): StructSchema => new LazyStruct(name, fields)

/** An object with known fields that apply replaces whole. */
export const atomicStruct = (name: string, fields: () => Fields): StructSchema => new LazyStruct(name, fields, true)

/** The same object in a place where apply merges it, though elsewhere it is atomic. */
export const granular = (schema: StructSchema): StructSchema =>
  new LazyStruct(schema.name as string, () => schema.fields)

class LazyStruct implements StructSchema {
  readonly type = 'struct'
  readonly name: string
  declare readonly atomic?: true
  #make: (() => Fields) | undefined
  #fields: Readonly<Record<string, FieldSchema>> | undefined

  constructor(name: string, make: () => Fields, atomic?: true) {
    this.name = name
    if (atomic) this.atomic = atomic
    this.#make = make
  }

  get fields(): Readonly<Record<string, FieldSchema>> {
    return (this.#fields ??= this.#build())
  }

  #build(): Readonly<Record<string, FieldSchema>> {
    // No prototype: `constructor` is no field.
    const fields = Object.create(null) as Record<string, FieldSchema>
    for (const [key, value] of Object.entries(this.#make?.() ?? {})) {
      fields[key] = 'schema' in value ? value : { schema: value }
    }
    this.#make = undefined
    return Object.freeze(fields)
  }
}
