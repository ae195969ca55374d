import fc from 'fast-check'
import type { Schema, StructSchema } from 'kubewright/meta'
import { type OpenApiSchema, schemaFromOpenAPI } from 'kubewright/patch'
import { schemaForKind } from 'kubewright/schema'
import { expect, it } from 'vitest'
import { root } from '../../tools/root.js'
import { readSpec } from '../../tools/spec/format.js'
import { runs } from './arbitraries.js'
import { describeWithOracle } from './describe-with-oracle.js'

// structured-merge-diff's schema, as it writes itself.
interface GoAtom {
  scalar?: string
  list?: { elementType: GoRef; elementRelationship?: string; keys?: string[] }
  map?: { fields?: GoField[]; elementType?: GoRef; elementRelationship?: string }
}
type GoRef = GoAtom & { namedType?: string; elementRelationship?: string }
interface GoField {
  name: string
  type: GoRef
  default?: unknown
}
type GoType = GoAtom & { name: string }

// Asked by kube-apiserver of a webhook, served by nobody: no resource and no client.
const notServed = /^io\.k8s\.api\.imagepolicy\./

const untyped = '__untyped_deduced_'

/** What can be said of a type in one text; of structs only the name and whether this place treats it as atomic. */
function describeOurs(schema: Schema): string {
  switch (schema.type) {
    case 'untyped':
      return schema.atomic ? '__untyped_atomic_' : untyped
    case 'any':
      return 'untyped'
    case 'integer':
    case 'number':
      return 'numeric'
    case 'string':
    case 'boolean':
      return schema.type
    case 'struct':
      return `${schema.name}${schema.atomic ? ' atomic' : ''}`
    case 'map':
      return `map${schema.atomic ? ' atomic' : ''} of ${describeOurs(schema.values)}`
    case 'list': {
      const relationship = schema.listType === 'atomic' ? 'atomic' : 'associative'
      return `list ${relationship} ${JSON.stringify(schema.keys ?? [])} ${JSON.stringify(schema.keyDefaults ?? {})} of ${describeOurs(schema.items)}`
    }
  }
}

function describeGo(ref: GoRef, types: ReadonlyMap<string, GoType>): string {
  const name = ref.namedType
  if (name?.startsWith('__untyped')) return name
  const atom = name ? types.get(name) : ref
  if (!atom) return `nothing (${name})`
  if (atom.scalar && atom.map) return untyped
  if (atom.scalar) return atom.scalar
  if (atom.list) {
    const { elementRelationship, elementType, keys } = atom.list
    const item = elementType.namedType ? types.get(elementType.namedType) : undefined
    const defaults = (keys ?? []).flatMap((key) => {
      const value = item?.map?.fields?.find((f) => f.name === key)?.default
      return value === undefined || value === null ? [] : [[key, value]]
    })
    return `list ${elementRelationship} ${JSON.stringify(keys ?? [])} ${JSON.stringify(Object.fromEntries(defaults))} of ${describeGo(elementType, types)}`
  }
  if (!atom.map) return 'nothing'
  const atomic = (ref.elementRelationship || atom.map.elementRelationship) === 'atomic' ? ' atomic' : ''
  if (atom.map.fields?.length) return `${name}${atomic}`
  return `map${atomic} of ${describeGo(atom.map.elementType ?? {}, types)}`
}

/** Every struct that a kind leads to, by name. */
function collect(schema: Schema, found: Map<string, StructSchema>): void {
  if (schema.type === 'list') return collect(schema.items, found)
  if (schema.type === 'map') return collect(schema.values, found)
  if (schema.type !== 'struct' || schema.name === undefined || found.has(schema.name)) return
  found.set(schema.name, schema)
  for (const field of Object.values(schema.fields)) collect(field.schema, found)
}

describeWithOracle('schemas of built-in kinds', (oracle) => {
  const ours = new Map<string, StructSchema>()
  for (const { group, version, definitions } of readSpec(`${root}/spec`)) {
    for (const { apiVersion, kind } of Object.values(definitions)) {
      if (apiVersion === undefined || kind === undefined) continue
      const schema = schemaForKind({ group: apiVersion.includes('/') ? group : '', version, kind })
      if (schema) collect(schema, ours)
    }
  }

  it('say of every type what client-go does', async () => {
    const answer = await oracle.ask<GoType[]>('mergeSchema.types', {})
    if ('error' in answer) throw new Error(answer.error)
    const types = new Map(answer.result.map((type) => [type.name, type]))
    const differences: string[] = []
    let compared = 0
    for (const type of answer.result) {
      const schema = ours.get(type.name)
      if (!type.map?.fields?.length || notServed.test(type.name)) continue
      if (!schema) {
        differences.push(`${type.name}: ours has none`)
        continue
      }
      compared++
      const names = new Set([...Object.keys(schema.fields), ...type.map.fields.map((f) => f.name)])
      for (const name of names) {
        const field = type.map.fields.find((f) => f.name === name)
        const go = field ? describeGo(field.type, types) : 'no such field'
        const own = schema.fields[name] ? describeOurs(schema.fields[name].schema) : 'no such field'
        if (own !== go) differences.push(`${type.name}.${name}: ${own}, in Go ${go}`)
      }
    }
    expect(differences).toEqual([])
    expect(compared).toBeGreaterThan(800)
  })

  it('say of every field what Go tells strategic merge patches', async () => {
    const answer = await oracle.ask<Record<string, Record<string, { strategy?: string; mergeKey?: string }>>>(
      'patch.tags',
      {},
    )
    if ('error' in answer) throw new Error(answer.error)
    const differences: string[] = []
    let compared = 0
    for (const [type, fields] of Object.entries(answer.result)) {
      const schema = ours.get(type)
      for (const [name, { mergeKey, strategy }] of Object.entries(fields)) {
        const field = schema?.fields[name]
        if (!field) continue
        compared++
        const own = [field.patchStrategy?.join(), field.patchMergeKey]
        if (own[0] !== strategy || own[1] !== mergeKey) {
          differences.push(`${type}.${name}: ${own.join()}, in Go ${strategy},${mergeKey}`)
        }
      }
    }
    expect(differences).toEqual([])
    expect(compared).toBeGreaterThan(3000)
  })
})

