// The resources that a fake serves: the built-in ones, and those it is told of, be it by a CustomResourceDefinition.

import type { CustomResourceDefinition } from '../gen/api/apiextensions/v1.js'
import { servedKinds, unservedKinds } from '../gen/kinds.js'
import { schemaForKind } from '../gen/schema/index.js'
import {
  formatGroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  goQuote,
  type Kind,
  type KubernetesObject,
  parseGroupVersion,
  type Schema,
  type Subresource,
} from '../meta/index.js'
import { type OpenApiSchema, schemaFromOpenAPI } from '../patch/index.js'

/** Where an object has what its Scale shows. */
export interface ScalePaths {
  readonly specReplicas: readonly string[]
  readonly statusReplicas: readonly string[]
  readonly selector: readonly string[]
}

/** A resource of which nothing but its list kind is known: what client-go's dynamic fake is told. */
export interface ListKind extends GroupVersionResource {
  /** `WidgetList` */
  readonly listKind: string
  /** Absent: not known, and its objects may be in namespaces or not. */
  readonly namespaced?: boolean | undefined
}

/** A resource as the tracker knows it. */
export interface ResourceInfo extends GroupVersionResource {
  readonly kind: string
  readonly listKind: string
  readonly apiVersion: string
  readonly namespaced: boolean | undefined
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly verbs: readonly string[]
  readonly subresources: Readonly<Record<string, Subresource>>
  /** Nothing is known of its subresources, so that it may have any. */
  readonly anySubresource?: boolean | undefined
  readonly scalePaths: ScalePaths
  /** Undefined: not known, and then objects merge by key and lists are replaced. */
  readonly schema: Schema | undefined
  readonly builtIn: boolean
  /** Discovery tells of it. */
  readonly served: boolean
  /** Fields beside those of metadata that selectors may name. */
  readonly selectableFields: readonly string[]
}

/** Options of {@link ResourceRegistry}. */
export interface ResourceRegistryOptions {
  readonly kinds?: readonly Kind<object, object>[] | undefined
  readonly listKinds?: readonly ListKind[] | undefined
  readonly schemaFor?: ((kind: GroupVersionKind) => Schema | undefined) | undefined
}

const defaultScalePaths: ScalePaths = {
  specReplicas: ['spec', 'replicas'],
  statusReplicas: ['status', 'replicas'],
  selector: ['status', 'selector'],
}

const allVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']

const keyOf = ({ group, version, resource }: GroupVersionResource): string => `${group}/${version}/${resource}`

/** Knows resources by their names and by their kinds. */
export class ResourceRegistry {
  readonly #byResource = new Map<string, ResourceInfo>()
  readonly #byKind = new Map<string, ResourceInfo>()
  readonly #schemaFor: (kind: GroupVersionKind) => Schema | undefined

  constructor({ kinds = [], listKinds = [], schemaFor }: ResourceRegistryOptions = {}) {
    this.#schemaFor = schemaFor ?? (() => undefined)
    for (const kind of servedKinds) this.#add(infoOf(kind, schemaForKind(kind), { builtIn: true, served: true }))
    for (const kind of unservedKinds) this.#add(infoOf(kind, schemaForKind(kind), { builtIn: true, served: false }))
    for (const kind of kinds) this.#add(infoOf(kind, this.#schemaFor(kind), { builtIn: false, served: true }))
    for (const listKind of listKinds) this.#addListKind(listKind)
  }

  /** The resource of that name. */
  find(resource: GroupVersionResource): ResourceInfo | undefined {
    return this.#byResource.get(keyOf(resource))
  }

  /** The resource of an object's kind. @throws TypeError that says what to do when it is not known */
  ofObject({ apiVersion = '', kind = '' }: KubernetesObject): ResourceInfo {
    const { group, version } = parseGroupVersion(apiVersion)
    const found = this.#byKind.get(`${group}/${version}/${kind}`)
    if (found) return found
    const what = kind === '' ? 'an object without a kind' : `the kind ${goQuote(kind)} of ${goQuote(apiVersion)}`
    throw new TypeError(
      `the fake does not know ${what}: give its descriptor (see defineResource) as one of the fake's kinds, or add its CustomResourceDefinition before`,
    )
  }

  /** All resources, in the order in which they became known. */
  all(): ResourceInfo[] {
    return [...this.#byResource.values()]
  }

  /** Serves what a CustomResourceDefinition defines. */
  define({ spec }: CustomResourceDefinition): void {
    const { group, names, scope, versions, preserveUnknownFields = false } = spec
    for (const { name: version, schema, subresources = {}, selectableFields = [], served } of versions) {
      if (!served) continue
      const { scale, status } = subresources
      const verbs = ['get', 'patch', 'update']
      const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' }
      const document = schema?.openAPIV3Schema as OpenApiSchema | undefined
      this.#add({
        group,
        version,
        resource: names.plural,
        kind: names.kind,
        listKind: names.listKind || `${names.kind}List`,
        apiVersion: formatGroupVersion({ group, version }),
        namespaced: scope === 'Namespaced',
        singular: names.singular || names.kind.toLowerCase(),
        shortNames: names.shortNames ?? [],
        categories: names.categories ?? [],
        verbs: allVerbs,
        subresources: { ...(status && { status: { verbs } }), ...(scale && { scale: { kind: scaleKind, verbs } }) },
        scalePaths: scale
          ? {
              specReplicas: pathOf(scale.specReplicasPath),
              statusReplicas: pathOf(scale.statusReplicasPath),
              selector: pathOf(scale.labelSelectorPath ?? ''),
            }
          : defaultScalePaths,
        schema:
          this.#schemaFor({ group, version, kind: names.kind }) ??
          schemaFromOpenAPI(document, { preserveUnknownFields }),
        builtIn: false,
        served: true,
        selectableFields: selectableFields.map(({ jsonPath }) => pathOf(jsonPath).join('.')),
      })
    }
  }

  #addListKind({ group, version, resource, listKind, namespaced }: ListKind): void {
    const kind = listKind.replace(/List$/, '')
    if (kind === listKind || kind === '') {
      throw new TypeError(`the list kind of ${resource} is ${goQuote(listKind)}, which does not end in "List"`)
    }
    this.#add({
      group,
      version,
      resource,
      kind,
      listKind,
      apiVersion: formatGroupVersion({ group, version }),
      namespaced,
      singular: kind.toLowerCase(),
      shortNames: [],
      categories: [],
      verbs: allVerbs,
      subresources: {},
      anySubresource: true,
      scalePaths: defaultScalePaths,
      schema: this.#schemaFor({ group, version, kind }),
      builtIn: false,
      served: true,
      selectableFields: [],
    })
  }

  #add(info: ResourceInfo): void {
    this.#byResource.set(keyOf(info), info)
    this.#byKind.set(`${info.group}/${info.version}/${info.kind}`, info)
  }
}

function infoOf(
  kind: Kind<object, object>,
  schema: Schema | undefined,
  { builtIn, served }: { builtIn: boolean; served: boolean },
): ResourceInfo {
  const { plural, listKind, ...facts } = kind
  return {
    ...facts,
    resource: plural,
    listKind: listKind || `${kind.kind}List`,
    scalePaths: builtIn ? { ...defaultScalePaths, selector: ['spec', 'selector'] } : defaultScalePaths,
    schema,
    builtIn,
    served,
    selectableFields: [],
  }
}

/** `.spec.replicas` as its parts. */
function pathOf(text: string): string[] {
  return text.split('.').filter((part) => part !== '')
}
