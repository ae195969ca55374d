// From OpenAPI v3 schemas to the definitions of spec/.

import type { Definition, Schema } from '../spec/format.js'

/** The part of an OpenAPI v3 schema that is read. */
export interface OpenApiSchema {
  description?: string
  type?: Schema['type']
  format?: string
  $ref?: string
  allOf?: { $ref: string }[]
  oneOf?: { type: string }[]
  items?: OpenApiSchema
  additionalProperties?: OpenApiSchema
  properties?: Record<string, OpenApiSchema>
  required?: string[]
  default?: unknown
  enum?: string[]
  nullable?: boolean
  'x-kubernetes-list-type'?: Schema['listType']
  'x-kubernetes-list-map-keys'?: string[]
  'x-kubernetes-map-type'?: Schema['mapType']
  'x-kubernetes-patch-strategy'?: string
  'x-kubernetes-patch-merge-key'?: string
  'x-kubernetes-unions'?: Definition['unions']
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[]
}

export type OpenApiSchemas = Record<string, OpenApiSchema>

const known: Readonly<Record<keyof OpenApiSchema, true>> = {
  description: true,
  type: true,
  format: true,
  $ref: true,
  allOf: true,
  oneOf: true,
  items: true,
  additionalProperties: true,
  properties: true,
  required: true,
  default: true,
  enum: true,
  nullable: true,
  'x-kubernetes-list-type': true,
  'x-kubernetes-list-map-keys': true,
  'x-kubernetes-map-type': true,
  'x-kubernetes-patch-strategy': true,
  'x-kubernetes-patch-merge-key': true,
  'x-kubernetes-unions': true,
  'x-kubernetes-group-version-kind': true,
}

/** Splits `io.k8s.api.apps.v1.Deployment` into its package and name. */
export function splitName(name: string): { pkg: string; name: string } {
  const dot = name.lastIndexOf('.')
  return { pkg: name.slice(0, dot), name: name.slice(dot + 1) }
}

/** The definition that a schema refers to, or undefined. */
function reference(schema: OpenApiSchema): string | undefined {
  const ref = schema.$ref ?? (schema.allOf?.length === 1 ? schema.allOf[0]?.$ref : undefined)
  return ref?.slice(ref.lastIndexOf('/') + 1)
}

/** Every definition that one refers to. */
export function references(schema: OpenApiSchema): string[] {
  const ref = reference(schema)
  const inner = [schema.items, schema.additionalProperties, ...Object.values(schema.properties ?? {})]
  return [...(ref === undefined ? [] : [ref]), ...inner.flatMap((s) => (s ? references(s) : []))]
}

/** The names that are reachable from the roots, roots included. */
export function reachable(schemas: OpenApiSchemas, roots: Iterable<string>): Set<string> {
  const seen = new Set<string>()
  const queue = [...roots]
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (seen.has(name)) continue
    const schema = schemas[name]
    if (!schema) throw new Error(`reading the API description: definition ${name} is referred to and missing`)
    seen.add(name)
    queue.push(...references(schema))
  }
  return seen
}

/** Converts one definition. `rename` gives the name by which spec/ refers to another one. */
export function toDefinition(name: string, schema: OpenApiSchema, rename: (ref: string) => string): Definition {
  refuseUnknownKeys(name, schema)
  const kinds = schema['x-kubernetes-group-version-kind'] ?? []
  const [gvk] = kinds
  const isObject = schema.properties !== undefined
  return compact<Definition>({
    apiVersion: gvk && kinds.length === 1 ? (gvk.group ? `${gvk.group}/${gvk.version}` : gvk.version) : undefined,
    kind: gvk && kinds.length === 1 ? gvk.kind : undefined,
    type: isObject ? undefined : schema.type,
    format: schema.format,
    oneOf: schema.oneOf?.map((s) => s.type),
    mapType: schema['x-kubernetes-map-type'],
    unions: schema['x-kubernetes-unions'],
    deprecated: deprecated(schema),
    required: schema.required,
    properties:
      schema.properties &&
      Object.fromEntries(
        Object.entries(schema.properties)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, property]) => [key, toSchema(`${name}.${key}`, property, rename)]),
      ),
  })
}

function toSchema(path: string, schema: OpenApiSchema, rename: (ref: string) => string): Schema {
  refuseUnknownKeys(path, schema)
  if (schema.properties) throw new Error(`reading the API description: ${path} has properties of its own`)
  const ref = reference(schema)
  return compact<Schema>({
    type: schema.type,
    format: schema.format || undefined,
    ref: ref === undefined ? undefined : rename(ref),
    items: schema.items && toSchema(`${path}[]`, schema.items, rename),
    values: schema.additionalProperties && toSchema(`${path}{}`, schema.additionalProperties, rename),
    default: schema.default,
    enum: schema.enum,
    nullable: schema.nullable ? true : undefined,
    listType: schema['x-kubernetes-list-type'],
    listMapKeys: schema['x-kubernetes-list-map-keys'],
    mapType: schema['x-kubernetes-map-type'],
    patchStrategy: schema['x-kubernetes-patch-strategy'],
    patchMergeKey: schema['x-kubernetes-patch-merge-key'],
    deprecated: deprecated(schema),
  })
}

/** What is not read here must not get lost in silence. */
function refuseUnknownKeys(path: string, schema: OpenApiSchema): void {
  const unknown = Object.keys(schema).find((key) => !Object.hasOwn(known, key))
  if (unknown) throw new Error(`reading the API description: ${path} has the unknown key ${unknown}`)
}

/** Go's convention: a paragraph that starts with the word. The sentence stays out, the fact comes in. */
function deprecated(schema: OpenApiSchema): true | undefined {
  return /(^|\n\s*)deprecated\b[:.]/i.test(schema.description ?? '') ? true : undefined
}

/**
 * Compares what the published document says of a definition with what is compiled in. They differ only in
 * descriptions, enumerations and nulls (published without), kinds (DeleteOptions is of every group-version) and `allOf` around
 * references.
 */
export function assertSame(name: string, published: OpenApiSchema, compiled: OpenApiSchema | undefined): void {
  if (!compiled) throw new Error(`${name} is in the published documents and not compiled in`)
  const a = JSON.stringify(normal(published))
  const b = JSON.stringify(normal(compiled))
  if (a !== b) throw new Error(`${name} differs between the published document and the compiled one:\n${a}\n${b}`)
}

/** A schema with the descriptions of another form of it. */
export function withDescriptions(schema: OpenApiSchema, described: OpenApiSchema | undefined): OpenApiSchema {
  const of = (s: OpenApiSchema, d: OpenApiSchema | undefined): OpenApiSchema =>
    d?.description === undefined ? s : { ...s, description: d.description }
  const properties = Object.entries(schema.properties ?? {}).map(([k, p]) => [k, of(p, described?.properties?.[k])])
  return { ...of(schema, described), ...(schema.properties ? { properties: Object.fromEntries(properties) } : {}) }
}

function normal(value: unknown, isSchema = true): unknown {
  if (Array.isArray(value)) return value.map((v) => normal(v))
  if (typeof value !== 'object' || value === null) return value
  const ignored = isSchema ? ['description', 'enum', 'nullable', 'x-kubernetes-group-version-kind'] : []
  const entries = Object.entries(value)
    .filter(([k]) => !ignored.includes(k))
    .map(([k, v]): [string, unknown] =>
      isSchema && k === 'allOf' ? ['$ref', v[0].$ref] : [k, normal(v, !(isSchema && k === 'properties'))],
    )
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function compact<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as T
}
