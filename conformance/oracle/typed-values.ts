// Values by schema, from a seed: valid ones that share a small set of fields and keys, so that they overlap.
import { type FieldSchema, type ListSchema, parseGroupVersion, type Schema, type StructSchema } from 'kubewright/meta'
import { schemaForKind } from 'kubewright/schema'
import type { Random } from '../faults/random.js'

const texts = ['a', 'b', 'TCP', '', 'ä<&"', '10', '\u{1f600}\n']
const numbers = [0, 1, 2, 80, -5, 1.5, 1e21, 0.00001]
const keys = ['a', 'b', 'app.kubernetes.io/name', '__proto__', 'constructor', 'x']

/** What of a schema's fields is used, and how values are made. */
export interface ValueOptions {
  /** At most so many fields of each struct, the same for all values. */
  readonly fieldsOfStruct?: number
  /** Whether lists have items that cannot be told apart. */
  readonly duplicates?: boolean
  /** How often a value is null, in percent. @defaultValue 0 */
  readonly nulls?: number
  readonly maxDepth?: number
  /** Fields that are left out, by struct. */
  readonly without?: Readonly<Record<string, readonly string[]>>
  /** Fields that are always among those used, by struct. */
  readonly always?: Readonly<Record<string, readonly string[]>>
}

/** Makes values; each struct has a few of its fields only, always the same. */
export class Values {
  readonly #fields = new Map<StructSchema, [string, FieldSchema][]>()
  readonly choices: Random
  readonly options: ValueOptions
  constructor(choices: Random, options: ValueOptions = {}) {
    this.choices = choices
    this.options = options
  }

  #fieldsOf(schema: StructSchema): [string, FieldSchema][] {
    let fields = this.#fields.get(schema)
    if (!fields) {
      const { fieldsOfStruct = 4, without = {}, always = {} } = this.options
      const all = Object.entries(schema.fields).filter(([name]) => !without[schema.name ?? '']?.includes(name))
      const some: [string, FieldSchema][] = all.filter(([name]) => always[schema.name ?? '']?.includes(name))
      while (some.length < Math.min(fieldsOfStruct, all.length)) {
        const next = this.choices.pick(all)
        if (!some.includes(next)) some.push(next)
      }
      fields = some
      this.#fields.set(schema, fields)
    }
    return fields
  }

  make(schema: Schema, depth = 0): unknown {
    const { choices, options } = this
    if (choices.percent(options.nulls ?? 0)) return null
    switch (schema.type) {
      case 'string':
        return choices.pick(texts)
      case 'integer':
        return choices.pick([0, 1, 2, 80])
      case 'number':
        return choices.pick(numbers)
      case 'boolean':
        return choices.percent(50)
      case 'any':
        return choices.percent(50) ? choices.pick(texts) : choices.pick(numbers)
      case 'untyped':
        return this.#untyped(depth)
      case 'map':
        return Object.fromEntries(
          Array.from({ length: choices.int(0, 2) }, () => [choices.pick(keys), this.make(schema.values, depth + 1)]),
        )
      case 'list':
        return this.#list(schema, depth)
      case 'struct':
        return this.#struct(schema, depth)
    }
  }

  #struct(schema: StructSchema, depth: number): object {
    const { choices, options } = this
    if (depth > (options.maxDepth ?? 9)) return {}
    const always = options.always?.[schema.name ?? ''] ?? []
    const unnamed = schema.additional && choices.percent(70) ? { unnamed: this.make(schema.additional, depth + 1) } : {}
    const named = Object.fromEntries(
      this.#fieldsOf(schema)
        .filter(([name]) => choices.percent(always.includes(name) ? 90 : 60))
        .map(([name, field]) => [name, this.make(field.schema, depth + 1)]),
    )
    return { ...named, ...unnamed }
  }

  #untyped(depth: number): unknown {
    const { choices } = this
    const kind = depth > 8 ? choices.int(0, 2) : choices.int(0, 5)
    if (kind === 0) return choices.pick(texts)
    if (kind === 1) return choices.pick(numbers)
    if (kind === 2) return choices.percent(30) ? null : choices.percent(50)
    const items = Array.from({ length: choices.int(0, 2) }, () => this.#untyped(depth + 1))
    return kind === 3 ? items : Object.fromEntries(items.map((item) => [choices.pick(keys), item]))
  }

  #list(schema: ListSchema, depth: number): unknown[] {
    const { choices, options } = this
    const items: unknown[] = []
    const seen = new Set<string>()
    for (let left = choices.int(0, 3); left > 0; left--) {
      const item = this.#item(schema, depth)
      const key = JSON.stringify(
        schema.listType === 'map' ? schema.keys?.map((name) => keyOf(schema, item, name)) : item,
      )
      if (schema.listType !== 'atomic' && seen.has(key) && !options.duplicates) continue
      seen.add(key)
      items.push(item)
    }
    return items
  }

  #item(schema: ListSchema, depth: number): unknown {
    const { choices } = this
    if (schema.listType === 'set') {
      const item = this.make(schema.items, depth + 1)
      return item !== null && typeof item !== 'object' ? item : choices.pick(texts)
    }
    if (schema.listType === 'atomic' || schema.items.type !== 'struct') return this.make(schema.items, depth + 1) ?? {}
    const item = (this.make(schema.items, depth + 1) ?? {}) as Record<string, unknown>
    for (const name of schema.keys ?? []) {
      const field = schema.items.fields[name]
      const optional = schema.keyDefaults && name in schema.keyDefaults && choices.percent(30)
      if (optional) delete item[name]
      else if (field) item[name] = new Values(choices).make(field.schema)
    }
    return item
  }
}

