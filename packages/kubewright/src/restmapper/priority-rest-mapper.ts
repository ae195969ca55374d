// PriorityRESTMapper: chooses one where another mapper finds several.

import type { GroupKind, GroupVersion, GroupVersionKind, GroupVersionResource } from '../meta/index.js'
import { complete, groupedBy } from './default-rest-mapper.js'
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
  readonly #ofResources: Ranked<GroupVersionResource>
  readonly #ofKinds: Ranked<GroupVersionKind>

  constructor(delegate: RESTMapper, { resourcePriority, kindPriority }: Priorities) {
    this.#delegate = delegate
    this.#ofResources = ranked(resourcePriority)
    this.#ofKinds = ranked(kindPriority)
  }

  async resourceFor(resource: PartialResource, opts?: MapperOptions): Promise<GroupVersionResource> {
    const found = await this.#delegate.resourcesFor(resource, opts)
    const fits = (pattern: GroupVersionResource, item: GroupVersionResource) =>
      sameVersion(pattern, item) && same(pattern.resource, item.resource)
    const best = narrow(found, fitting(this.#ofResources, found), fits)
    if (!best) throw new AmbiguousResourceError(complete(resource), { matchingResources: found })
    return best
  }

  async kindFor(resource: PartialResource, opts?: MapperOptions): Promise<GroupVersionKind> {
    const found = await this.#delegate.kindsFor(resource, opts)
    const best = narrow(found, fitting(this.#ofKinds, found), kindFits)
    if (!best) throw new AmbiguousResourceError(complete(resource), { matchingKinds: found })
    return best
  }

  /** Versions that are named come before all patterns. */
  async restMapping(kind: GroupKind, versions: readonly string[] = [], opts?: MapperOptions): Promise<RESTMapping> {
    const found = await this.#delegate.restMappings(kind, versions, opts)
    const named = versions.map((version) => ({ group: kind.group, version, kind: anyKind }))
    const matchingKinds = found.map(({ groupVersionKind }) => groupVersionKind)
    const patterns = [...named, ...fitting(this.#ofKinds, matchingKinds)]
    const best = narrow(found, patterns, (pattern, { groupVersionKind }) => kindFits(pattern, groupVersionKind))
    if (best) return best
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

/** Patterns by their group, with their places in the order. Of a server there are as many as it has group-versions. */
type Ranked<P> = ReadonlyMap<string, readonly { readonly pattern: P; readonly rank: number }[]>

function ranked<P extends GroupVersion>(patterns: readonly P[]): Ranked<P> {
  return groupedBy(
    patterns.map((pattern, rank) => ({ pattern, rank })),
    ({ pattern }) => [pattern.group],
  )
}

/** The patterns that may fit one of the items, in their order: those of its group and those of every group. */
function fitting<P>(patterns: Ranked<P>, items: readonly GroupVersion[]): P[] {
  const groups = new Set([anyGroup, ...items.map(({ group }) => group)])
  const found = [...groups].flatMap((group) => patterns.get(group) ?? [])
  return found.sort((a, b) => a.rank - b.rank).map(({ pattern }) => pattern)
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
