// Who owns which field: field managers of the resources that are written.

import type { Clock } from '../clock/index.js'
import { excludeFields, FieldManager, FieldSet, makePath } from '../managedfields/index.js'
import { emptyObjectOf } from './always-sent.js'
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

  /** `subresource` is undefined where the whole object is written at once, status and all. */
  of(info: ResourceInfo, subresource: string | undefined): FieldManager {
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

/** Apply leaves null where all of a map or list went; the API's objects have nothing there. */
function withoutNulls<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutNulls) as T
  const kept = Object.entries(value).filter(([, part]) => part !== null)
  return Object.fromEntries(kept.map(([key, part]) => [key, withoutNulls(part as unknown)])) as T
}
