// Objects that fit a schema, changes of them, and patches: small vocabularies, so that what is drawn twice often meets.

import type { FieldSchema, Schema, StructSchema } from 'kubewright/meta'

type Json = unknown
type JsonObject = Record<string, Json>

/** Draws from a seed: the same in every run. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0
  }

  /** Below `n`. */
  below(n: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) % n
  }

  chance(percent: number): boolean {
    return this.below(100) < percent
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T
  }

  shuffled<T>(items: readonly T[]): T[] {
    const result = [...items]
    for (let i = result.length - 1; i > 0; i--) {
      const j = this.below(i + 1)
      const item = result[i] as T
      result[i] = result[j] as T
      result[j] = item
    }
    return result
  }
}

const words = ['a', 'b', 'c', 'd', 'web', 'TCP', 'UDP', '', '10', 'é']

function scalar(type: string, random: Random): Json {
  if (type === 'string') return random.pick(words)
  if (type === 'boolean') return random.chance(50)
  if (type === 'integer') return random.pick([0, 1, 2, 10, 80, 443])
  if (type === 'number') return random.pick([0, 0.5, 1])
  return random.chance(50) ? random.pick(['1', '500m', 'http']) : random.pick([1, 8080])
}

const merges = ({ patchStrategy = [] }: FieldSchema): boolean => patchStrategy.includes('merge')

/** Fields to draw: those that say something of merging more often than others. */
function drawFields(schema: StructSchema, random: Random, depth: number): string[] {
  const names = Object.keys(schema.fields)
  const interesting = names.filter((name) => {
    const field = schema.fields[name] as FieldSchema
    return field.patchStrategy !== undefined || field.schema.type === 'struct'
  })
  const count = 1 + random.below(depth > 3 ? 2 : 4)
  return [
    ...new Set(
      Array.from({ length: count }, () =>
        interesting.length > 0 && random.chance(60) ? random.pick(interesting) : random.pick(names),
      ),
    ),
  ]
}

/** A value of the schema. */
export function drawValue(schema: Schema, random: Random, depth = 0): Json {
  switch (schema.type) {
    case 'struct': {
      const object: JsonObject = {}
      if (depth > 7 || Object.keys(schema.fields).length === 0) return object
      for (const name of drawFields(schema, random, depth)) {
        object[name] = drawField(schema.fields[name] as FieldSchema, random, depth + 1)
      }
      return object
    }
    case 'map': {
      const object: JsonObject = {}
      for (let i = random.below(3); i > 0; i--) object[random.pick(words)] = drawValue(schema.values, random, depth + 1)
      return object
    }
    case 'list':
      return Array.from({ length: random.below(3) }, () => drawValue(schema.items, random, depth + 1))
    case 'untyped':
      return { [random.pick(words)]: random.pick(words) }
    default:
      return scalar(schema.type, random)
  }
}

function drawField(field: FieldSchema, random: Random, depth: number): Json {
  const { patchMergeKey, schema } = field
  if (schema.type !== 'list' || !merges(field)) return drawValue(schema, random, depth)
  const items = Array.from({ length: random.below(depth > 4 ? 3 : 5) }, () => drawItem(field, random, depth))
  return random.chance(97) ? unique(items, patchMergeKey) : items
}

function drawItem({ patchMergeKey, schema }: FieldSchema, random: Random, depth: number): Json {
  if (schema.type !== 'list') return null
  const item = drawValue(schema.items, random, depth + 1)
  if (patchMergeKey === undefined || schema.items.type !== 'struct' || random.chance(1)) return item
  const key = schema.items.fields[patchMergeKey]
  return { ...(item as JsonObject), [patchMergeKey]: key ? scalar(key.schema.type, random) : random.pick(words) }
}

function unique(items: readonly Json[], key: string | undefined): Json[] {
  const seen = new Set<Json>()
  return items.filter((item) => {
    const id = key === undefined ? item : (item as JsonObject)[key]
    if (seen.has(id)) return false
    seen.add(id)
    return true
  })
}

