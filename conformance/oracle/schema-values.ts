// Objects that fit a schema, changes of them, and patches: small vocabularies, so that what is drawn twice often meets.

import type { FieldSchema, Schema, StructSchema } from 'kubewright/meta'
import type { Random } from '../faults/random.js'

type Json = unknown
type JsonObject = Record<string, Json>

const words = ['a', 'b', 'c', 'd', 'web', 'TCP', 'UDP', '', '10', 'é']

function scalar(type: string, choices: Random): Json {
  if (type === 'string') return choices.pick(words)
  if (type === 'boolean') return choices.percent(50)
  if (type === 'integer') return choices.pick([0, 1, 2, 10, 80, 443])
  if (type === 'number') return choices.pick([0, 0.5, 1])
  return choices.percent(50) ? choices.pick(['1', '500m', 'http']) : choices.pick([1, 8080])
}

const merges = ({ patchStrategy = [] }: FieldSchema): boolean => patchStrategy.includes('merge')

/** Fields to draw: those that say something of merging more often than others. */
function drawFields(schema: StructSchema, choices: Random, depth: number): string[] {
  const names = Object.keys(schema.fields)
  const interesting = names.filter((name) => {
    const field = schema.fields[name] as FieldSchema
    return field.patchStrategy !== undefined || field.schema.type === 'struct'
  })
  const count = 1 + choices.int(0, depth > 3 ? 1 : 3)
  return [
    ...new Set(
      Array.from({ length: count }, () =>
        interesting.length > 0 && choices.percent(60) ? choices.pick(interesting) : choices.pick(names),
      ),
    ),
  ]
}

/** A value of the schema. */
export function drawValue(schema: Schema, choices: Random, depth = 0): Json {
  switch (schema.type) {
    case 'struct': {
      const object: JsonObject = {}
      if (depth > 7 || Object.keys(schema.fields).length === 0) return object
      for (const name of drawFields(schema, choices, depth)) {
        object[name] = drawField(schema.fields[name] as FieldSchema, choices, depth + 1)
      }
      return object
    }
    case 'map': {
      const object: JsonObject = {}
      for (let i = choices.int(0, 2); i > 0; i--)
        object[choices.pick(words)] = drawValue(schema.values, choices, depth + 1)
      return object
    }
    case 'list':
      return Array.from({ length: choices.int(0, 2) }, () => drawValue(schema.items, choices, depth + 1))
    case 'untyped':
      return { [choices.pick(words)]: choices.pick(words) }
    default:
      return scalar(schema.type, choices)
  }
}

function drawField(field: FieldSchema, choices: Random, depth: number): Json {
  const { patchMergeKey, schema } = field
  if (schema.type !== 'list' || !merges(field)) return drawValue(schema, choices, depth)
  const items = Array.from({ length: choices.int(0, depth > 4 ? 2 : 4) }, () => drawItem(field, choices, depth))
  return choices.percent(97) ? unique(items, patchMergeKey) : items
}

