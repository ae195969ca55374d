// What a rest mapper does not find, or finds too much of.

import {
  formatGroupVersion,
  formatGroupVersionKind,
  formatGroupVersionResource,
  type GroupKind,
  type GroupVersionKind,
  type GroupVersionResource,
  goQuote,
} from '../meta/index.js'

/** Options of the two errors of ambiguity. */
export interface Matches {
  readonly matchingResources?: readonly GroupVersionResource[] | undefined
  readonly matchingKinds?: readonly GroupVersionKind[] | undefined
}

/** A resource that may be several. */
export class AmbiguousResourceError extends Error {
  override readonly name: string = 'AmbiguousResourceError'
  readonly partialResource: GroupVersionResource
  readonly matchingResources: readonly GroupVersionResource[]
  readonly matchingKinds: readonly GroupVersionKind[]

  constructor(partialResource: GroupVersionResource, matches: Matches = {}) {
    super(`${formatGroupVersionResource(partialResource)} matches multiple ${matchesText(matches)}`)
    this.partialResource = partialResource
    this.matchingResources = matches.matchingResources ?? []
    this.matchingKinds = matches.matchingKinds ?? []
  }
}

/** A kind that may be several. */
export class AmbiguousKindError extends Error {
  override readonly name: string = 'AmbiguousKindError'
  readonly partialKind: GroupVersionKind
  readonly matchingResources: readonly GroupVersionResource[]
  readonly matchingKinds: readonly GroupVersionKind[]

  constructor(partialKind: GroupVersionKind, matches: Matches = {}) {
    super(`${formatGroupVersionKind(partialKind)} matches multiple ${matchesText(matches)}`)
    this.partialKind = partialKind
    this.matchingResources = matches.matchingResources ?? []
    this.matchingKinds = matches.matchingKinds ?? []
  }
}

/** A resource that the server has not. */
export class NoResourceMatchError extends Error {
  override readonly name: string = 'NoResourceMatchError'
  readonly partialResource: GroupVersionResource

  constructor(partialResource: GroupVersionResource) {
    super(`no matches for ${formatGroupVersionResource(partialResource)}`)
    this.partialResource = partialResource
  }
}

/** A kind that the server has not. */
export class NoKindMatchError extends Error {
  override readonly name: string = 'NoKindMatchError'
  readonly groupKind: GroupKind
  /** The versions that were looked at; none: all. */
  readonly searchedVersions: readonly string[]

  constructor(groupKind: GroupKind, searchedVersions: readonly string[] = []) {
    const { group, kind } = groupKind
    const searched = searchedVersions.map((version) => goQuote(formatGroupVersion({ group, version })))
    const versions = [...new Set(searched)].sort()
    super(`no matches for kind ${goQuote(kind)} in ${placeText(group, versions)}`)
    this.groupKind = groupKind
    this.searchedVersions = searchedVersions
  }
}

/** Whether the server has no such resource or kind. */
export function isNoMatchError(err: unknown): err is NoResourceMatchError | NoKindMatchError {
  return err instanceof NoResourceMatchError || err instanceof NoKindMatchError
}

/** Whether several resources or kinds may be meant. */
export function isAmbiguousError(err: unknown): err is AmbiguousResourceError | AmbiguousKindError {
  return err instanceof AmbiguousResourceError || err instanceof AmbiguousKindError
}

function matchesText({ matchingResources = [], matchingKinds = [] }: Matches): string {
  const resources = `[${matchingResources.map(formatGroupVersionResource).join(' ')}]`
  const kinds = `[${matchingKinds.map(formatGroupVersionKind).join(' ')}]`
  if (matchingKinds.length > 0 && matchingResources.length > 0) return `resources ${resources} and kinds ${kinds}`
  if (matchingKinds.length > 0) return `kinds ${kinds}`
  return matchingResources.length > 0 ? `resources ${resources}` : 'resources or kinds'
}

function placeText(group: string, versions: readonly string[]): string {
  if (versions.length === 0) return `group ${goQuote(group)}`
  return versions.length === 1 ? `version ${versions[0]}` : `versions [${versions.join(' ')}]`
}
