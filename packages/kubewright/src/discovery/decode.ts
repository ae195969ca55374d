// Answers of discovery as JSON, made what their types say: Go writes a list without items as null, or leaves it out.

import type { APIGroupDiscoveryList, APIResourceDiscovery } from '../gen/api/apidiscovery/v2.js'
import { goQuote, isObject } from '../meta/index.js'
import type { APIGroup, APIGroupList, APIResource, APIResourceList, GroupVersionForDiscovery } from './types.js'

type Fields = Readonly<Record<string, unknown>>

/** @throws Error naming `what` was read when the value is no such list. */
export function asGroupList(value: unknown, what: string): APIGroupList {
  const { groups } = fieldsOf(value, what)
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: listOf(groups, `${what}: groups`).map(asGroup) }
}

function asGroup(fields: Fields): APIGroup {
  const { name, versions, preferredVersion, serverAddressByClientCIDRs } = fields
  const preferred = asGroupVersion((preferredVersion ?? {}) as Fields)
  return {
    name: textOf(name),
    versions: listOf(versions, `versions of the group ${goQuote(textOf(name))}`).map(asGroupVersion),
    // Go cannot leave it out.
    ...(preferred.version !== '' && { preferredVersion: preferred }),
    ...(Array.isArray(serverAddressByClientCIDRs) ? { serverAddressByClientCIDRs } : {}),
  }
}

function asGroupVersion({ groupVersion, version }: Fields): GroupVersionForDiscovery {
  return { groupVersion: textOf(groupVersion), version: textOf(version) }
}

/**
 * Resources without a name are left out: nothing can be asked of them.
 *
 * @throws Error naming `what` was read when the value is no such list
 */
export function asResourceList(value: unknown, groupVersion: string, what: string): APIResourceList {
  const fields = fieldsOf(value, what)
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: textOf(fields.groupVersion) || groupVersion,
    resources: listOf(fields.resources, `${what}: resources`)
      .map(asResource)
      .filter(({ name }) => name !== ''),
  }
}

function asResource(fields: Fields): APIResource {
  const { name, singularName, namespaced, kind, verbs, group, version, shortNames, categories, ...rest } = fields
  return {
    ...rest,
    name: textOf(name),
    singularName: textOf(singularName),
    namespaced: namespaced === true,
    kind: textOf(kind),
    verbs: textsOf(verbs),
    ...(typeof group === 'string' && { group }),
    ...(typeof version === 'string' && { version }),
    ...namesAndCategories({ shortNames, categories }),
  }
}

/** Those of the two that are there. */
export function namesAndCategories({
  shortNames,
  categories,
}: {
  readonly shortNames?: unknown
  readonly categories?: unknown
}): Pick<APIResource, 'shortNames' | 'categories'> {
  return {
    ...(Array.isArray(shortNames) && { shortNames: textsOf(shortNames) }),
    ...(Array.isArray(categories) && { categories: textsOf(categories) }),
  }
}

/** The versions of the core group. */
export function asVersions(value: unknown, what: string): string[] {
  return textsOf(fieldsOf(value, what).versions)
}

/** @throws Error naming `what` was read when the value is no such list. */
export function asAggregated(value: unknown, what: string): AggregatedDiscovery {
  return { items: listOf(fieldsOf(value, what).items, `${what}: items`) as unknown as AggregatedDiscovery['items'] }
}

/** What of an APIGroupDiscoveryList matters, whichever version it is in. */
export type AggregatedDiscovery = Pick<APIGroupDiscoveryList, 'items'>

/** A list, or none where Go wrote null. */
export function orNone<T>(list: readonly T[] | null | undefined): readonly T[] {
  return Array.isArray(list) ? list.filter((item) => item !== null) : []
}

/** The kind of a resource, unless it is empty. */
export function kindOf({
  responseKind,
}: Pick<APIResourceDiscovery, 'responseKind'>): { group: string; version: string; kind: string } | undefined {
  const { group: g, version: v, kind: k } = responseKind ?? {}
  const [group, version, kind] = [textOf(g), textOf(v), textOf(k)]
  return group === '' && version === '' && kind === '' ? undefined : { group, version, kind }
}

/** An object's fields. @throws Error naming `what` was read when the value is no object */
export function fieldsOf(value: unknown, what: string): Fields {
  if (isObject(value)) return value
  throw new Error(`${what}: the answer is none of discovery's: not an object; is the host an API server?`)
}

function listOf(value: unknown, what: string): Fields[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null)) return value
  throw new Error(`${what}: not a list of objects; is the host an API server?`)
}

/** A text; empty where it is none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The texts of a list. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
