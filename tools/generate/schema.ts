// gen/schema/<group>/<version>.ts: what the API says about merging, a value a definition; gen/schema/index.ts finds the
// one of a kind.

import { type Definition, fileOf, type GroupVersionFacts, type Schema } from '../spec/format.js'
import { type Model, moduleOf } from './model.js'
import { alias, header, literal, propertyName, quote } from './text.js'

/** Definitions that are plain types, by the name in gen/scalars.ts. Go keeps no type of those that are `any`. */
const scalars: Readonly<Record<string, string>> = {
  Time: 'any',
  MicroTime: 'any',
  Duration: 'string',
  Quantity: 'any',
  IntOrString: 'any',
  FieldsV1: 'mapOf(untyped)',
  RawExtension: 'atomicUntyped',
  JsonValue: 'untyped',
}

/** Go packages of definitions whose package does not follow from the group. */
const packages: Readonly<Record<string, string>> = {
  'meta/v1': 'io.k8s.apimachinery.pkg.apis.meta.v1',
  'apimachinery/unversioned': 'io.k8s.apimachinery.pkg.version',
  'apiextensions.k8s.io/v1': 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
  'apiregistration.k8s.io/v1': 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1',
}

/** Every schema module, by its path below gen/schema. */
export function schemaFiles(model: Model): Map<string, string> {
  const modules = new Map<string, string[]>()
  for (const home of model.groupVersions) {
    for (const short of Object.keys(home.definitions)) {
      const name = `${fileOf(home)}.${short}`
      if (model.scalar(name) !== undefined) continue
      const { module } = model.place(name)
      modules.set(module, [...(modules.get(module) ?? []), name])
    }
  }
  const files = new Map<string, string>()
  for (const [module, names] of modules) files.set(`${module}.ts`, schemaModule(model, module, names))
  files.set('index.ts', index(model))
  return files
}

function schemaModule(model: Model, module: string, names: readonly string[]): string {
  const writer = new Writer(model, module)
  const blocks = names.map((name) => writer.definition(name))
  const home = model.groupVersions.find((gv) => moduleOf(gv) === module)
  const lines = [
    `import * as s from '../../../meta/schema-build.js'\n`,
    `import type { Schema, StructSchema } from '../../../meta/schema.js'\n`,
    ...[...writer.modules].sort().map((m) => `import * as ${alias(m)} from '../${m}.js'\n`),
  ]
  return [header(`spec/${home ? fileOf(home) : module}.json`), lines.join(''), blocks.join('\n')].join('\n')
}

class Writer {
  /** What the module turned out to need from others. */
  readonly modules = new Set<string>()
  readonly types = new Set<string>()
  readonly #model: Model
  readonly #module: string

  constructor(model: Model, module: string) {
    this.#model = model
    this.#module = module
  }

  definition(name: string): string {
    const definition = this.#model.definition(name)
    const home = this.#model.home(name)
    const { type } = this.#model.place(name)
    this.types.add(definition.properties ? 'StructSchema' : 'Schema')
    if (!definition.properties) {
      // An empty struct, or a choice between types: the API describes no fields of either.
      const schema = definition.type === 'object' ? '/*#__PURE__*/ s.mapOf(s.untyped)' : 's.untyped'
      return `export const ${type}Schema: Schema = ${schema}\n`
    }
    const fields = Object.entries(definition.properties).map(
      ([key, schema]) => `  ${propertyName(key)}: ${this.#field(schema, home)},\n`,
    )
    const make = definition.mapType === 'atomic' ? 's.atomicStruct' : 's.struct'
    const call = `${make}(${quote(definitionName(name, home))}, () => ({\n${fields.join('')}}))`
    return `export const ${type}Schema: StructSchema = /*#__PURE__*/ ${call}\n`
  }

