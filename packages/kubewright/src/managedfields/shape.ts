// What a schema lets a value be: a scalar, a list, an object, or (where it is untyped) any of them.

import { isObject, type Schema } from '../meta/index.js'
import { isList } from './values.js'

export interface ListShape {
  readonly items: Schema
  /** Items are told apart by value or by keys, and merge. */
  readonly associative: boolean
  /** Empty for a set. */
  readonly keys: readonly string[]
  readonly keyDefaults: Readonly<Record<string, unknown>>
}

export interface MapShape {
  readonly fields: Readonly<Record<string, { readonly schema: Schema }>> | undefined
  /** Of fields that are not named; undefined where there can be none. */
  readonly values: Schema | undefined
  readonly atomic: boolean
}

export interface Shape {
  readonly scalar?: 'string' | 'numeric' | 'boolean' | 'untyped'
  readonly list?: ListShape
  readonly map?: MapShape
}

const deduced: Schema = { type: 'untyped' }
const wholly: Schema = { type: 'untyped', atomic: true }

const untypedList: ListShape = { items: wholly, associative: false, keys: [], keyDefaults: {} }
const deducedShape: Shape = {
  scalar: 'untyped',
  list: untypedList,
  map: { fields: undefined, values: deduced, atomic: false },
}
const whollyShape: Shape = {
  scalar: 'untyped',
  list: untypedList,
  map: { fields: undefined, values: wholly, atomic: true },
}

// Equal parts of shapes are one object, so that shapes can be told apart by identity.
const shapes = new WeakMap<Schema, Shape>()
const parts = new WeakMap<Shape, Readonly<Record<'scalar' | 'list' | 'map', Shape>>>()

export function shapeOf(schema: Schema): Shape {
  let shape = shapes.get(schema)
  if (!shape) shapes.set(schema, (shape = build(schema)))
  return shape
}

function build(schema: Schema): Shape {
  switch (schema.type) {
    case 'untyped':
      return schema.atomic ? whollyShape : deducedShape
    case 'struct':
      return { map: { fields: schema.fields, values: schema.additional, atomic: schema.atomic ?? false } }
    case 'map':
      return { map: { fields: undefined, values: schema.values, atomic: schema.atomic ?? false } }
    case 'list':
      return {
        list: {
          items: schema.items,
          associative: schema.listType !== 'atomic',
          keys: (schema.listType === 'map' && schema.keys) || [],
          keyDefaults: schema.keyDefaults ?? {},
        },
      }
    case 'any':
      return { scalar: 'untyped' }
    case 'integer':
    case 'number':
      return { scalar: 'numeric' }
    default:
      return { scalar: schema.type }
  }
}

/** The schema of a named field. */
export function fieldOf({ fields }: MapShape, name: string): Schema | undefined {
  return fields && Object.hasOwn(fields, name) ? fields[name]?.schema : undefined
}

/** The part of a shape that a value is of; the whole shape for null, for no value, and where it fits none. */
export function deduce(shape: Shape, value: unknown): Shape {
  const part =
    value === null || value === undefined ? undefined : isList(value) ? 'list' : isObject(value) ? 'map' : 'scalar'
  if (!part || !shape[part]) return shape
  let ofShape = parts.get(shape)
  if (!ofShape) {
    const { scalar, list, map } = shape
    const count = Number(scalar !== undefined) + Number(list !== undefined) + Number(map !== undefined)
    ofShape =
      count === 1
        ? { scalar: shape, list: shape, map: shape }
        : { scalar: { ...(scalar && { scalar }) }, list: { ...(list && { list }) }, map: { ...(map && { map }) } }
    parts.set(shape, ofShape)
  }
  return ofShape[part]
}
