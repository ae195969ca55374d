// What the API server does to an object on its way into the store: metadata that is its own, and parts that a request to
// this endpoint does not write.

import type { Clock } from '../clock/index.js'
import {
  deepCopy,
  equalSemantic,
  formatTime,
  goQuote,
  type NameGenerator,
  type Unstructured,
  type UnstructuredInput,
} from '../meta/index.js'
import { fillIn, withoutEmpty } from './always-sent.js'
import { newBadRequest, newConflict, newInvalid } from './api-errors.js'
import { hasGeneration, initialPhase } from './kind-rules.js'
import type { ResourceInfo } from './resources.js'

/** What new objects get their metadata from. */
export interface Identity {
  readonly clock: Clock
  readonly nameGenerator: NameGenerator
  newUID(): string
}

/** Parts of the object that subresources write; others write nothing of it. */
const writtenParts: Readonly<Record<string, string>> = {
  status: 'status',
  approval: 'status',
  finalize: 'spec',
  resize: 'spec',
  ephemeralcontainers: 'spec',
}

export const staleObject = 'the object has been modified; please apply your changes to the latest version and try again'

/**
 * A copy of what was sent, with its kind and namespace filled in.
 *
 * @throws ApiError isBadRequest for another kind, or another namespace than that of the request
 */
export function received(info: ResourceInfo, object: UnstructuredInput, namespace: string): Unstructured {
  const { apiVersion, kind } = info
  const {
    apiVersion: ofVersion = apiVersion,
    kind: ofKind = kind,
    metadata,
    ...rest
  } = deepCopy<UnstructuredInput>(object)
  if (ofVersion !== apiVersion || ofKind !== kind) {
    throw newBadRequest(
      `the object is a ${goQuote(ofKind)} of ${goQuote(ofVersion)}, where ${info.resource} of ${goQuote(apiVersion)} are of the kind ${goQuote(kind)}`,
    )
  }
  const typed = { apiVersion, kind, metadata: { ...metadata }, ...rest } as Unstructured
  const own = typed.metadata.namespace ?? ''
  if (own === '' && namespace !== '') typed.metadata.namespace = namespace
  else if (own !== namespace) {
    throw newBadRequest(
      `request namespace does not match object namespace, request: ${goQuote(namespace)} object: ${goQuote(own)}`,
    )
  }
  if (info.namespaced && namespace === '') {
    throw newBadRequest('an empty namespace may not be set during creation')
  }
  withoutEmpty(info, typed)
  return typed
}

/** What a request to create makes of the object; changes and returns it. @throws ApiError isInvalid, isBadRequest */
export function prepareCreate(info: ResourceInfo, object: Unstructured, identity: Identity): Unstructured {
  const { metadata } = object
  if (metadata.resourceVersion) throw newBadRequest('resourceVersion should not be set on objects to be created')
  identify(info, object, identity, { keep: false })
  delete metadata.deletionTimestamp
  delete metadata.deletionGracePeriodSeconds
  if ('status' in info.subresources) delete object['status']
  fillIn(info, object)
  const phase = info.builtIn ? initialPhase(info) : undefined
  if (phase !== undefined) object['status'] = { phase }
  return object
}

/** Metadata of an object that a test puts there: what it does not say. */
export function prepareAdd(info: ResourceInfo, object: Unstructured, identity: Identity): Unstructured {
  identify(info, object, identity, { keep: true })
  fillIn(info, object)
  return object
}

function identify(
  info: ResourceInfo,
  { metadata }: Unstructured,
  identity: Identity,
  { keep }: { keep: boolean },
): void {
  if (!metadata.name && metadata.generateName)
    metadata.name = identity.nameGenerator.generateName(metadata.generateName)
  if (!metadata.name) {
    const message = 'Required value: name or generateName is required'
    throw newInvalid(info, '', [{ field: 'metadata.name', reason: 'FieldValueRequired', message }])
  }
  if (!keep || !metadata.uid) metadata.uid = identity.newUID()
  if (!keep || !metadata.creationTimestamp) metadata.creationTimestamp = formatTime(identity.clock.now())
  if (info.builtIn ? hasGeneration(info) : true) {
    if (!keep || metadata.generation === undefined) metadata.generation = 1
  } else if (!keep) delete metadata.generation
}

/** How an object is written over another. */
export interface UpdateRules {
  /** `''`: the object itself, without its status. Undefined: all of it. */
  readonly subresource: string | undefined
  /** Whether the version that the object was read at may be left out. */
  readonly unconditional: boolean
}

/**
 * What a request to update makes of the live object and the one that was sent, which is changed and returned.
 *
 * @throws ApiError isConflict when the live object is another, or a newer, than was read; isInvalid
 */
