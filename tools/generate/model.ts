// The API description as the generator sees it: every definition by one name, and the questions that output depends on.

import { type Definition, fileOf, type GroupVersionFacts, type ResourceFacts, type Schema } from '../spec/format.js'

/** A resource that has a client, with its facts and its names in TypeScript. */
export interface ClientResource {
  plural: string
  /** Accessor: `csiDrivers`. */
  method: string
  /** Generated methods: `getScale`. */
  methods: string[]
  facts: ResourceFacts & { client: NonNullable<ResourceFacts['client']> }
}

/** Definitions that are plain TypeScript types, by the name in gen/scalars.ts. */
const scalars: Readonly<Record<string, string>> = {
  'meta/v1.Time': 'Time',
  'meta/v1.MicroTime': 'MicroTime',
  'meta/v1.Duration': 'Duration',
  'meta/v1.FieldsV1': 'FieldsV1',
  'apimachinery/unversioned.Quantity': 'Quantity',
  'apimachinery/unversioned.IntOrString': 'IntOrString',
  'apimachinery/unversioned.RawExtension': 'RawExtension',
  'apiextensions.k8s.io/v1.JSON': 'JsonValue',
}

/** Of what has definitions and no resources, the module its definitions go to and a prefix for their names there. */
const moved: Readonly<Record<string, { file: string; prefix: string }>> = {
  // Only its version.Info is more than a scalar.
  'apimachinery/unversioned': { file: 'meta/v1', prefix: 'Version' },
}

/** Methods of the hand-written interface `ResourceClient`. */
export const commonMethods: readonly string[] = [
  'create',
  'update',
  'delete',
  'deleteCollection',
  'get',
  'list',
  'watch',
  'patch',
  'apply',
]
/** What `StatusResourceClient` has beyond them. */
export const statusMethods: readonly string[] = ['updateStatus', 'applyStatus']
/** Methods of `Scales`. */
export const scaleMethods: readonly string[] = ['getScale', 'updateScale', 'applyScale']

export class Model {
  readonly groupVersions: readonly GroupVersionFacts[]
  readonly #definitions = new Map<string, { home: GroupVersionFacts; definition: Definition }>()
  readonly #withInput = new Set<string>()
  readonly #subresourceKinds = new Set<string>()

  constructor(groupVersions: readonly GroupVersionFacts[]) {
    this.groupVersions = groupVersions
    for (const home of groupVersions) {
      for (const [name, definition] of Object.entries(home.definitions)) {
        this.#definitions.set(`${fileOf(home)}.${name}`, { home, definition })
      }
      for (const resource of Object.values(home.resources ?? {})) {
        for (const { kind } of Object.values(resource.subresources ?? {})) {
          if (kind) this.#subresourceKinds.add(`${fileOf(kind)}.${kind.kind}`)
        }
      }
    }
    this.#findInputs()
  }

  /** A definition by its whole name, `apps/v1.Deployment`. */
  definition(name: string): Definition {
    return this.#entry(name).definition
  }

  has(name: string): boolean {
    return this.#definitions.has(name)
  }

  home(name: string): GroupVersionFacts {
    return this.#entry(name).home
  }

  /** The whole name of what a file's definition refers to. */
  resolve(ref: string, from: GroupVersionFacts): string {
    return ref.includes('/') ? ref : `${fileOf(from)}.${ref}`
  }

  /** The name in gen/scalars.ts of a definition that is a plain type. */
  scalar(name: string): string | undefined {
    return scalars[name]
  }

  /** Whether a property is a Go struct held by value: the server always sends it, and a writer may leave it out. */
  isValueStruct(schema: Schema, from: GroupVersionFacts): boolean {
    if (schema.ref === undefined || JSON.stringify(schema.default) !== '{}') return false
    return this.definition(this.resolve(schema.ref, from)).properties !== undefined
  }

  /**
   * Whether a property holds whole objects of another kind (a list's items excepted): claim templates, say. Nobody
   * stored those, so they are typed as what is written also where they are read.
   */
  isEmbedded(key: string, used: string, definition: Definition): boolean {
    const isItem = key === 'items' && definition.kind?.endsWith('List') === true
    return this.definition(used).kind !== undefined && !isItem
  }

  /** Whether what is written differs from what is read, in this definition or in one it uses. */
  hasInput(name: string): boolean {
    return this.#withInput.has(name)
  }

  /** The module and the name under which a definition is generated: `{ module: 'apps/v1', type: 'Deployment' }`. */
  place(name: string): { module: string; type: string } {
    const home = this.home(name)
    const short = name.slice(fileOf(home).length + 1)
    const { file, prefix } = moved[fileOf(home)] ?? { file: undefined, prefix: '' }
    return { module: file ?? moduleOf(home), type: prefix + short }
  }

  /** The resource whose objects are of this kind. */
  resourceOfKind(home: GroupVersionFacts, kind: string): ResourceFacts | undefined {
    return Object.values(home.resources ?? {}).find((r) => r.kind === kind)
  }

