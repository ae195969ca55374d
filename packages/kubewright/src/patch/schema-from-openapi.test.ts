import { describe, expect, it } from 'vitest'
import { ObjectMetaSchema } from '../gen/schema/meta/v1.js'
import type { Schema, StructSchema } from '../meta/index.js'
import { applyStrategicMergePatch, schemaFromOpenAPI } from './index.js'

const object = { object: false } as const

/** The schema of a field, by the names on the way. */
function at(schema: Schema, ...path: string[]): Schema | undefined {
  let found: Schema | undefined = schema
  for (const key of path) found = (found as StructSchema | undefined)?.fields[key]?.schema
  return found
}

describe('the schema of a custom resource', () => {
  const widget = schemaFromOpenAPI(
    {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            size: { type: 'integer' },
            since: { type: 'string', format: 'date-time' },
            port: { 'x-kubernetes-int-or-string': true },
            anything: { 'x-kubernetes-preserve-unknown-fields': true },
            labels: { type: 'object', additionalProperties: { type: 'string' } },
            selector: { type: 'object', additionalProperties: { type: 'string' }, 'x-kubernetes-map-type': 'atomic' },
            tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
            steps: { type: 'array', items: { type: 'string' } },
            ports: {
              type: 'array',
              'x-kubernetes-list-type': 'map',
              'x-kubernetes-list-map-keys': ['port', 'protocol'],
              items: {
                type: 'object',
                properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' } },
              },
            },
            template: {
              type: 'object',
              'x-kubernetes-embedded-resource': true,
              'x-kubernetes-preserve-unknown-fields': true,
            },
            partly: {
              type: 'object',
              'x-kubernetes-preserve-unknown-fields': true,
              properties: { known: { type: 'boolean' } },
            },
          },
        },
      },
    },
    { name: 'Widget' },
  )

  it('has what every object has', () => {
    expect(at(widget, 'metadata')).toBe(ObjectMetaSchema)
    expect(at(widget, 'kind')).toEqual({ type: 'string' })
    expect((widget as StructSchema).name).toBe('Widget')
  })

  it.each([
    ['size', { type: 'integer' }],
    ['since', { type: 'any' }],
    ['port', { type: 'any' }],
    ['anything', { type: 'untyped' }],
    ['labels', { type: 'map', values: { type: 'string' } }],
    ['selector', { type: 'map', values: { type: 'string' }, atomic: true }],
    ['tags', { type: 'list', items: { type: 'string' }, listType: 'set' }],
    ['steps', { type: 'list', items: { type: 'string' }, listType: 'atomic' }],
  ])('%s', (name, schema) => {
    expect(at(widget, 'spec', name)).toEqual(schema)
  })

  it('lists that merge by keys, with the defaults of these', () => {
    expect(at(widget, 'spec', 'ports')).toMatchObject({
      listType: 'map',
      keys: ['port', 'protocol'],
      keyDefaults: { protocol: 'TCP' },
    })
  })

  it('fields that are not named', () => {
    expect(at(widget, 'spec')).not.toHaveProperty('additional')
    expect(at(widget, 'spec', 'partly')).toMatchObject({ additional: { type: 'untyped' } })
    expect(at(widget, 'spec', 'template')).toMatchObject({ additional: { type: 'untyped' } })
    expect(at(widget, 'spec', 'template', 'metadata')).toBe(ObjectMetaSchema)
  })

  it('may be missing', () => {
    expect(schemaFromOpenAPI(undefined)).toEqual({ type: 'map', values: { type: 'untyped' } })
  })
})

describe('references', () => {
  const definitions = {
    Node: {
      type: 'object',
      properties: {
        next: { allOf: [{ $ref: '#/components/schemas/Node' }], default: {} },
        list: {
          type: 'array',
          items: { $ref: '#/components/schemas/Node' },
          'x-kubernetes-patch-strategy': 'merge',
          'x-kubernetes-patch-merge-key': 'name',
        },
        name: { type: 'string' },
        whole: { allOf: [{ $ref: '#/components/schemas/Node' }], 'x-kubernetes-map-type': 'atomic' },
      },
    },
  }
  const node = schemaFromOpenAPI({ $ref: '#/components/schemas/Node' }, { definitions, object: false })

  it('may go in circles', () => {
    expect(at(node, 'next', 'next', 'name')).toEqual({ type: 'string' })
    expect(at(node, 'next')).toBe(at(node, 'next', 'next'))
  })

  it('may be atomic where they are made', () => {
    expect(at(node, 'whole')).toMatchObject({ atomic: true })
    expect(at(node, 'next')).not.toHaveProperty('atomic')
  })

  it('say how strategic merge patches merge', () => {
    const patched = applyStrategicMergePatch({ list: [{ name: 'a' }] }, { list: [{ name: 'b' }] }, node)
    expect(patched.list).toEqual([{ name: 'b' }, { name: 'a' }])
  })
})

it.each([
  [{ type: 'strange' }, 'reading the OpenAPI schema: there is no type "strange"'],
  [
    { type: 'object', properties: { l: { type: 'array', 'x-kubernetes-list-type': 'map' } } },
    'reading the OpenAPI schema of .l: a list of type map has to name its keys in x-kubernetes-list-map-keys',
  ],
  [{ type: 'array', 'x-kubernetes-list-type': 'bag' }, 'reading the OpenAPI schema: there is no list type bag'],
  [{ type: 'object', 'x-kubernetes-map-type': 'x' }, 'reading the OpenAPI schema: there is no map type x'],
  [{ $ref: '#/components/schemas/Gone' }, 'reading the OpenAPI schema: nothing is known of Gone, which it refers to'],
])('%j is refused', (document, message) => {
  expect(() => Object.keys((schemaFromOpenAPI(document, object) as StructSchema).fields ?? {})).toThrow(message)
})
