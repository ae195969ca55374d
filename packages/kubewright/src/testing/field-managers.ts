// Who owns which field: field managers of the resources that are written.

import type { Clock } from '../clock/index.js'
import { excludeFields, FieldManager, FieldSet, makePath } from '../managedfields/index.js'
import type { ObjectMeta, Unstructured } from '../meta/index.js'
import { emptyObjectOf, withNulls } from './always-sent.js'
import type { ResourceInfo } from './resources.js'

const statusOnly = excludeFields(FieldSet.of(makePath('status')))
const allButStatus = excludeFields(FieldSet.of(makePath('spec'), makePath('metadata')))

/** Makes field managers, one for a resource and subresource. */
export class FieldManagers {
  readonly #clock: Clock
  readonly #made = new Map<string, { info: ResourceInfo; manager: FieldManager }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Has the object, which is changed and returned, say who owns what after this write of it. `live` is undefined where it
   * is new, `subresource` where the whole object is written at once, status and all.
   */
  update(
    info: ResourceInfo,
    live: Unstructured | undefined,
    object: Unstructured,
    { subresource, fieldManager = '' }: Writer,
  ): Unstructured {
    const before = live && unidentified(withNulls(info, live))
    const { metadata } = this.#of(info, subresource).updateNoErrors<Unstructured>(
      before,
      withNulls(info, object),
      fieldManager,
    )
    return withManagedFields(object, metadata.managedFields)
  }

  /** What applying a configuration makes of the live object. @throws ApiError isConflict, isBadRequest */
  apply(
    info: ResourceInfo,
    live: Unstructured | undefined,
    config: Unstructured,
    { subresource, fieldManager = '', force }: Writer,
  ): Unstructured {
    const before = live && withNulls(info, live)
    return this.#of(info, subresource).apply<Unstructured>(before, config, fieldManager, { force: force ?? false })
  }

  #of(info: ResourceInfo, subresource: string | undefined): FieldManager {
    const { apiVersion, kind, schema = { type: 'untyped' } } = info
    const key = `${apiVersion}/${kind}/${subresource}`
    const known = this.#made.get(key)
    // A CustomResourceDefinition may have been changed since.
    if (known?.info === info) return known.manager
    const separated = subresource !== undefined && 'status' in info.subresources
    const manager = new FieldManager({
      apiVersion,
      kind,
      schema,
      clock: this.#clock,
      defaulter: withoutNulls,
      ...(subresource && { subresource }),
      ...(separated && { resetFields: { [apiVersion]: subresource === 'status' ? allButStatus : statusOnly } }),
      ...(info.builtIn && { emptyObject: emptyObjectOf(info) }),
    })
    this.#made.set(key, { info, manager })
    return manager
  }
}

/** Who writes, and as which endpoint. */
export interface Writer {
  readonly subresource?: string | undefined
  readonly fieldManager?: string | undefined
  readonly force?: boolean | undefined
}

/** Changes of objects that a test added are owned like any other's, though these have no managed fields yet. */
function unidentified(live: Unstructured): Unstructured {
  if (!live.metadata.managedFields?.length) delete (live.metadata as { uid?: string }).uid
  return live
}

function withManagedFields(object: Unstructured, managedFields: ObjectMeta['managedFields']): Unstructured {
  if (managedFields?.length) object.metadata.managedFields = managedFields
  else delete object.metadata.managedFields
  return object
}

/** Apply leaves null where all of a map or list went; the API's objects have nothing there. */
function withoutNulls<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutNulls) as T
  const kept = Object.entries(value).filter(([, part]) => part !== null)
  return Object.fromEntries(kept.map(([key, part]) => [key, withoutNulls(part as unknown)])) as T
}