/** All of a schema, without names. */
function wholeOfOurs(schema: Schema): unknown {
  switch (schema.type) {
    case 'struct': {
      const fields = Object.entries(schema.fields).map(([name, field]) => [name, wholeOfOurs(field.schema)])
      const others = schema.additional ? wholeOfOurs(schema.additional) : null
      return { atomic: schema.atomic ?? false, fields: Object.fromEntries(fields), others }
    }
    case 'map':
      return { atomic: schema.atomic ?? false, fields: {}, others: wholeOfOurs(schema.values) }
    case 'list':
      return { list: schema.listType !== 'atomic', keys: schema.keys ?? [], items: wholeOfOurs(schema.items) }
    default:
      return describeOurs(schema)
  }
}

function wholeOfGo(ref: GoRef): unknown {
  const { list, map, namedType, scalar } = ref
  if (namedType) return namedType
  if (scalar && map) return untyped
  if (scalar) return scalar
  if (list) {
    const { elementRelationship, elementType, keys } = list
    return { list: elementRelationship !== 'atomic', keys: keys ?? [], items: wholeOfGo(elementType) }
  }
  if (!map) return 'nothing'
  const fields = (map.fields ?? []).map(({ name, type }) => [name, wholeOfGo(type)])
  const { elementType } = map
  const others = elementType && Object.keys(elementType).length > 0 ? wholeOfGo(elementType) : null
  return { atomic: map.elementRelationship === 'atomic', fields: Object.fromEntries(fields), others }
}

describeWithOracle('schemas of OpenAPI schemas', (oracle) => {
  const some = <T>(value: T) => fc.option(fc.constant(value), { nil: undefined, freq: 2 })
  const { schema: drawn } = fc.letrec<{ schema: OpenApiSchema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4 },
      fc.record({ type: fc.constantFrom('integer', 'number', 'boolean', 'string') }, { noNullPrototype: true }),
      fc.record(
        { type: fc.constant('string'), format: fc.constantFrom('byte', 'date-time', 'int-or-string', 'x') },
        { noNullPrototype: true },
      ),
      fc.record({ 'x-kubernetes-preserve-unknown-fields': some(true) }, { noNullPrototype: true }),
      fc.record(
        {
          type: fc.constant('array'),
          items: tie('schema'),
          'x-kubernetes-list-type': fc.constantFrom(undefined, 'atomic', 'set', 'map'),
          'x-kubernetes-list-map-keys': fc.constant(['a', 'b']),
          'x-kubernetes-patch-strategy': fc.constantFrom(undefined, 'merge', 'retainKeys', 'merge,retainKeys'),
          'x-kubernetes-patch-merge-key': some('a'),
        },
        { noNullPrototype: true },
      ),
      fc.record(
        {
          type: fc.constant('object'),
          properties: fc.option(
            fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema'), { noNullPrototype: true }),
            {
              nil: undefined,
            },
          ),
          'x-kubernetes-preserve-unknown-fields': some(true),
          'x-kubernetes-map-type': fc.constantFrom(undefined, undefined, 'atomic', 'granular'),
        },
        { noNullPrototype: true },
      ),
      fc.record(
        {
          type: fc.constant('object'),
          additionalProperties: fc.oneof(tie('schema'), fc.boolean()),
          'x-kubernetes-map-type': fc.constantFrom(undefined, 'atomic', 'granular'),
        },
        { noNullPrototype: true },
      ),
    ) as fc.Arbitrary<OpenApiSchema>,
  }))

  it('are what kube-apiserver makes of them', async () => {
    await fc.assert(
      fc.asyncProperty(drawn, fc.boolean(), async (schema, preserveUnknownFields) => {
        const go = await oracle.ask<GoType[]>('mergeSchema.openapi', { schema, preserveUnknownFields })
        if ('error' in go) throw new Error(go.error)
        const root = go.result.find(({ name }) => name === 'root')
        const ours = schemaFromOpenAPI(schema, { object: false, preserveUnknownFields })
        expect(wholeOfOurs(ours), JSON.stringify(schema)).toEqual(wholeOfGo(root ?? {}))
      }),
      runs(2000),
    )
  })
})
