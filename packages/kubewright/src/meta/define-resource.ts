// Kinds that are not built in, custom resources above all: their descriptors, and what is written of them.

import type { ObjectMeta } from '../gen/api/meta/v1.js'
import { goQuote } from './go-quote.js'
import { type Kind, kind, type Subresource } from './kind.js'
import { dns1035LabelProblems, dns1123SubdomainProblems } from './names.js'
import type { KubernetesObject } from './object.js'

/**
 * What is written of a kind whose objects read as `T`: what the server fills in is optional. The name too, as
 * `generateName` can stand for it.
 */
export type WrittenOf<T extends object> = {
  [K in keyof T as K extends ServerFilled ? never : K]: T[K]
} & {
  [K in keyof T as K extends Exclude<ServerFilled, 'metadata'> ? K : never]?: T[K]
} & { metadata?: ObjectMeta }

type ServerFilled = 'apiVersion' | 'kind' | 'metadata' | 'status'

/** What {@link defineResource} is told of a resource, in the words of a CustomResourceDefinition. */
export interface ResourceDefinition {
  readonly group: string
  readonly version: string
  /** `Widget` */
  readonly kind: string
  /** The resource's name in URLs: `widgets`. */
  readonly plural: string
  readonly scope: 'Namespaced' | 'Cluster'
  /** @defaultValue the kind in lower case */
  readonly singular?: string | undefined
  readonly shortNames?: readonly string[] | undefined
  readonly categories?: readonly string[] | undefined
  /** @defaultValue the kind and `List` */
  readonly listKind?: string | undefined
  /** Those that the resource has: as in the definition, `{ status: {}, scale: {…} }`. */
  readonly subresources?: { readonly status?: object | undefined; readonly scale?: object | undefined } | undefined
}

type WithStatus = { readonly subresources: { readonly status: object } }
type WithScale = { readonly subresources: { readonly scale: object } }
type Without<S extends string> = { readonly subresources?: { readonly [name in S]?: never } }

/**
 * The descriptor of a kind of one's own: what dynamic clients and informers take to be typed ones.
 *
 * `T` is the type of what is read, `W` of what is written. Of what the definition names as subresources depends which
 * verbs the clients have: `updateStatus` and `applyStatus`, `getScale`, `updateScale` and `applyScale`.
 *
 * @throws TypeError naming what cannot be the name of a group, version or resource
 * @example
 * ```ts
 * interface Widget {
 *   apiVersion: 'example.com/v1'
 *   kind: 'Widget'
 *   metadata: NamespacedObjectMeta
 *   spec: { size: number }
 *   status?: { ready: boolean }
 * }
 * const Widget = defineResource<Widget>({
 *   group: 'example.com', version: 'v1', kind: 'Widget', plural: 'widgets', scope: 'Namespaced', subresources: { status: {} },
 * })
 * const widgets = new DynamicClient(config).resource(Widget).namespace('default')
 * ```
 */
export function defineResource<T extends KubernetesObject, W extends object = WrittenOf<T>>(
  definition: ResourceDefinition & WithStatus & WithScale,
): Kind<T, W, 'status' | 'scale'>
export function defineResource<T extends KubernetesObject, W extends object = WrittenOf<T>>(
  definition: ResourceDefinition & WithStatus & Without<'scale'>,
): Kind<T, W, 'status'>
export function defineResource<T extends KubernetesObject, W extends object = WrittenOf<T>>(
  definition: ResourceDefinition & WithScale & Without<'status'>,
): Kind<T, W, 'scale'>
export function defineResource<T extends KubernetesObject, W extends object = WrittenOf<T>>(
  definition: ResourceDefinition & Without<'status' | 'scale'>,
): Kind<T, W, never>
export function defineResource<T extends KubernetesObject, W extends object>(
  definition: ResourceDefinition,
): Kind<T, W> {
  const { group, version, plural, scope, shortNames = [], categories = [] } = definition
  const singular = definition.singular ?? definition.kind.toLowerCase()
  check('group', group, group === '' ? [] : dns1123SubdomainProblems(group))
  check('version', version, dns1035LabelProblems(version))
  check('kind', definition.kind, dns1035LabelProblems(definition.kind.toLowerCase()))
  check('plural', plural, dns1035LabelProblems(plural))
  if (scope !== 'Namespaced' && scope !== 'Cluster') {
    throw new TypeError(`defineResource: the scope is 'Namespaced' or 'Cluster', not ${goQuote(String(scope))}`)
  }
  return kind<T, W>({
    group,
    version,
    kind: definition.kind,
    plural,
    singular,
    shortNames: [...shortNames],
    categories: [...categories],
    listKind: definition.listKind ?? `${definition.kind}List`,
    namespaced: scope === 'Namespaced',
    verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    subresources: subresourcesOf(definition),
  })
}

function subresourcesOf({ subresources: { status, scale } = {} }: ResourceDefinition): Record<string, Subresource> {
  const verbs = ['get', 'patch', 'update']
  const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' }
  return {
    ...(status && { status: Object.freeze({ verbs }) }),
    ...(scale && { scale: Object.freeze({ kind: scaleKind, verbs }) }),
  }
}

function check(what: string, value: string, problems: readonly string[]): void {
  if (problems.length === 0) return
  throw new TypeError(`defineResource: invalid ${what} ${goQuote(value)}: [${problems.join(' ')}]`)
}
