// DefaultRESTMapper: a mapper of what it has been told, usually of one group-version.

import {
  compareText,
  formatGroupVersion,
  formatGroupVersionResource,
  type GroupKind,
  type GroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
} from '../meta/index.js'
import { AmbiguousResourceError, NoKindMatchError, NoResourceMatchError } from './errors.js'
import { unsafeGuessKindToResource } from './guess.js'
import type { PartialResource, RESTMapper, RESTMapping } from './types.js'

/** What stands for the version that objects have inside of Go programs only. */
const internalVersion = '__internal'

interface Names {
  readonly plural: GroupVersionResource
  singular: GroupVersionResource
}

interface KindOfResource {
  readonly resource: GroupVersionResource
  kind: GroupVersionKind
}

/** What a mapper knows, by the name alone, in the order in which it was told. */
interface Index {
  readonly names: ReadonlyMap<string, readonly Names[]>
  readonly kinds: ReadonlyMap<string, readonly KindOfResource[]>
}

/** A mapper of what {@link DefaultRESTMapper.addSpecific} has told it. It does no I/O. */
export class DefaultRESTMapper implements RESTMapper {
  readonly #defaultGroupVersions: readonly GroupVersion[]
  readonly #order: ReadonlyMap<string, number>
  /** By resource, plural and singular. */
  readonly #kinds = new Map<string, KindOfResource>()
  /** By kind. */
  readonly #mappings = new Map<string, RESTMapping>()
  /** By plural. */
  readonly #names = new Map<string, Names>()
  /** Made when something is asked for. */
  #index: Index | undefined

  /** @param defaultGroupVersions where kinds are looked for when no version is named, best first. */
  constructor(defaultGroupVersions: readonly GroupVersion[]) {
    this.#defaultGroupVersions = defaultGroupVersions
    this.#order = new Map(defaultGroupVersions.map((gv, index) => [formatGroupVersion(gv), index]))
  }

  /** Adds a kind with the names that its resource probably has: see {@link unsafeGuessKindToResource}. */
  add(kind: GroupVersionKind, scope: RESTMapping['scope']): void {
    const { plural, singular } = unsafeGuessKindToResource(kind)
    this.addSpecific(kind, { plural, singular, scope })
  }

  /** Adds a kind and its resource. Of two kinds with the same resource, resources have the later one. */
  addSpecific(kind: GroupVersionKind, facts: Names & Pick<RESTMapping, 'scope'>): void {
    const { plural, singular, scope } = facts
    this.#index = undefined
    const known = this.#names.get(formatGroupVersionResource(plural))
    if (known) known.singular = singular
    else this.#names.set(formatGroupVersionResource(plural), { plural, singular })
    for (const resource of [singular, plural]) {
      const key = formatGroupVersionResource(resource)
      const entry = this.#kinds.get(key)
      if (entry) entry.kind = kind
      else this.#kinds.set(key, { resource, kind })
    }
    this.#mappings.set(kindKey(kind), { resource: plural, groupVersionKind: kind, scope })
  }

