// gen/api/<group>/<version>.ts: two interfaces a definition (what is read, and what is written where that differs), and
// a descriptor for every kind that has a resource.

import { type Definition, fileOf, type GroupVersionFacts, type Schema } from '../spec/format.js'
import { type Model, moduleOf } from './model.js'
import { alias, deprecation, docLine, header, literal, propertyName, quote } from './text.js'

/** What a module turned out to need from others. */
interface Imports {
  scalars: Set<string>
  modules: Set<string>
  kinds: boolean
}

/** Validation sees to it that what is required has a value, whatever Go could encode; except for these. */
const requiredNulls = new Set([
  'core/v1.LimitRangeSpec.limits',
  // Events that were written through core/v1 have none.
  'events.k8s.io/v1.Event.eventTime',
  'events.k8s.io/v1beta1.Event.eventTime',
  // A node before its first driver.
  'storage.k8s.io/v1.CSINodeSpec.drivers',
  'storage.k8s.io/v1beta1.CSINodeSpec.drivers',
])

const storedMetadata = `/** Metadata of a stored cluster-scoped object, as the server sends it. What is written has an ObjectMeta. */
export interface StoredObjectMeta extends ObjectMeta {
  name: string
  uid: string
  resourceVersion: string
  creationTimestamp: Time
}

/** Metadata of a stored namespaced object, as the server sends it. What is written has an ObjectMeta. */
export interface NamespacedObjectMeta extends StoredObjectMeta {
  namespace: string
}
`

const storedListMetadata = `/** Metadata of a list of stored objects, as the server sends it. */
export interface StoredListMeta extends ListMeta {
  /** What the list shows, and what a watch goes on from. */
  resourceVersion: string
}
`

/** Every API module, by its path below gen/api. */
export function apiFiles(model: Model): Map<string, string> {
  const files = new Map<string, string>()
  const modules = new Map<string, string[]>()
  for (const home of model.groupVersions) {
    for (const short of Object.keys(home.definitions)) {
      const name = `${fileOf(home)}.${short}`
      if (model.scalar(name) !== undefined) continue
      const { module } = model.place(name)
      modules.set(module, [...(modules.get(module) ?? []), name])
    }
  }
  for (const [module, names] of modules) files.set(`${module}.ts`, apiModule(model, module, names))
  return files
}

function apiModule(model: Model, module: string, names: readonly string[]): string {
  const imports: Imports = { scalars: new Set(), modules: new Set(), kinds: false }
  const writer = new Writer(model, module, imports)
  const blocks = new Map<string, string>()
  const add = (type: string, block: string) => {
    if (blocks.has(type)) throw new Error(`generating ${module}: two types would be named ${type}`)
    blocks.set(type, block)
  }
  for (const name of names) {
    const { type } = model.place(name)
    add(type, writer.type(name, 'read'))
    if (type === 'ObjectMeta') add('StoredObjectMeta', storedMetadata)
    if (type === 'ListMeta') add('StoredListMeta', storedListMetadata)
    if (model.hasInput(name)) add(`${type}Input`, writer.type(name, 'write'))
    const descriptor = writer.descriptor(name)
    if (descriptor !== undefined) blocks.set(`${type} descriptor`, descriptor)
  }
  const home = model.groupVersions.find((gv) => moduleOf(gv) === module)
  const clash = [...imports.scalars].find((s) => blocks.has(s))
  if (clash) throw new Error(`generating ${module}: the type ${clash} has the name of a scalar`)
  return [header(`spec/${home ? fileOf(home) : module}.json`), importLines(imports), [...blocks.values()].join('\n')]
    .filter((part) => part !== '')
    .join('\n')
}

