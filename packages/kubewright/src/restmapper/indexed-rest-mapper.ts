// What many DefaultRESTMappers know, found by name. A server has one for each of hundreds of group-versions, and of these one or
// two know a name: asking all of them takes milliseconds.

import type { GroupKind, GroupVersionKind, GroupVersionResource } from '../meta/index.js'
import { type DefaultRESTMapper, groupedBy } from './default-rest-mapper.js'
import { MultiRESTMapper } from './multi-rest-mapper.js'
import type { PartialResource, RESTMapper, RESTMapping } from './types.js'

/**
 * A {@link MultiRESTMapper} of mappers that have been told everything: it answers the same, but asks only those that know the
 * name or the kind.
 */
export class IndexedRESTMapper implements RESTMapper {
  readonly #mappers: readonly DefaultRESTMapper[]
  readonly #byResource: ReadonlyMap<string, readonly DefaultRESTMapper[]>
  readonly #byKind: ReadonlyMap<string, readonly DefaultRESTMapper[]>

  constructor(mappers: readonly DefaultRESTMapper[]) {
    this.#mappers = mappers
    this.#byResource = groupedBy(mappers, (mapper) => [...mapper.resourceNames()])
    this.#byKind = groupedBy(mappers, (mapper) => mapper.groupKinds().map(keyOf))
  }

  async kindFor(resource: PartialResource): Promise<GroupVersionKind> {
    return this.#knowingResource(resource).kindFor(resource)
  }

  async kindsFor(resource: PartialResource): Promise<GroupVersionKind[]> {
    return this.#knowingResource(resource).kindsFor(resource)
  }

  async resourceFor(resource: PartialResource): Promise<GroupVersionResource> {
    return this.#knowingResource(resource).resourceFor(resource)
  }

  async resourcesFor(resource: PartialResource): Promise<GroupVersionResource[]> {
    return this.#knowingResource(resource).resourcesFor(resource)
  }

  async restMapping(kind: GroupKind, versions: readonly string[] = []): Promise<RESTMapping> {
    return this.#knowingKind(kind).restMapping(kind, versions)
  }

  async restMappings(kind: GroupKind, versions: readonly string[] = []): Promise<RESTMapping[]> {
    return this.#knowingKind(kind).restMappings(kind, versions)
  }

  async resourceSingularizer(resource: string): Promise<string> {
    // Where none of them has a singular, what the last of all mappers says is the answer.
    return this.#knowingResource({ resource }, this.#mappers.slice(-1)).resourceSingularizer(resource)
  }

  #knowingResource({ resource }: PartialResource, others: readonly DefaultRESTMapper[] = []): RESTMapper {
    // Without a name, each says what is wrong.
    const known = resource === '' ? this.#mappers : (this.#byResource.get(resource.toLowerCase()) ?? [])
    return new MultiRESTMapper([...known, ...others])
  }

  #knowingKind(kind: GroupKind): RESTMapper {
    return new MultiRESTMapper(this.#byKind.get(keyOf(kind)) ?? [])
  }
}

function keyOf({ group, kind }: GroupKind): string {
  return `${group}/${kind}`
}