  async resourcesFor(partial: PartialResource): Promise<GroupVersionResource[]> {
    const wanted = wantedResource(partial)
    const all = this.#named().names.get(wanted.resource) ?? []
    const is = (resource: GroupVersionResource) => sameResource(resource, wanted)
    let found = all.filter(({ plural, singular }) => is(plural) || is(singular))
    if (wanted.group !== '' && wanted.version !== '') found = found.slice(0, 1)
    else if (wanted.group !== '' && found.length === 0) {
      found = all.filter(({ plural }) => plural.group.startsWith(wanted.group))
    }
    if (found.length === 0) throw new NoResourceMatchError(wanted)
    return found.map(({ plural }) => plural).sort(this.#preferring(({ resource }) => resource))
  }

  async resourceFor(partial: PartialResource): Promise<GroupVersionResource> {
    return only(await this.resourcesFor(partial), (matchingResources) => {
      throw new AmbiguousResourceError(complete(partial), { matchingResources })
    })
  }

  async kindsFor(partial: PartialResource): Promise<GroupVersionKind[]> {
    const wanted = wantedResource(partial)
    const all = this.#named().kinds.get(wanted.resource) ?? []
    let found = all.filter(({ resource }) => sameResource(resource, wanted))
    if (wanted.group !== '' && wanted.version === '' && found.length === 0) {
      found = all.filter(({ resource }) => resource.group.startsWith(wanted.group))
    }
    if (found.length === 0) throw new NoResourceMatchError(complete(partial))
    return found.map(({ kind }) => kind).sort(this.#preferring(({ kind }) => kind))
  }

  async kindFor(partial: PartialResource): Promise<GroupVersionKind> {
    return only(await this.kindsFor(partial), (matchingKinds) => {
      throw new AmbiguousResourceError(complete(partial), { matchingKinds })
    })
  }

  async restMapping(kind: GroupKind, versions: readonly string[] = []): Promise<RESTMapping> {
    const [best] = await this.restMappings(kind, versions)
    return best as RESTMapping
  }

  async restMappings({ group, kind }: GroupKind, versions: readonly string[] = []): Promise<RESTMapping[]> {
    const named = versions.filter((version) => version !== '' && version !== internalVersion)
    const defaults = this.#defaultGroupVersions.filter((gv) => gv.group === group)
    const first = named.find((version) => this.#mappings.has(kindKey({ group, version, kind })))
    const candidates = named.length > 0 ? [first] : defaults.map(({ version }) => version)
    const looked = candidates.filter((version) => version !== undefined)
    if (looked.length === 0) throw new NoKindMatchError({ group, kind }, versions)
    const found = looked.flatMap((version) => this.#mappings.get(kindKey({ group, version, kind })) ?? [])
    if (found.length === 0) throw new NoResourceMatchError({ group, version: '', resource: kind })
    return found
  }

  async resourceSingularizer(resource: string): Promise<string> {
    const resources = await this.resourcesFor({ resource })
    let name = ''
    for (const plural of resources) {
      const { singular } = this.#names.get(formatGroupVersionResource(plural)) as Names
      if (name === '') name = singular.resource
      else if (name !== singular.resource) {
        const found = resources.map(formatGroupVersionResource).join(' ')
        throw new Error(`multiple possible singular resources ([${found}]) found for ${resource}`)
      }
    }
    // A resource whose kind has no name.
    if (name === '') throw new Error(`no singular of resource ${resource} has been defined`)
    return name
  }

  /** @internal every name of a resource, plural and singular, that it knows something of */
  resourceNames(): Iterable<string> {
    return this.#named().kinds.keys()
  }

  /** @internal every kind that it knows, in any version */
  groupKinds(): GroupKind[] {
    return Array.from(this.#mappings.values(), ({ groupVersionKind }) => groupVersionKind)
  }

  #named(): Index {
    this.#index ??= {
      names: groupedBy(this.#names.values(), ({ plural, singular }) => [plural.resource, singular.resource]),
      kinds: groupedBy(this.#kinds.values(), ({ resource }) => [resource.resource]),
    }
    return this.#index
  }

  /** The order of the default group-versions, those that are none last; within one by name. */
  #preferring<T extends GroupVersion>(nameOf: (item: T) => string): (a: T, b: T) => number {
    const rank = (item: T) => this.#order.get(formatGroupVersion(item)) ?? Number.MAX_SAFE_INTEGER
    return (a, b) => rank(a) - rank(b) || compareText(nameOf(a), nameOf(b))
  }
}

/** Items by each of their keys, in their order. */
export function groupedBy<T>(items: Iterable<T>, keysOf: (item: T) => readonly string[]): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    for (const key of new Set(keysOf(item))) {
      const group = groups.get(key)
      if (group) group.push(item)
      else groups.set(key, [item])
    }
  }
  return groups
}

/** With the parts that are not said as `''`. */
export function complete({ group = '', version = '', resource }: PartialResource): GroupVersionResource {
  return { group, version, resource }
}

/** The one item; `refuse` when there are more. */
export function only<T>(items: readonly T[], refuse: (items: readonly T[]) => never): T {
  const [item, second] = items
  return second === undefined ? (item as T) : refuse(items)
}

/** As it is compared with what there is. @throws Error when it names no resource */
function wantedResource(partial: PartialResource): GroupVersionResource {
  const { group, version, resource } = complete(partial)
  const wanted = { group, version: version === internalVersion ? '' : version, resource: resource.toLowerCase() }
  if (resource === '') throw new TypeError(`a resource must be present, got: ${formatGroupVersionResource(wanted)}`)
  return wanted
}

function sameResource(resource: GroupVersionResource, wanted: GroupVersionResource): boolean {
  return (
    resource.resource === wanted.resource &&
    (wanted.group === '' || resource.group === wanted.group) &&
    (wanted.version === '' || resource.version === wanted.version)
  )
}

function kindKey({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`
}
