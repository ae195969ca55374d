// What rest mappers answer, and what they can be asked.

import type { GroupKind, GroupVersionKind, GroupVersionResource } from '../meta/index.js'

/** Stands for every group in the patterns of a {@link PriorityRESTMapper}. */
export const anyGroup = '*'
/** Stands for every version there. */
export const anyVersion = '*'
/** Stands for every resource there. */
export const anyResource = '*'
/** Stands for every kind there. */
export const anyKind = '*'

/** Options of every question: answering may take asking the server. */
export interface MapperOptions {
  /** Ends the waiting; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/**
 * A resource as users name it: plural or singular, in any case. Without a version it is any, and without a group too; a group
 * that is not there counts as the beginning of one: `{ group: 'storage', resource: 'storageclass' }`.
 */
export interface PartialResource {
  readonly group?: string | undefined
  readonly version?: string | undefined
  readonly resource: string
}

/** Where the objects of a kind are. */
export interface RESTMapping {
  readonly resource: GroupVersionResource
  readonly groupVersionKind: GroupVersionKind
  /** `root`: not in namespaces. */
  readonly scope: 'namespace' | 'root'
}

/** Maps resources to kinds and kinds to resources. */
export interface RESTMapper {
  /**
   * The one kind of a resource.
   *
   * @throws NoResourceMatchError, AmbiguousResourceError
   */
  kindFor(resource: PartialResource, opts?: MapperOptions): Promise<GroupVersionKind>
  /**
   * Every kind that a resource may have, best first; never none.
   *
   * @throws NoResourceMatchError
   */
  kindsFor(resource: PartialResource, opts?: MapperOptions): Promise<GroupVersionKind[]>
  /**
   * The one resource that is meant, its name in the plural.
   *
   * @throws NoResourceMatchError, AmbiguousResourceError
   */
  resourceFor(resource: PartialResource, opts?: MapperOptions): Promise<GroupVersionResource>
  /**
   * Every resource that may be meant, best first; never none.
   *
   * @throws NoResourceMatchError
   */
  resourcesFor(resource: PartialResource, opts?: MapperOptions): Promise<GroupVersionResource[]>
  /**
   * Where the objects of a kind are, in the first of the versions that has it; without versions, in the best of all.
   *
   * @throws NoKindMatchError, NoResourceMatchError, AmbiguousKindError
   */
  restMapping(kind: GroupKind, versions?: readonly string[], opts?: MapperOptions): Promise<RESTMapping>
  /**
   * As {@link RESTMapper.restMapping}, all that there are; never none.
   *
   * @throws NoKindMatchError, NoResourceMatchError
   */
  restMappings(kind: GroupKind, versions?: readonly string[], opts?: MapperOptions): Promise<RESTMapping[]>
  /**
   * The singular of a resource's name: `pod` for `pods`.
   *
   * @throws NoResourceMatchError; Error when several resources of that name have different ones
   */
  resourceSingularizer(resource: string, opts?: MapperOptions): Promise<string>
}

/** A mapper that can be told to forget what it knows. */
export interface ResettableRESTMapper extends RESTMapper {
  /** The next question is answered from what the server has then. */
  reset(): void
}

/** Has the mapper forget what it knows, if it can. */
export function maybeResetRESTMapper(mapper: RESTMapper): void {
  if ('reset' in mapper) (mapper as ResettableRESTMapper).reset()
}
