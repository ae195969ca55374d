// The schema of a custom resource, or of anything else that an OpenAPI v3 schema describes.

import { ObjectMetaSchema } from '../gen/schema/meta/v1.js'
import type { FieldSchema, ListSchema, Schema, StructSchema } from '../meta/index.js'

/** What is read of an OpenAPI v3 schema: that of a CustomResourceDefinition's version, or one of `/openapi/v3/…`. */
export interface OpenApiSchema {
  readonly $ref?: string
  readonly allOf?: readonly OpenApiSchema[]
  readonly type?: string
  readonly format?: string
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, OpenApiSchema>>
  readonly additionalProperties?: OpenApiSchema | boolean
  readonly items?: OpenApiSchema | readonly OpenApiSchema[]
  readonly 'x-kubernetes-embedded-resource'?: boolean
  readonly 'x-kubernetes-int-or-string'?: boolean
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-list-type'?: string
  readonly 'x-kubernetes-map-type'?: string
  readonly 'x-kubernetes-patch-merge-key'?: string
  readonly 'x-kubernetes-patch-strategy'?: string
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean
}

/** Options of {@link schemaFromOpenAPI}. */
export interface SchemaFromOpenAPIOptions {
  /** For messages. @defaultValue none */
  readonly name?: string
  /** What `$ref` refers to: `components.schemas` of the document. @defaultValue none */
  readonly definitions?: Readonly<Record<string, OpenApiSchema>>
  /** The schema is that of a whole object, which has `apiVersion`, `kind` and `metadata`, named or not. @defaultValue true */
  readonly object?: boolean
  /** Fields that the schema does not name are kept everywhere. @defaultValue false */
  readonly preserveUnknownFields?: boolean
}

/**
 * How values merge that an OpenAPI v3 schema describes, as kube-apiserver reads a CustomResourceDefinition.
 *
 * Read are `x-kubernetes-list-type`, `-list-map-keys`, `-map-type`, `-preserve-unknown-fields`, `-int-or-string`,
 * `-embedded-resource`, `-patch-strategy` and `-patch-merge-key`.
 *
 * @example
 * ```ts
 * const crd = await client.get('widgets.example.com')
 * const schema = schemaFromOpenAPI(crd.spec.versions[0]?.schema?.openAPIV3Schema)
 * ```
 * @param document undefined for a version without a schema: objects in it merge by key, lists are replaced whole
 * @throws Error for a list-type or map-type that is none, a map-list without keys, a `$ref` to nothing
 */
export function schemaFromOpenAPI(document: OpenApiSchema | undefined, options: SchemaFromOpenAPIOptions = {}): Schema {
  const { definitions = {}, name = '', object = true, preserveUnknownFields = false } = options
  const reader = new Reader(definitions)
  const root = object && document ? { ...document, properties: { ...document.properties, ...wholeObject } } : document
  return reader.read(root ?? { type: 'object' }, name, preserveUnknownFields)
}

/** Stands for the schema of `metadata`. */
const objectMeta: OpenApiSchema = { $ref: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }
const wholeObject = { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: objectMeta }

const string: Schema = { type: 'string' }
const any: Schema = { type: 'any' }
const untyped: Schema = { type: 'untyped' }
const atomicUntyped: Schema = { type: 'untyped', atomic: true }

/** Definitions whose schemas say less than is known of them. */
const known: Readonly<Record<string, Schema>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': any,
  'io.k8s.apimachinery.pkg.runtime.RawExtension': atomicUntyped,
}

class Reader {
  readonly #definitions: Readonly<Record<string, OpenApiSchema>>
  readonly #read = new Map<string, Schema>()

  constructor(definitions: Readonly<Record<string, OpenApiSchema>>) {
    this.#definitions = definitions
  }

  read(document: OpenApiSchema, name: string, preserve: boolean): Schema {
    const reference = referenceOf(document)
    if (reference !== undefined) return this.#reference(reference, document, name, preserve)
    const preserves = preserve || document['x-kubernetes-preserve-unknown-fields'] === true
    switch (document.type) {
      case 'string':
        // As in Go: a format that says more than text does is not text.
        return document.format === undefined || document.format === '' || document.format === 'byte' ? string : any
      case 'integer':
      case 'number':
      case 'boolean':
        return { type: document.type }
      case 'array':
        return this.#list(document, name, preserves)
      case 'object':
        return this.#object(document, name, preserves)
      case undefined:
      case '':
        if (document['x-kubernetes-int-or-string']) return any
        if (document.properties || document.additionalProperties) return this.#object(document, name, preserves)
        return document.items ? this.#list(document, name, preserves) : untyped
      default:
        throw problem(name, `there is no type ${JSON.stringify(document.type)}`)
    }
  }

