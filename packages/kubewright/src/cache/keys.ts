// Keys: how an object is named inside a cache and a work queue, and what stands for an object whose deletion was missed.

import { type DeepReadonly, goQuote } from '../meta/index.js'
import { ObjectRef } from './bytes/object-ref.js'

/** The part of an object that its key is made of. */
export interface Keyed {
  readonly metadata?: { readonly name?: string | undefined; readonly namespace?: string | undefined } | undefined
}

/** A key, taken apart. `namespace` is `''` for cluster-scoped objects. */
export interface ObjectName {
  readonly namespace: string
  readonly name: string
}

/** Makes the key of an object. Throws {@link KeyError} where there is none. */
export type KeyFunc = (obj: Keyed) => string

/** The object has no `metadata.name`, so it can have no key. */
export class KeyError extends Error {
  override readonly name: string = 'KeyError'
  /** What was given instead of an object. */
  readonly object: unknown

  constructor(object: unknown, problem: string) {
    super(`couldn't create key for object ${describe(object)}: ${problem}`)
    this.object = object
  }
}

/**
 * A deletion that was not seen: the object was in the cache and is missing from a later list.
 *
 * `obj` is the last state that was known and may be old; it is undefined where even that is unknown. Take the key from
 * {@link deletionHandlingMetaNamespaceKeyFunc}, which accepts both this and a plain object.
 */
export class DeletedFinalStateUnknown<T = unknown> {
  readonly key: string
  readonly obj: DeepReadonly<T> | undefined

  constructor(key: string, obj: DeepReadonly<T> | undefined) {
    this.key = key
    this.obj = obj
  }
}

/** Tells a missed deletion from a deleted object. */
export function isDeletedFinalStateUnknown<T>(
  obj: T | DeletedFinalStateUnknown<T> | DeepReadonly<T>,
): obj is DeletedFinalStateUnknown<T> {
  return obj instanceof DeletedFinalStateUnknown
}

/**
 * `namespace/name`, or `name` for objects without a namespace.
 *
 * @throws KeyError when there is no `metadata` or no name in it.
 */
export function metaNamespaceKeyFunc(obj: Keyed): string {
  if (obj instanceof ObjectRef) return obj.key
  const metadata = obj?.metadata
  if (!metadata) throw new KeyError(obj, 'object has no metadata')
  if (typeof metadata.name !== 'string' || metadata.name === '') throw new KeyError(obj, 'object has no metadata.name')
  return metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name
}

/**
 * As {@link metaNamespaceKeyFunc}, and for a {@link DeletedFinalStateUnknown} the key it carries: what `onDelete` needs.
 *
 * @throws KeyError when there is no key.
 */
export function deletionHandlingMetaNamespaceKeyFunc(obj: Keyed | DeletedFinalStateUnknown): string {
  return obj instanceof DeletedFinalStateUnknown ? obj.key : metaNamespaceKeyFunc(obj)
}

/**
 * Takes a key apart again.
 *
 * @throws Error when the key has more than one slash.
 */
export function splitMetaNamespaceKey(key: string): ObjectName {
  const [first = '', second, ...rest] = key.split('/')
  if (rest.length > 0) throw new Error(`unexpected key format: ${goQuote(key)}`)
  return second === undefined ? { namespace: '', name: first } : { namespace: first, name: second }
}

/** Kind and type of what has no key, never its content: that may hold secrets. */
function describe(object: unknown): string {
  if (object === null || typeof object !== 'object') return String(object)
  const kind = (object as { kind?: unknown }).kind
  return typeof kind === 'string' && kind !== '' ? kind : '(of unknown kind)'
}