const keyOf = (schema: ListSchema, item: unknown, name: string): unknown =>
  (item as Record<string, unknown>)[name] ?? schema.keyDefaults?.[name]

/** One value somewhere in `value` becomes another, of whatever type; `value` itself is not changed. */
export function spoiled(choices: Random, value: unknown): unknown {
  const copy: unknown = structuredClone(value)
  const places: [Record<string, unknown>, string][] = []
  const collect = (at: unknown): void => {
    if (typeof at !== 'object' || at === null) return
    for (const key of Object.keys(at)) {
      if (key === '__proto__') continue
      places.push([at as Record<string, unknown>, key])
      collect((at as Record<string, unknown>)[key])
    }
  }
  collect(copy)
  if (places.length === 0) return copy
  const [holder, key] = choices.pick(places)
  const others = ['text', 7, 1.5, true, null, [], ['a', 1], {}, { a: 'b' }, [null], [{}], [['x']]]
  if (!Array.isArray(holder) && choices.percent(20)) holder.undeclared = 1
  else holder[key] = choices.pick(others)
  return copy
}

/** A schema of one's own, and the same in structured-merge-diff's YAML. */
export function randomSchema(choices: Random): { schema: Schema; yaml: string } {
  const [schema, type] = ofKind(choices, 0, choices.pick(['struct', 'map', 'struct']))
  const root = { name: 'root', ...type }
  return { schema, yaml: JSON.stringify({ types: [root, ...untypedTypes] }) }
}

type SmdType = Record<string, unknown>

const untypedType = (name: string, relationship: string): SmdType => ({
  name,
  scalar: 'untyped',
  list: { elementType: { namedType: '__untyped_atomic_' }, elementRelationship: 'atomic' },
  map: { elementType: { namedType: name }, elementRelationship: relationship },
})
const untypedTypes = [untypedType('__untyped_atomic_', 'atomic'), untypedType('__untyped_deduced_', 'separable')]

const scalars = { string: 'string', integer: 'numeric', number: 'numeric', boolean: 'boolean', any: 'untyped' } as const
const scalarNames = Object.keys(scalars)

