// PriorityRESTMapper: chooses one where another mapper finds several.

import type { GroupKind, GroupVersion, GroupVersionKind, GroupVersionResource } from '../meta/index.js'
import { complete } from './default-rest-mapper.js'
import { AmbiguousKindError, AmbiguousResourceError } from './errors.js'
import {
  anyGroup,
  anyKind,
  type MapperOptions,
  maybeResetRESTMapper,
  type PartialResource,
  type RESTMapper,
  type RESTMapping,
  type ResettableRESTMapper,
} from './types.js'

/** Options of {@link PriorityRESTMapper}: patterns, in which {@link anyGroup} and its like stand for everything. */
export interface Priorities {
  readonly resourcePriority: readonly GroupVersionResource[]
  readonly kindPriority: readonly GroupVersionKind[]
}

/**
 * Narrows what another mapper finds by one pattern after the other, until one is left. A pattern that fits none of those
 * which are left is passed over.
 */
export class PriorityRESTMapper implements ResettableRESTMapper {
  readonly #delegate: RESTMapper
  readonly #priorities: Priorities

  constructor(delegate: RESTMapper, priorities: Priorities) {
    this.#delegate = delegate
    this.#priorities = priorities
  }

  async resourceFor(resource: PartialResource, opts?: MapperOptions): Promise<GroupVersionResource> {
    const found = await this.#delegate.resourcesFor(resource, opts)
    const fits = (pattern: GroupVersionResource, item: GroupVersionResource) =>
      sameVersion(pattern, item) && same(pattern.resource, item.resource)
    const best = narrow(found, this.#priorities.resourcePriority, fits)
    if (!best) throw new AmbiguousResourceError(complete(resource), { matchingResources: found })
    return best
  }

  async kindFor(resource: PartialResource, opts?: MapperOptions): Promise<GroupVersionKind> {
    const found = await this.#delegate.kindsFor(resource, opts)
    const best = narrow(found, this.#priorities.kindPriority, kindFits)
    if (!best) throw new AmbiguousResourceError(complete(resource), { matchingKinds: found })
    return best
  }

  /** Versions that are named come before all patterns. */
  async restMapping(kind: GroupKind, versions: readonly string[] = [], opts?: MapperOptions): Promise<RESTMapping> {
    const found = await this.#delegate.restMappings(kind, versions, opts)
    const named = versions.map((version) => ({ group: kind.group, version, kind: anyKind }))
    const patterns = [...named, ...this.#priorities.kindPriority]
    const best = narrow(found, patterns, (pattern, { groupVersionKind }) => kindFits(pattern, groupVersionKind))
    if (best) return best
    const matchingKinds = found.map(({ groupVersionKind }) => groupVersionKind)
    throw new AmbiguousKindError({ ...kind, version: '' }, { matchingKinds })
  }

  restMappings(kind: GroupKind, versions: readonly string[] = [], opts?: MapperOptions): Promise<RESTMapping[]> {
    return this.#delegate.restMappings(kind, versions, opts)
  }

  resourcesFor(resource: PartialResource, opts?: MapperOptions): Promise<GroupVersionResource[]> {
    return this.#delegate.resourcesFor(resource, opts)
  }

  kindsFor(resource: PartialResource, opts?: MapperOptions): Promise<GroupVersionKind[]> {
    return this.#delegate.kindsFor(resource, opts)
  }

  resourceSingularizer(resource: string, opts?: MapperOptions): Promise<string> {
    return this.#delegate.resourceSingularizer(resource, opts)
  }

  reset(): void {
    maybeResetRESTMapper(this.#delegate)
  }
}

/** Undefined when several are left after the last pattern. */
function narrow<T, P>(
  items: readonly T[],
  patterns: readonly P[],
  fits: (pattern: P, item: T) => boolean,
): T | undefined {
  let left = items
  for (const pattern of patterns) {
    if (left.length === 1) break
    const fitting = left.filter((item) => fits(pattern, item))
    if (fitting.length > 0) left = fitting
  }
  return left.length === 1 ? left[0] : undefined
}

function kindFits(pattern: GroupVersionKind, item: GroupVersionKind): boolean {
  return sameVersion(pattern, item) && same(pattern.kind, item.kind)
}

function sameVersion(pattern: GroupVersion, item: GroupVersion): boolean {
  return same(pattern.group, item.group) && same(pattern.version, item.version)
}

/** All that stand for everything are the same. */
function same(pattern: string, text: string): boolean {
  return pattern === anyGroup || pattern === text
}