function drawItem({ patchMergeKey, schema }: FieldSchema, choices: Random, depth: number): Json {
  if (schema.type !== 'list') return null
  const item = drawValue(schema.items, choices, depth + 1)
  if (patchMergeKey === undefined || schema.items.type !== 'struct' || choices.percent(1)) return item
  const key = schema.items.fields[patchMergeKey]
  return { ...(item as JsonObject), [patchMergeKey]: key ? scalar(key.schema.type, choices) : choices.pick(words) }
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
export function change(value: Json, schema: Schema, choices: Random, depth = 0): Json {
  if (schema.type === 'struct' && isObject(value)) {
    const result: JsonObject = {}
    for (const [name, item] of Object.entries(value)) {
      const field = schema.fields[name]
      if (choices.percent(12)) continue
      result[name] = field && choices.percent(70) ? changeField(item, field, choices, depth + 1) : item
    }
    const added = choices.percent(30) ? (drawValue(schema, choices, depth + 1) as JsonObject) : {}
    return { ...added, ...result }
  }
  if (schema.type === 'map' && isObject(value)) {
    const kept = Object.entries(value).filter(() => choices.percent(80))
    const added = choices.percent(40) ? (drawValue(schema, choices, depth) as JsonObject) : {}
    return { ...Object.fromEntries(kept), ...added }
  }
  return choices.percent(50) ? value : drawValue(schema, choices, depth)
}

function changeField(value: Json, field: FieldSchema, choices: Random, depth: number): Json {
  const { patchMergeKey, schema } = field
  if (schema.type !== 'list' || !Array.isArray(value) || !merges(field)) return change(value, schema, choices, depth)
  const items: Json[] = value
    .filter(() => choices.percent(80))
    .map((item: Json) => {
      if (!isObject(item) || patchMergeKey === undefined || choices.percent(50)) return item
      const key = item[patchMergeKey]
      return {
        ...(change(item, schema.items, choices, depth) as JsonObject),
        ...(key !== undefined && { [patchMergeKey]: key }),
      }
    })
  const added = choices.percent(40) ? [drawItem(field, choices, depth)] : []
  const all = choices.percent(40) ? choices.shuffled([...items, ...added]) : [...items, ...added]
  return choices.percent(97) ? unique(all, patchMergeKey) : all
}

/** A strategic merge patch that somebody could have written by hand, directives and all. */
export function drawPatch(value: Json, schema: Schema, choices: Random, depth = 0): Json {
  const changed = change(value, schema, choices, depth)
  if (schema.type !== 'struct' || !isObject(changed)) return changed
  const patch: JsonObject = {}
  for (const [name, item] of Object.entries(changed)) {
    const field = schema.fields[name]
    if (!field || choices.percent(20)) continue
    if (choices.percent(8)) patch[name] = null
    else
      Object.assign(patch, patchOfField(name, item, isObject(value) ? value[name] : undefined, field, choices, depth))
  }
  if (choices.percent(4)) patch['$patch'] = choices.pick(['delete', 'replace', 'replace', 'merge', 'x', 1])
  if (choices.percent(6)) {
    const kept = Object.keys(patch).filter((key) => !key.startsWith('$'))
    patch['$retainKeys'] = choices.percent(80) ? kept : choices.pick([['a'], [], 'a'])
  }
  return patch
}

function patchOfField(
  name: string,
  changed: Json,
  before: Json,
  field: FieldSchema,
  choices: Random,
  depth: number,
): JsonObject {
  const { patchMergeKey, schema } = field
  if (!Array.isArray(changed) || schema.type !== 'list' || !merges(field)) {
    return { [name]: choices.percent(3) ? choices.pick(words) : drawPatch(changed, schema, choices, depth + 1) }
  }
  if (patchMergeKey === undefined) {
    const patch: JsonObject = { [name]: changed }
    const gone = (Array.isArray(before) ? before : []).filter((item: Json) => !changed.includes(item))
    if (choices.percent(50)) patch[`$deleteFromPrimitiveList/${name}`] = gone
    if (choices.percent(40))
      patch[`$setElementOrder/${name}`] = choices.percent(90) ? changed : choices.shuffled(changed)
    return patch
  }
  const items: Json[] = changed.map((item: Json) => {
    if (!isObject(item)) return item
    const key = item[patchMergeKey]
    if (choices.percent(15))
      return { [patchMergeKey]: key, $patch: choices.pick(['delete', 'delete', 'replace', 'merge']) }
    return { ...(drawPatch(item, schema.items, choices, depth + 1) as JsonObject), [patchMergeKey]: key }
  })
  const patch: JsonObject = { [name]: items }
  if (choices.percent(5)) items.push({ $patch: 'replace' })
  if (choices.percent(50)) {
    const keys = items.filter(isObject).map((item) => ({ [patchMergeKey]: item[patchMergeKey] }))
    patch[`$setElementOrder/${name}`] = choices.percent(85) ? keys : choices.shuffled(keys)
    if (choices.percent(20)) delete patch[name]
  }
  return patch
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
