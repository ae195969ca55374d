// A kind as a value: the frozen descriptor that generated code exports beside the kind's type.

import type { KubernetesObject } from './object.js'

/** Identifies a kind: `{ group: 'apps', version: 'v1', kind: 'Deployment' }`. The core group is `''`. */
export interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** Identifies a resource: `{ group: 'apps', version: 'v1', resource: 'deployments' }`. The core group is `''`. */
export interface GroupVersionResource {
  readonly group: string
  readonly version: string
  readonly resource: string
}

/** A resource under another one, such as `deployments/scale`. */
export interface Subresource {
  /** The kind it is read and written as, where that is not the parent's own kind. */
  readonly kind?: GroupVersionKind
  readonly verbs: readonly string[]
}

declare const types: unique symbol

/**
 * The descriptor of a kind: what the generic clients, informers and builders need to know of it.
 *
 * `T` is the type of what is read, `W` of what is written, `S` the names of its subresources: `'status' | 'scale'`,
 * `never` for none, `string` where they are not known.
 */
export interface Kind<T extends object = KubernetesObject, W extends object = T, S extends string = string>
  extends GroupVersionKind {
  /** `apps/v1`, or `v1` for the core group: the `apiVersion` of its objects. */
  readonly apiVersion: string
  /** The resource's name in URLs: `deployments`. */
  readonly plural: string
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  /** The kind of its lists: `DeploymentList`. Empty for kinds that cannot be listed. */
  readonly listKind: string
  readonly namespaced: boolean
  /** Verbs of the API that the resource serves: `get`, `list`, `deletecollection`, … */
  readonly verbs: readonly string[]
  readonly subresources: Readonly<Record<string, Subresource>>
  /** Carries the types; never present at run time. */
  readonly [types]?: { read: T; write: W; subresources: S }
}

/** What {@link kind} is given: a descriptor without what can be derived. */
export type KindFacts = Omit<Kind, 'apiVersion' | typeof types>

/** Freezes a descriptor. Used by generated code. */
export function kind<T extends object, W extends object = T, S extends string = string>(
  facts: KindFacts,
): Kind<T, W, S> {
  const apiVersion = facts.group === '' ? facts.version : `${facts.group}/${facts.version}`
  for (const value of Object.values(facts)) if (typeof value === 'object') Object.freeze(value)
  return Object.freeze({ ...facts, apiVersion })
}
