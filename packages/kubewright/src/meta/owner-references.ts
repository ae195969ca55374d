// Who owns an object: references that the garbage collector follows, and by which a controller knows what is its own.

import type { OwnerReference } from '../gen/api/meta/v1.js'
import { formatGroupVersion, parseGroupVersion } from './group-version.js'
import type { GroupVersionKind } from './kind.js'

/** What is read of an owner. It comes from the server, which gives objects their uid. */
export interface OwnerObject {
  readonly metadata: { readonly name: string; readonly uid: string; readonly namespace?: string }
}

/** What is read of an object that may be owned. */
export interface OwnedObject {
  readonly kind?: string
  readonly metadata?: {
    readonly name?: string
    readonly namespace?: string
    readonly ownerReferences?: readonly OwnerReference[]
  }
}

/** An object whose owners are changed. */
export interface MutableOwnedObject {
  kind?: string
  metadata?: { name?: string; generateName?: string; namespace?: string; ownerReferences?: OwnerReference[] }
}

/** Options of {@link setControllerReference} and {@link setOwnerReference}. */
export interface OwnerReferenceOptions {
  /**
   * Whether a foreground deletion of the owner waits until the object is gone. Setting it needs the permission to update the
   * owner's finalizers, where the server checks that.
   *
   * @defaultValue true of a controller's reference; absent of other ones
   */
  blockOwnerDeletion?: boolean | undefined
}

/** An object that was to get a controller has another one. */
export class AlreadyOwnedError extends Error {
  override readonly name: string = 'AlreadyOwnedError'
  /** The object that was to be owned. */
  readonly object: OwnedObject
  /** Its controller. */
  readonly owner: OwnerReference

  constructor(object: OwnedObject, owner: OwnerReference) {
    const { namespace = '', name = '' } = object.metadata ?? {}
    super(`Object ${namespace}/${name} is already owned by another ${owner.kind} controller ${owner.name}`)
    this.object = object
    this.owner = owner
  }
}

/**
 * A reference to the owner as the controller of an object, which blocks the owner's foreground deletion:
 * `newControllerRef(deployment, Deployment)`.
 *
 * @throws TypeError when the owner has no uid
 */
export function newControllerRef(owner: OwnerObject, kind: GroupVersionKind): OwnerReference {
  return { ...newOwnerRef(owner, kind), blockOwnerDeletion: true, controller: true }
}

/** A copy of the object's reference to its controller; undefined when it has none. */
export function getControllerOf(object: OwnedObject): OwnerReference | undefined {
  const reference = controllerOf(object)
  return reference && { ...reference }
}

/** Whether the owner is the object's controller: the very one, by its uid. */
export function isControlledBy(object: OwnedObject, owner: { readonly metadata?: { readonly uid?: string } }): boolean {
  return controllerOf(object)?.uid === (owner.metadata?.uid ?? '')
}

/** Whether the object has a controller. */
export function hasControllerReference(object: OwnedObject): boolean {
  return controllerOf(object) !== undefined
}

/**
 * Makes the owner the object's controller: it is deleted with the owner, and told of to the owner's controller. A
 * reference to the same owner, in whatever version, is replaced.
 *
 * @throws AlreadyOwnedError when the object has another controller
 * @throws Error when the owner is in a namespace and the object in none or another: the garbage collector would delete it
 * @throws TypeError when the owner has no uid
 */
export function setControllerReference(
  owner: OwnerObject,
  object: MutableOwnedObject,
  kind: GroupVersionKind,
  { blockOwnerDeletion = true }: OwnerReferenceOptions = {},
): void {
  checkNamespaces(owner, object)
  const reference: OwnerReference = { ...newOwnerRef(owner, kind), controller: true, blockOwnerDeletion }
  const existing = controllerOf(object)
  if (existing && !referToSame(existing, reference)) throw new AlreadyOwnedError(object, { ...existing })
  upsert(object, reference)
}

/**
 * Makes the owner one of the object's owners, and not its controller: it is deleted when all its owners are gone. A
 * reference to the same owner, in whatever version, is replaced. Throws as {@link setControllerReference}, but for a
 * controller that is already there.
 */
