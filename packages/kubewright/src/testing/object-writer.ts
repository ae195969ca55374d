// Writes as an API server makes them: rules, field managers and the store, one after the other.

import type { Clock } from '../clock/index.js'
import { deepCopy, isObject, type Patch, type Unstructured, type UnstructuredInput } from '../meta/index.js'
import { newAlreadyExists, newBadRequest, newConflict, newInvalid, newNotFound } from './api-errors.js'
import { applyPatchType, patchedObject } from './apply-patch.js'
import { FieldManagers } from './field-managers.js'
import type { ObjectStore } from './object-store.js'
import type { ResourceInfo } from './resources.js'
import { patchedScale, scaleOf, withScale } from './scale-subresource.js'
import type { TrackerApplyOptions, TrackerWriteOptions } from './tracked.js'
import { type Identity, prepareAdd, prepareCreate, prepareUpdate, received, staleObject } from './write-rules.js'

/** What the methods throw, and when, is said of those of the tracker. */
export class ObjectWriter {
  readonly #store: ObjectStore
  readonly #identity: Identity
  readonly #clock: Clock
  readonly #managers: FieldManagers

  constructor(store: ObjectStore, identity: Identity) {
    this.#store = store
    this.#identity = identity
    this.#clock = identity.clock
    this.#managers = new FieldManagers(identity.clock)
  }

  /** Puts an object there as it is, under its own version where that is newer. */
  add(info: ResourceInfo, object: UnstructuredInput): void {
    const { namespace = '', resourceVersion = '' } = object.metadata ?? {}
    const prepared = prepareAdd(info, received(info, object, namespace), this.#identity)
    this.#mustBeNew(info, namespace, prepared)
    const version = /^[1-9][0-9]{0,14}$/.test(resourceVersion) ? Number(resourceVersion) : 0
    this.#store.add(info, prepared, { version })
  }

  create(info: ResourceInfo, object: UnstructuredInput, namespace: string, opts: TrackerWriteOptions): Unstructured {
    const prepared = this.#prepareNew(info, received(info, object, namespace), opts)
    this.#mustBeNew(info, namespace, prepared)
    return this.#store.add(info, this.#managers.update(info, undefined, prepared, opts), opts)
  }

  update(info: ResourceInfo, object: UnstructuredInput, namespace: string, opts: TrackerWriteOptions): Unstructured {
    if (opts.subresource === 'scale') return this.#updateScale(info, object as Unstructured, namespace, opts)
    const given = received(info, object, namespace)
    return this.#update(info, this.#store.live(info, namespace, given.metadata.name), given, opts)
  }

  patch(info: ResourceInfo, namespace: string, name: string, patch: Patch, opts: TrackerApplyOptions): Unstructured {
    if (patch.contentType === applyPatchType) return this.apply(info, namespace, name, patch.body, opts)
    const live = this.#store.live(info, namespace, name)
    if (opts.subresource === 'scale') {
      return this.#updateScale(info, patchedObject(patchedScale(info), scaleOf(info, live), patch), namespace, opts)
    }
    const patched = patchedObject(info, live, patch)
    checkName(patched.metadata?.name, name)
    return this.#update(info, live, received(info, patched, namespace), opts)
  }

  apply(info: ResourceInfo, namespace: string, name: string, config: unknown, opts: TrackerApplyOptions): Unstructured {
    const { subresource, force = false, fieldManager } = opts
    if (!fieldManager) {
      const message = 'Required value: is required for apply patch'
      const options = { group: 'meta.k8s.io', kind: 'PatchOptions' }
      throw newInvalid(options, '', [{ field: 'fieldManager', reason: 'FieldValueRequired', message }])
    }
    const given = configOf(config, namespace, name)
    const live = this.#store.of(info).get(namespace, name)
    if (!live && subresource) throw newNotFound(info, name)
    if (live && subresource === 'scale') {
      const how = { fieldManager, clock: this.#clock, apply: { force } }
      return this.#storeScale(info, live, withScale(info, live, given, how), opts)
    }
    checkApplied(info, live, given)
    const whole = received(info, this.#managers.apply(info, live, given, opts), namespace)
    if (live) {
      return this.#store.replace(
        info,
        live,
        prepareUpdate(info, live, whole, { subresource, unconditional: true }),
        opts,
      )
    }
    delete (whole.metadata as { resourceVersion?: string }).resourceVersion
    return this.#store.add(info, this.#prepareNew(info, whole, opts), opts)
  }

  #prepareNew(info: ResourceInfo, object: Unstructured, { subresource }: TrackerWriteOptions): Unstructured {
    return subresource === undefined
      ? prepareAdd(info, object, this.#identity)
      : prepareCreate(info, object, this.#identity)
  }

  #mustBeNew(info: ResourceInfo, namespace: string, { metadata: { name } }: Unstructured): void {
    if (this.#store.of(info).get(namespace, name)) throw newAlreadyExists(info, name)
  }

  #update(info: ResourceInfo, live: Unstructured, given: Unstructured, opts: TrackerWriteOptions): Unstructured {
    const { subresource } = opts
    // What is known of a custom resource says that its updates name a version.
    const unconditional = subresource === undefined || info.builtIn || Boolean(info.anySubresource)
    if (subresource === undefined) delete (given.metadata as { resourceVersion?: string }).resourceVersion
    const prepared = prepareUpdate(info, live, given, { subresource, unconditional })
    return this.#store.replace(info, live, this.#managers.update(info, live, prepared, opts), opts)
  }

  #updateScale(info: ResourceInfo, scale: Unstructured, namespace: string, opts: TrackerWriteOptions): Unstructured {
    const live = this.#store.live(info, namespace, scale.metadata?.name ?? '')
    const { resourceVersion } = scale.metadata
    if (resourceVersion && resourceVersion !== live.metadata.resourceVersion) {
      throw newConflict(info, live.metadata.name, staleObject)
    }
    const how = { fieldManager: opts.fieldManager ?? '', clock: this.#clock }
    return this.#storeScale(info, live, withScale(info, live, scale, how), opts)
  }

  #storeScale(info: ResourceInfo, live: Unstructured, object: Unstructured, opts: TrackerWriteOptions): Unstructured {
    const written = prepareUpdate(info, live, object, { subresource: undefined, unconditional: true })
    return scaleOf(info, this.#store.replace(info, live, written, opts))
  }
}

function configOf(config: unknown, namespace: string, name: string): Unstructured {
  if (!isObject(config)) throw newBadRequest('what is applied is no object')
  const given = deepCopy<Unstructured>(config as Unstructured)
  const metadata = { ...given.metadata, name: given.metadata?.name ?? name }
  checkName(metadata.name, name)
  if (metadata.namespace && metadata.namespace !== namespace) {
    throw newBadRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  return { ...given, metadata }
}

function checkName(ofObject = '', inURL: string): void {
  if (ofObject === inURL) return
  throw newBadRequest(`the name of the object (${ofObject}) does not match the name on the URL (${inURL})`)
}

/** A configuration may say which object, and at which version, it is for. */
function checkApplied(info: ResourceInfo, live: Unstructured | undefined, { metadata }: Unstructured): void {
  if (!live && metadata.uid) {
    const reason = `uid mismatch: the provided object specified uid ${metadata.uid}, and no existing object was found`
    throw newConflict(info, metadata.name, reason)
  }
  if (live && metadata.resourceVersion && metadata.resourceVersion !== live.metadata.resourceVersion) {
    throw newConflict(info, metadata.name, staleObject)
  }
}