  #field(schema: Schema, home: GroupVersionFacts): string {
    const { patchStrategy, patchMergeKey } = schema
    const expression = this.#expression(schema, home)
    if (patchStrategy === undefined && patchMergeKey === undefined) return expression
    const args = [expression, quote(patchStrategy ?? '')]
    if (patchMergeKey !== undefined) args.push(quote(patchMergeKey))
    return `s.field(${args.join(', ')})`
  }

  #expression(schema: Schema, home: GroupVersionFacts): string {
    if (schema.ref !== undefined) {
      const reference = this.#reference(this.#model.resolve(schema.ref, home))
      return schema.mapType === 'granular' ? `s.granular(${reference})` : reference
    }
    switch (schema.type) {
      case 'string':
      case 'integer':
      case 'number':
      case 'boolean':
        return `s.${schema.type}`
      case 'array':
        if (schema.items) return this.#list(schema, schema.items, home)
        break
      case 'object':
        return `s.${schema.mapType === 'atomic' ? 'atomicMapOf' : 'mapOf'}(${
          schema.values ? this.#expression(schema.values, home) : 's.untyped'
        })`
      case undefined:
    }
    throw new Error(`generating the schemas of ${this.#module}: no schema for ${JSON.stringify(schema)}`)
  }

  #list(schema: Schema, item: Schema, home: GroupVersionFacts): string {
    const items = this.#expression(item, home)
    if (schema.listType === 'set') return `s.setOf(${items})`
    if (schema.listType !== 'map') return `s.listOf(${items})`
    const keys = schema.listMapKeys
    if (!keys || item.ref === undefined) {
      throw new Error(`generating the schemas of ${this.#module}: a map without keys, ${JSON.stringify(schema)}`)
    }
    const properties = this.#properties(this.#model.resolve(item.ref, home))
    const defaults = keys.flatMap((key) => {
      const value = properties[key]?.default
      return value === undefined ? [] : [[key, value] as const]
    })
    const args = [items, literal(keys), ...(defaults.length > 0 ? [literal(Object.fromEntries(defaults))] : [])]
    return `s.keyedListOf(${args.join(', ')})`
  }

  #properties(name: string): NonNullable<Definition['properties']> {
    return this.#model.definition(name).properties ?? {}
  }

  #reference(name: string): string {
    const scalar = this.#model.scalar(name)
    if (scalar !== undefined) {
      const expression = scalars[scalar]
      if (expression === undefined) throw new Error(`generating the schemas of ${this.#module}: what is ${scalar}?`)
      return `s.${expression.replace('(', '(s.')}`
    }
    const { module, type } = this.#model.place(name)
    if (module === this.#module) return `${type}Schema`
    this.modules.add(module)
    return `${alias(module)}.${type}Schema`
  }
}

/** The name that a definition has in the API's OpenAPI documents: `io.k8s.api.apps.v1.DeploymentSpec`. */
export function definitionName(name: string, home: GroupVersionFacts): string {
  return `${packages[fileOf(home)] ?? `io.k8s.api.${home.folder}.${home.version}`}.${shortName(name, home)}`
}

function shortName(name: string, home: GroupVersionFacts): string {
  return name.slice(fileOf(home).length + 1)
}

/** gen/schema/index.ts: every kind by its name, so whoever imports it loads every module. */
function index(model: Model): string {
  const byApiVersion = new Map<string, Map<string, string[]>>()
  for (const home of model.groupVersions) {
    for (const [short, { apiVersion, kind }] of Object.entries(home.definitions)) {
      if (apiVersion === undefined || kind === undefined) continue
      const { module, type } = model.place(`${fileOf(home)}.${short}`)
      if (type !== kind) throw new Error(`generating the table of schemas: ${kind} is named ${type}`)
      const modules = byApiVersion.get(apiVersion) ?? new Map<string, string[]>()
      byApiVersion.set(apiVersion, modules.set(module, [...(modules.get(module) ?? []), kind]))
    }
  }
  const modules = [...new Set([...byApiVersion.values()].flatMap((m) => [...m.keys()]))].sort()
  const lines = [...byApiVersion]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([apiVersion, kinds]) => {
      const parts = [...kinds].map(([module, names]) => `[${alias(module)}, ${quote(names.join(' '))}]`)
      return `  [${quote(apiVersion)}, [${parts.join(', ')}]],\n`
    })
  return `${header('spec/')}
import { formatGroupVersion } from '../../meta/group-version.js'
import type { GroupVersionKind } from '../../meta/kind.js'
import type { StructSchema } from '../../meta/schema.js'
${modules.map((m) => `import * as ${alias(m)} from './${m}.js'\n`).join('')}
/** By apiVersion: modules, and the kinds that each of them has of it. */
const table: readonly (readonly [string, readonly (readonly [object, string])[]])[] = [
${lines.join('')}]

let byKind: Map<string, StructSchema> | undefined

function read(): Map<string, StructSchema> {
  const all = new Map<string, StructSchema>()
  for (const [apiVersion, parts] of table) {
    for (const [module, kinds] of parts) {
      const schemas = module as Readonly<Record<string, StructSchema>>
      for (const kind of kinds.split(' ')) all.set(\`\${apiVersion} \${kind}\`, schemas[\`\${kind}Schema\`] as StructSchema)
    }
  }
  return all
}

/**
 * The schema of a built-in kind; undefined for others.
 *
 * **Caveats** It knows them all, so it loads them all. Whoever knows the kind beforehand imports its schema from
 * \`kubewright/schema/<group>/<version>\`.
 */
export function schemaForKind({ group, version, kind }: GroupVersionKind): StructSchema | undefined {
  byKind ??= read()
  return byKind.get(\`\${formatGroupVersion({ group, version })} \${kind}\`)
}
`
}