export function setOwnerReference(
  owner: OwnerObject,
  object: MutableOwnedObject,
  kind: GroupVersionKind,
  { blockOwnerDeletion }: OwnerReferenceOptions = {},
): void {
  checkNamespaces(owner, object)
  upsert(object, { ...newOwnerRef(owner, kind), ...(blockOwnerDeletion !== undefined && { blockOwnerDeletion }) })
}

/**
 * Removes the reference to the owner, in whatever version.
 *
 * @throws Error when there is none
 */
export function removeOwnerReference(
  owner: { readonly metadata: { readonly name: string } },
  object: MutableOwnedObject,
  kind: GroupVersionKind,
): void {
  const references = object.metadata?.ownerReferences ?? []
  if (references.length === 0) throw new Error(`${describe(object)} does not have any owner references`)
  const index = indexOf(references, owner, kind)
  if (index < 0) throw new Error(`${describe(object)} does not have an owner reference for ${describe(owner, kind)}`)
  references.splice(index, 1)
}

/**
 * As {@link removeOwnerReference}, of an owner that has to be the controller.
 *
 * @throws Error when it is not
 */
export function removeControllerReference(
  owner: { readonly metadata: { readonly name: string } },
  object: MutableOwnedObject,
  kind: GroupVersionKind,
): void {
  if (!hasControllerReference(object)) {
    throw new Error(`${describe(object)} does not have a owner reference with controller equals true`)
  }
  const references = object.metadata?.ownerReferences ?? []
  const index = indexOf(references, owner, kind)
  const wanted = describe(owner, kind)
  if (index < 0) throw new Error(`${describe(object)} does not have an controller reference for ${wanted}`)
  if (references[index]?.controller !== true) {
    throw new Error(`${wanted} owner is not the controller reference for ${describe(object)}`)
  }
  references.splice(index, 1)
}

/** Whether one of the references is to the owner: by group, kind and name, in whatever version. */
export function hasOwnerReference(
  references: readonly OwnerReference[] | undefined,
  owner: { readonly metadata: { readonly name: string } },
  kind: GroupVersionKind,
): boolean {
  return indexOf(references ?? [], owner, kind) >= 0
}

function newOwnerRef({ metadata }: OwnerObject, kind: GroupVersionKind): OwnerReference {
  const { name, uid } = metadata
  if (!uid) {
    throw new TypeError(`${kind.kind} ${name} cannot own an object: it has no uid; use the object that the server gave`)
  }
  return { apiVersion: formatGroupVersion(kind), kind: kind.kind, name, uid }
}

function controllerOf(object: OwnedObject): OwnerReference | undefined {
  return object.metadata?.ownerReferences?.find(({ controller }) => controller === true)
}

function checkNamespaces(owner: OwnerObject, object: OwnedObject): void {
  const ours = owner.metadata.namespace ?? ''
  const theirs = object.metadata?.namespace ?? ''
  if (ours === '' || ours === theirs) return
  throw new Error(
    theirs === ''
      ? `cluster-scoped resource must not have a namespace-scoped owner, owner's namespace ${ours}`
      : `cross-namespace owner references are disallowed, owner's namespace ${ours}, obj's namespace ${theirs}`,
  )
}

function upsert(object: MutableOwnedObject, reference: OwnerReference): void {
  object.metadata ??= {}
  object.metadata.ownerReferences ??= []
  const references = object.metadata.ownerReferences
  const index = references.findIndex((other) => referToSame(other, reference))
  if (index < 0) references.push(reference)
  else references[index] = reference
}

function indexOf(
  references: readonly OwnerReference[],
  { metadata: { name } }: { readonly metadata: { readonly name: string } },
  kind: GroupVersionKind,
): number {
  const wanted = { apiVersion: formatGroupVersion(kind), kind: kind.kind, name }
  return references.findIndex((reference) => referToSame(reference, wanted))
}

type ReferenceKey = Pick<OwnerReference, 'apiVersion' | 'kind' | 'name'>

function referToSame(a: ReferenceKey, b: ReferenceKey): boolean {
  if (a.kind !== b.kind || a.name !== b.name) return false
  try {
    return parseGroupVersion(a.apiVersion).group === parseGroupVersion(b.apiVersion).group
  } catch {
    return false
  }
}

function describe(object: OwnedObject, { kind = object.kind ?? 'the object' }: { kind?: string } = {}): string {
  const { namespace, name = '' } = object.metadata ?? {}
  return `${kind} ${namespace ? `${namespace}/` : ''}${name}`.trimEnd()
}