/** What became of a value: parts dropped, added, changed, put in another order. */
export function change(value: Json, schema: Schema, random: Random, depth = 0): Json {
  if (schema.type === 'struct' && isObject(value)) {
    const result: JsonObject = {}
    for (const [name, item] of Object.entries(value)) {
      const field = schema.fields[name]
      if (random.chance(12)) continue
      result[name] = field && random.chance(70) ? changeField(item, field, random, depth + 1) : item
    }
    const added = random.chance(30) ? (drawValue(schema, random, depth + 1) as JsonObject) : {}
    return { ...added, ...result }
  }
  if (schema.type === 'map' && isObject(value)) {
    const kept = Object.entries(value).filter(() => random.chance(80))
    const added = random.chance(40) ? (drawValue(schema, random, depth) as JsonObject) : {}
    return { ...Object.fromEntries(kept), ...added }
  }
  return random.chance(50) ? value : drawValue(schema, random, depth)
}

function changeField(value: Json, field: FieldSchema, random: Random, depth: number): Json {
  const { patchMergeKey, schema } = field
  if (schema.type !== 'list' || !Array.isArray(value) || !merges(field)) return change(value, schema, random, depth)
  const items: Json[] = value
    .filter(() => random.chance(80))
    .map((item: Json) => {
      if (!isObject(item) || patchMergeKey === undefined || random.chance(50)) return item
      const key = item[patchMergeKey]
      return {
        ...(change(item, schema.items, random, depth) as JsonObject),
        ...(key !== undefined && { [patchMergeKey]: key }),
      }
    })
  const added = random.chance(40) ? [drawItem(field, random, depth)] : []
  const all = random.chance(40) ? random.shuffled([...items, ...added]) : [...items, ...added]
  return random.chance(97) ? unique(all, patchMergeKey) : all
}

/** A strategic merge patch that somebody could have written by hand, directives and all. */
export function drawPatch(value: Json, schema: Schema, random: Random, depth = 0): Json {
  const changed = change(value, schema, random, depth)
  if (schema.type !== 'struct' || !isObject(changed)) return changed
  const patch: JsonObject = {}
  for (const [name, item] of Object.entries(changed)) {
    const field = schema.fields[name]
    if (!field || random.chance(20)) continue
    if (random.chance(8)) patch[name] = null
    else Object.assign(patch, patchOfField(name, item, isObject(value) ? value[name] : undefined, field, random, depth))
  }
  if (random.chance(4)) patch['$patch'] = random.pick(['delete', 'replace', 'replace', 'merge', 'x', 1])
  if (random.chance(6)) {
    const kept = Object.keys(patch).filter((key) => !key.startsWith('$'))
    patch['$retainKeys'] = random.chance(80) ? kept : random.pick([['a'], [], 'a'])
  }
  return patch
}

function patchOfField(
  name: string,
  changed: Json,
  before: Json,
  field: FieldSchema,
  random: Random,
  depth: number,
): JsonObject {
  const { patchMergeKey, schema } = field
  if (!Array.isArray(changed) || schema.type !== 'list' || !merges(field)) {
    return { [name]: random.chance(3) ? random.pick(words) : drawPatch(changed, schema, random, depth + 1) }
  }
  if (patchMergeKey === undefined) {
    const patch: JsonObject = { [name]: changed }
    const gone = (Array.isArray(before) ? before : []).filter((item: Json) => !changed.includes(item))
    if (random.chance(50)) patch[`$deleteFromPrimitiveList/${name}`] = gone
    if (random.chance(40)) patch[`$setElementOrder/${name}`] = random.chance(90) ? changed : random.shuffled(changed)
    return patch
  }
  const items: Json[] = changed.map((item: Json) => {
    if (!isObject(item)) return item
    const key = item[patchMergeKey]
    if (random.chance(15))
      return { [patchMergeKey]: key, $patch: random.pick(['delete', 'delete', 'replace', 'merge']) }
    return { ...(drawPatch(item, schema.items, random, depth + 1) as JsonObject), [patchMergeKey]: key }
  })
  const patch: JsonObject = { [name]: items }
  if (random.chance(5)) items.push({ $patch: 'replace' })
  if (random.chance(50)) {
    const keys = items.filter(isObject).map((item) => ({ [patchMergeKey]: item[patchMergeKey] }))
    patch[`$setElementOrder/${name}`] = random.chance(85) ? keys : random.shuffled(keys)
    if (random.chance(20)) delete patch[name]
  }
  return patch
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