function importLines({ kinds, modules, scalars }: Imports): string {
  const lines = [
    ...(kinds ? ["import { type Kind, kind } from '../../../meta/kind.js'"] : []),
    ...(scalars.size > 0 ? [`import type { ${[...scalars].sort().join(', ')} } from '../../scalars.js'`] : []),
    ...[...modules].sort().map((m) => `import type * as ${alias(m)} from '../${m}.js'`),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

class Writer {
  readonly #model: Model
  readonly #module: string
  readonly #imports: Imports

  constructor(model: Model, module: string, imports: Imports) {
    this.#model = model
    this.#module = module
    this.#imports = imports
  }

  /** The interface (or type) of a definition. */
  type(name: string, direction: 'read' | 'write'): string {
    const home = this.#model.home(name)
    const definition = this.#model.definition(name)
    const type = this.#model.place(name).type + (direction === 'write' ? 'Input' : '')
    const doc = docLine(
      direction === 'read' && this.#model.hasInput(name) ? `As read. To write one: ${type}Input.` : '',
      definition.kind !== undefined && this.#model.isDeprecated(home, definition.kind),
    )
    if (!definition.properties) return `${doc}export type ${type} = ${this.#opaque(name, direction)}\n`
    const properties = Object.entries(definition.properties).sort(([a], [b]) => rank(a) - rank(b))
    const lines = properties.map(([key, schema]) => this.#property(name, key, schema, direction))
    return `${doc}export interface ${type} {\n${lines.join('\n')}\n}\n`
  }

  /** The descriptor of a kind that has a resource. */
  descriptor(name: string): string | undefined {
    const home = this.#model.home(name)
    const { kind } = this.#model.definition(name)
    const [plural, resource] =
      Object.entries(home.resources ?? {}).find(([, r]) => r.kind === kind && this.#model.verbs(r).length > 0) ?? []
    if (kind === undefined || plural === undefined || resource === undefined) return undefined
    this.#imports.kinds = true
    const { type } = this.#model.place(name)
    const facts = {
      group: home.group,
      version: home.version,
      kind,
      plural,
      singular: resource.served?.singular || kind.toLowerCase(),
      shortNames: resource.served?.shortNames ?? [],
      categories: resource.served?.categories ?? [],
      listKind: this.#model.verbs(resource).includes('list') ? `${kind}List` : '',
      namespaced: resource.namespaced,
      verbs: this.#model.verbs(resource),
      subresources: this.#model.subresources(resource, home),
    }
    const lines = Object.entries(facts).map(([k, v]) => `  ${k}: ${literal(v)},`)
    const doc = this.#model.isDeprecated(home, kind) ? `${deprecation}\n` : ''
    const subresources = Object.keys(facts.subresources).map((name) => `'${name}'`)
    const types = `${type}, ${type}Input, ${subresources.join(' | ') || 'never'}`
    return `${doc}export const ${type}: Kind<${types}> = /*#__PURE__*/ kind({\n${lines.join('\n')}\n})\n`
  }

  #property(name: string, key: string, schema: Schema, direction: 'read' | 'write'): string {
    const home = this.#model.home(name)
    const definition = this.#model.definition(name)
    const { apiVersion, kind } = definition
    const line = (required: boolean, type: string) => `  ${propertyName(key)}${required ? '' : '?'}: ${type}`
    if (kind !== undefined && apiVersion !== undefined) {
      if (key === 'apiVersion') return line(direction === 'read', quote(apiVersion))
      if (key === 'kind') return line(direction === 'read', quote(kind))
      if (key === 'metadata' && direction === 'read') {
        const stored = this.#storedMetadata(home, kind)
        if (stored) return line(true, this.#reference('meta/v1.ObjectMeta', 'read').replace('ObjectMeta', stored))
      }
    }
    const always = direction === 'read' && this.#model.isValueStruct(schema, home)
    const required = always || (definition.required?.includes(key) ?? false)
    const type = this.#expression(schema, home, this.#direction(key, schema, definition, home) ?? direction)
    const canBeNull = schema.nullable && (!required || requiredNulls.has(`${name}.${key}`))
    return line(required, canBeNull ? `${type} | null` : type)
  }

  #direction(key: string, schema: Schema, definition: Definition, home: GroupVersionFacts): 'write' | undefined {
    const ref = schema.ref ?? schema.items?.ref ?? schema.values?.ref
    if (ref === undefined) return undefined
    return this.#model.isEmbedded(key, this.#model.resolve(ref, home), definition) ? 'write' : undefined
  }

  #storedMetadata(home: GroupVersionFacts, kind: string): string | undefined {
    if (fileOf(home) === 'meta/v1' && kind === 'PartialObjectMetadata') return 'StoredObjectMeta'
    const listed = /(.+)List$/.exec(kind)?.[1]
    if (listed !== undefined) return this.#storedMetadata(home, listed) && 'StoredListMeta'
    if (!this.#model.isStored(home, kind)) return undefined
    return this.#model.resourceOfKind(home, kind)?.namespaced ? 'NamespacedObjectMeta' : 'StoredObjectMeta'
  }

  #expression(schema: Schema, home: GroupVersionFacts, direction: 'read' | 'write'): string {
    if (schema.ref !== undefined) return this.#reference(this.#model.resolve(schema.ref, home), direction)
    switch (schema.type) {
      case 'string':
        if (schema.enum) return `${schema.enum.map(quote).join(' | ')} | (string & {})`
        return schema.format === 'byte' ? this.#scalar('Base64') : 'string'
      case 'integer':
      case 'number':
        return 'number'
      case 'boolean':
        return 'boolean'
      case 'array': {
        if (!schema.items) break
        const item = this.#expression(schema.items, home, direction)
        return item.includes(' ') ? `(${item})[]` : `${item}[]`
      }
      case 'object':
        // Go's `any`: a table's cells.
        if (!schema.values) return this.#scalar('JsonValue')
        return `Record<string, ${this.#expression(schema.values, home, direction)}>`
      case undefined:
    }
    throw new Error(`generating ${this.#module}: no type for ${JSON.stringify(schema)}`)
  }

  #reference(name: string, direction: 'read' | 'write'): string {
    const scalar = this.#model.scalar(name)
    if (scalar !== undefined) return this.#scalar(scalar)
    const place = this.#model.place(name)
    const type = place.type + (direction === 'write' && this.#model.hasInput(name) ? 'Input' : '')
    if (place.module === this.#module) return type
    this.#imports.modules.add(place.module)
    return `${alias(place.module)}.${type}`
  }

  #scalar(name: string): string {
    this.#imports.scalars.add(name)
    return name
  }

  /** What has no properties: an empty struct, or one of apiextensions' choices. */
  #opaque(name: string, direction: 'read' | 'write'): string {
    const [schema] = this.#model.unionMembers(name)
    if (schema !== undefined) {
      const type = this.#reference(schema, direction)
      const other = { OrBool: 'boolean', OrArray: `${type}[]`, OrStringArray: 'string[]' }[name.slice(schema.length)]
      if (other) return `${type} | ${other}`
    }
    if (this.#model.definition(name).type === 'object') return 'Record<string, never>'
    throw new Error(`generating ${this.#module}: no type for ${name}`)
  }
}

/** Kinds are read from the top: what it is, which one, then its parts. */
function rank(key: string): number {
  const i = ['apiVersion', 'kind', 'metadata'].indexOf(key)
  return i === -1 ? 3 : i
}