export function prepareUpdate(
  info: ResourceInfo,
  live: Unstructured,
  object: Unstructured,
  { subresource, unconditional }: UpdateRules,
): Unstructured {
  checkVersion(info, live, object, unconditional)
  checkUID(info, live, object)
  const written = subresource === undefined || subresource === '' ? object : partWritten(live, object, subresource)
  keepMetadata(live, written)
  if (subresource === '' && 'status' in info.subresources) {
    if (live['status'] === undefined) delete written['status']
    else written['status'] = deepCopy(live['status'] as object)
  }
  fillIn(info, written)
  checkFinalizers(info, live, written)
  if (live.metadata.generation !== undefined && isNewGeneration(live, written)) {
    written.metadata.generation = live.metadata.generation
    // Not by adding 1: it may be a bigint.
    written.metadata.generation++
  }
  return written
}

function checkVersion(
  info: ResourceInfo,
  live: Unstructured,
  { metadata }: Unstructured,
  unconditional: boolean,
): void {
  // Who writes need not give it.
  const resourceVersion = (metadata.resourceVersion as string | undefined) ?? ''
  if (resourceVersion === live.metadata.resourceVersion || (resourceVersion === '' && unconditional)) return
  if (resourceVersion !== '' && resourceVersion !== '0') throw newConflict(info, live.metadata.name, staleObject)
  if (unconditional) return
  const message = 'Invalid value: 0: must be specified for an update'
  // The server names the resource here.
  throw newInvalid({ group: info.group, kind: info.resource }, live.metadata.name, [
    { field: 'metadata.resourceVersion', reason: 'FieldValueInvalid', message },
  ])
}

function checkUID(info: ResourceInfo, live: Unstructured, { metadata }: Unstructured): void {
  if (!metadata.uid || metadata.uid === live.metadata.uid) return
  // As the store has it, of which everybody sees the key.
  const key = `/registry/${info.builtIn ? '' : `${info.group}/`}${info.resource}/${[live.metadata.namespace, live.metadata.name].filter(Boolean).join('/')}`
  const problem = `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${live.metadata.uid}`
  const reason = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${problem}`
  throw newConflict(info, live.metadata.name, reason)
}

/** The live object, with what the subresource writes. */
function partWritten(live: Unstructured, object: Unstructured, subresource: string): Unstructured {
  const part = Object.hasOwn(writtenParts, subresource) ? writtenParts[subresource] : undefined
  const written = deepCopy<Unstructured>(live)
  const { managedFields } = object.metadata
  if (managedFields) written.metadata.managedFields = managedFields
  if (part === undefined) return written
  if (object[part] === undefined) delete written[part]
  else written[part] = object[part]
  return written
}

/** What of an object's metadata is the server's. */
function keepMetadata({ metadata: live }: Unstructured, { metadata }: Unstructured): void {
  const kept = {
    uid: live.uid,
    creationTimestamp: live.creationTimestamp,
    resourceVersion: live.resourceVersion,
    generateName: metadata.generateName ?? live.generateName,
    generation: live.generation,
    deletionTimestamp: live.deletionTimestamp,
    deletionGracePeriodSeconds: live.deletionGracePeriodSeconds,
  }
  for (const [key, value] of Object.entries(kept)) {
    if (value === undefined) delete (metadata as unknown as Record<string, unknown>)[key]
    else (metadata as unknown as Record<string, unknown>)[key] = value
  }
}

function checkFinalizers(info: ResourceInfo, live: Unstructured, { metadata }: Unstructured): void {
  if (live.metadata.deletionTimestamp === undefined) return
  const added = (metadata.finalizers ?? []).filter((finalizer) => !live.metadata.finalizers?.includes(finalizer))
  if (added.length === 0) return
  const list = `[]string{${added.map((finalizer) => goQuote(finalizer)).join(', ')}}`
  const message = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers ${list}`
  throw newInvalid(info, metadata.name, [{ field: 'metadata.finalizers', reason: 'FieldValueForbidden', message }])
}

function isNewGeneration(live: Unstructured, object: Unstructured): boolean {
  const { metadata: _, status: __, ...before } = live
  const { metadata: ___, status: ____, ...after } = object
  return !equalSemantic(before, after)
}

/** Whether two objects are the same but for the times in their managed fields: the server then stores nothing. */
export function isUnchanged(live: Unstructured, object: Unstructured): boolean {
  return equalSemantic(withoutTimes(live), withoutTimes(object))
}

function withoutTimes({ metadata, ...rest }: Unstructured): object {
  const managedFields = metadata.managedFields?.map((entry) => ({ ...entry, time: undefined }))
  return { ...rest, metadata: { ...metadata, managedFields } }
}