  /** API verbs of a resource: discovery's, or for one no longer served those that its client's methods use. */
  verbs(resource: ResourceFacts): string[] {
    if (resource.served) return resource.served.verbs
    return (resource.client?.methods ?? [])
      .map((m) => m.toLowerCase())
      .filter((m) => apiVerbs.has(m))
      .sort()
  }

  /** Subresources, as `verbs` does. */
  subresources(resource: ResourceFacts, home: GroupVersionFacts): NonNullable<ResourceFacts['subresources']> {
    if (resource.served) return resource.subresources ?? {}
    const verbs = ['get', 'patch', 'update']
    const { methods = [], scale } = resource.client ?? {}
    const subresources: NonNullable<ResourceFacts['subresources']> = {}
    if (scale !== undefined && methods.includes('GetScale')) {
      const { group, version } = this.home(this.resolve(scale, home))
      subresources['scale'] = { kind: { group, version, kind: scale.slice(scale.lastIndexOf('.') + 1) }, verbs }
    }
    if (methods.includes('UpdateStatus')) subresources['status'] = { verbs }
    return subresources
  }

  /** Whether objects of the kind are stored, so that what is read has a name, a uid and a version. */
  isStored(home: GroupVersionFacts, kind: string): boolean {
    const resource = this.resourceOfKind(home, kind)
    const verbs = resource ? this.verbs(resource) : []
    return verbs.includes('get') && verbs.includes('watch')
  }

  /** Whether a kind, or the kind of a list, is none that this Kubernetes serves. */
  isDeprecated(home: GroupVersionFacts, kind: string): boolean {
    if (!home.served) return true
    if (this.#subresourceKinds.has(`${fileOf(home)}.${kind}`)) return false
    const resource = this.resourceOfKind(home, kind) ?? this.resourceOfKind(home, kind.replace(/List$/, ''))
    return resource !== undefined && !resource.served
  }

  /** The group-versions that have a client, in the order of their accessors. */
  clients(): (GroupVersionFacts & { accessor: string })[] {
    return this.groupVersions
      .flatMap((gv) => (gv.accessor === undefined ? [] : [{ ...gv, accessor: gv.accessor }]))
      .sort((a, b) => (a.accessor < b.accessor ? -1 : 1))
  }

  /** A group-version's resources that have a client, in the order of their accessors. */
  clientResources(home: GroupVersionFacts): ClientResource[] {
    return Object.entries(home.resources ?? {})
      .flatMap(([plural, facts]) => {
        const { client } = facts
        if (!client) return []
        const methods = client.methods.map(lowerFirstWord)
        return [{ plural, method: lowerFirstWord(client.accessor), methods, facts: { ...facts, client } }]
      })
      .sort((a, b) => (a.method < b.method ? -1 : 1))
  }

  #entry(name: string): { home: GroupVersionFacts; definition: Definition } {
    const entry = this.#definitions.get(name)
    if (!entry) throw new Error(`generating: there is no definition ${name} in the API description`)
    return entry
  }

  #findInputs(): void {
    const users = new Map<string, string[]>()
    const queue: string[] = []
    for (const [name, { home, definition }] of this.#definitions) {
      const properties = Object.entries(definition.properties ?? {})
      const differs = properties.some(
        ([key, schema]) => this.isValueStruct(schema, home) && !definition.required?.includes(key),
      )
      if (definition.kind !== undefined || differs) queue.push(name)
      for (const [key, schema] of properties) {
        for (const ref of refs(schema)) {
          const used = this.resolve(ref, home)
          if (this.isEmbedded(key, used, definition)) continue
          users.set(used, [...(users.get(used) ?? []), name])
        }
      }
      for (const used of this.unionMembers(name)) users.set(used, [...(users.get(used) ?? []), name])
    }
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      if (this.#withInput.has(name)) continue
      this.#withInput.add(name)
      queue.push(...(users.get(name) ?? []))
    }
  }

  /** The definition inside one of apiextensions' "schema or something else". */
  unionMembers(name: string): string[] {
    return /\.JSONSchemaPropsOr\w+$/.test(name) ? [name.replace(/Or\w+$/, '')] : []
  }
}

const apiVerbs = new Set(['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'])

function refs(schema: Schema): string[] {
  return [
    schema.ref,
    ...(schema.items ? refs(schema.items) : []),
    ...(schema.values ? refs(schema.values) : []),
  ].filter((r) => r !== undefined)
}

/** A group-version's module below gen/api, without `.ts`. */
export function moduleOf(home: GroupVersionFacts): string {
  return `${home.folder}/${home.version}`
}

/** Go's exported name as a TypeScript method: `CSIDrivers` → `csiDrivers`, `AppsV1` → `appsV1`. */
export function lowerFirstWord(name: string): string {
  return name.replace(/^([A-Z]+(?=[A-Z][a-z])|[A-Z]+)/, (word) => word.toLowerCase())
}