function ofKind(choices: Random, depth: number, kind: string): [Schema, SmdType] {
  const below = (): [Schema, SmdType] => {
    const kinds = [...scalarNames, 'struct', 'struct', 'map', 'atomic', 'set', 'keyed', 'keyed', 'untyped']
    return ofKind(choices, depth + 1, choices.pick(depth > 3 ? scalarNames : kinds))
  }
  const atomic = choices.percent(20)
  const relationship = atomic ? { elementRelationship: 'atomic' } : {}
  switch (kind) {
    case 'untyped':
      return atomic
        ? [{ type: 'untyped', atomic }, { namedType: '__untyped_atomic_' }]
        : [{ type: 'untyped' }, { namedType: '__untyped_deduced_' }]
    case 'map': {
      const [values, elementType] = below()
      return [{ type: 'map', values, atomic }, { map: { elementType, ...relationship } }]
    }
    case 'atomic': {
      const [items, elementType] = below()
      return [{ type: 'list', items, listType: 'atomic' }, { list: { elementType, elementRelationship: 'atomic' } }]
    }
    case 'set': {
      const [items, elementType] = ofKind(choices, depth + 1, choices.pick(scalarNames))
      return [{ type: 'list', items, listType: 'set' }, { list: { elementType, elementRelationship: 'associative' } }]
    }
    case 'keyed':
      return keyedList(choices, below)
    case 'struct':
      return struct(choices, below, relationship, false)
    default:
      return [{ type: kind as keyof typeof scalars }, { scalar: scalars[kind as keyof typeof scalars] }]
  }
}

function keyedList(choices: Random, below: () => [Schema, SmdType]): [Schema, SmdType] {
  const withDefault = choices.percent(50)
  const listKeys = choices.percent(50) ? ['k'] : ['k', 'l']
  const [items, elementType] = struct(choices, below, {}, withDefault)
  return [
    { type: 'list', items, listType: 'map', keys: listKeys, ...(withDefault && { keyDefaults: { k: 'TCP' } }) },
    { list: { elementType, elementRelationship: 'associative', keys: listKeys } },
  ]
}

function struct(
  choices: Random,
  below: () => [Schema, SmdType],
  relationship: object,
  withDefault: boolean,
): [StructSchema, SmdType] {
  const fields: Record<string, FieldSchema> = { k: { schema: { type: 'string' } }, l: { schema: { type: 'integer' } } }
  const types: SmdType[] = [
    { name: 'k', type: { scalar: 'string' }, ...(withDefault && { default: 'TCP' }) },
    { name: 'l', type: { scalar: 'numeric' } },
  ]
  for (const name of ['a', 'b', 'constructor'].slice(0, choices.int(0, 3))) {
    const [schema, type] = below()
    Object.defineProperty(fields, name, { value: { schema }, enumerable: true })
    types.push({ name, type })
  }
  const [additional, elementType] = choices.percent(20) ? below() : []
  return [
    { type: 'struct', fields, atomic: 'elementRelationship' in relationship, ...(additional && { additional }) },
    { map: { fields: types, ...(elementType && { elementType }), ...relationship } },
  ]
}

/** Kinds of which values are made. */
export const kinds = [
  ['apps/v1', 'Deployment'],
  ['v1', 'Pod'],
  ['v1', 'Service'],
  ['v1', 'Node'],
  ['v1', 'ConfigMap'],
  ['networking.k8s.io/v1', 'Ingress'],
] as const

/** The schema of a built-in kind. */
export const schemaFor = (apiVersion: string, kind: string): Schema => {
  const schema = schemaForKind({ ...parseGroupVersion(apiVersion), kind })
  if (!schema) throw new Error(`there is no schema of ${apiVersion} ${kind}`)
  return schema
}

/** Go's message about data, or about a whole object, as ours has it: without the value. */
export function withoutData(message: string): string {
  return message.replace(
    /((?:^|\): )(?:\.(?:data|stringData)(?:[.[].*?)?: )?expected (?:any )?\w+, got &(?:value\.valueUnstructured\{Value:|\{)).*\}$/s,
    '$1…}',
  )
}