  #reference(reference: string, document: OpenApiSchema, at: string, preserve: boolean): Schema {
    const name = reference.slice(reference.lastIndexOf('/') + 1)
    const schema = this.#definition(name, at, preserve)
    const mapType = atomicity(document, at)
    if (mapType === undefined || (schema.type !== 'struct' && schema.type !== 'map')) return schema
    if (schema.type === 'map') return { ...schema, atomic: mapType }
    return lazyStruct(schema.name ?? '', mapType, schema.additional, () => schema.fields)
  }

  #definition(name: string, at: string, preserve: boolean): Schema {
    const definition = Object.hasOwn(this.#definitions, name) ? this.#definitions[name] : undefined
    if (Object.hasOwn(known, name)) return known[name] as Schema
    if (!definition) {
      if (name === ObjectMetaSchema.name) return ObjectMetaSchema
      throw problem(at, `nothing is known of ${name}, which it refers to`)
    }
    const found = this.#read.get(name)
    if (found) return found
    const schema = this.read(definition, name, preserve)
    this.#read.set(name, schema)
    return schema
  }

  #object(document: OpenApiSchema, name: string, preserve: boolean): Schema {
    const atomic = atomicity(document, name) === true
    const { additionalProperties } = document
    const properties = {
      ...document.properties,
      ...(document['x-kubernetes-embedded-resource'] === true && wholeObject),
    }
    const isEmpty = Object.keys(properties).length === 0
    let additional: Schema | undefined
    if (typeof additionalProperties === 'object') additional = this.read(additionalProperties, `${name}.*`, preserve)
    else if (additionalProperties === true) additional = untyped
    else if (additionalProperties === undefined && (preserve || isEmpty)) additional = untyped
    if (isEmpty && additional) return { type: 'map', values: additional, ...(atomic && { atomic }) }
    return lazyStruct(name, atomic, additional, () => this.#fields(properties, name, preserve))
  }

  #fields(
    properties: Readonly<Record<string, OpenApiSchema>>,
    name: string,
    preserve: boolean,
  ): Readonly<Record<string, FieldSchema>> {
    const fields = Object.create(null) as Record<string, FieldSchema>
    for (const [key, property] of Object.entries(properties)) {
      const strategy = property['x-kubernetes-patch-strategy']
      const mergeKey = property['x-kubernetes-patch-merge-key']
      fields[key] = {
        schema: this.read(property, `${name}.${key}`, preserve),
        ...(strategy !== undefined && {
          patchStrategy: strategy.split(',') as NonNullable<FieldSchema['patchStrategy']>,
        }),
        ...(mergeKey !== undefined && { patchMergeKey: mergeKey }),
      }
    }
    return fields
  }

  #list(document: OpenApiSchema, name: string, preserve: boolean): ListSchema {
    const [item, ...more] = document.items === undefined ? [] : [document.items].flat()
    if (more.length > 0) throw problem(name, 'lists whose items have different schemas cannot be described')
    const items = item ? this.read(item, `${name}[]`, preserve) : atomicUntyped
    const { keys, listType } = listTypeOf(document, name)
    if (listType !== 'map') return { type: 'list', items, listType }
    const defaults = item ? this.#defaults(item, keys) : {}
    return {
      type: 'list',
      items,
      listType,
      keys,
      ...(Object.keys(defaults).length > 0 && { keyDefaults: defaults }),
    }
  }

  #defaults(item: OpenApiSchema, keys: readonly string[]): Record<string, unknown> {
    const reference = referenceOf(item)
    const definition =
      reference === undefined ? item : this.#definitions[reference.slice(reference.lastIndexOf('/') + 1)]
    const entries = keys.map((key) => [key, definition?.properties?.[key]?.default] as const)
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  }
}

function referenceOf({ $ref, allOf }: OpenApiSchema): string | undefined {
  // A reference with something said beside it is the only member of an allOf.
  return $ref ?? (allOf?.length === 1 ? allOf[0]?.$ref : undefined)
}

function atomicity(document: OpenApiSchema, name: string): boolean | undefined {
  const mapType = document['x-kubernetes-map-type']
  if (mapType === undefined) return undefined
  if (mapType !== 'atomic' && mapType !== 'granular') throw problem(name, `there is no map type ${mapType}`)
  return mapType === 'atomic'
}

function listTypeOf(document: OpenApiSchema, name: string): Required<Pick<ListSchema, 'listType' | 'keys'>> {
  const listType = document['x-kubernetes-list-type']
  if (listType === 'atomic' || listType === 'set') return { listType, keys: [] }
  if (listType === 'map') {
    const keys = document['x-kubernetes-list-map-keys']
    if (!keys) throw problem(name, 'a list of type map has to name its keys in x-kubernetes-list-map-keys')
    return { listType, keys }
  }
  if (listType !== undefined) throw problem(name, `there is no list type ${listType}`)
  // What built-in kinds said before there were list types.
  const strategies = document['x-kubernetes-patch-strategy']?.split(',') ?? []
  if (!strategies.includes('merge')) return { listType: 'atomic', keys: [] }
  const mergeKey = document['x-kubernetes-patch-merge-key']
  return mergeKey === undefined ? { listType: 'set', keys: [] } : { listType: 'map', keys: [mergeKey] }
}

/** A struct whose fields are made when first looked at: definitions refer to each other in circles. */
function lazyStruct(
  name: string,
  atomic: boolean,
  additional: Schema | undefined,
  make: () => StructSchema['fields'],
): StructSchema {
  let fields: StructSchema['fields'] | undefined
  return {
    type: 'struct',
    ...(name !== '' && { name }),
    ...(atomic && { atomic }),
    ...(additional && { additional }),
    get fields() {
      return (fields ??= make())
    },
  }
}

function problem(name: string, what: string): Error {
  return new Error(`reading the OpenAPI schema${name === '' ? '' : ` of ${name}`}: ${what}`)
}
