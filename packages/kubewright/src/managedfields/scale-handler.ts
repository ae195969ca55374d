// The managed fields of a scale subresource: those of its object, seen through the number of replicas.

import type { ManagedFieldsEntry } from '../gen/api/meta/v1.js'
import { FieldSet } from './field-set.js'
import { decodeManaged, emptyManaged, encodeManaged, type Managed } from './managers.js'
import { makePath, type Path } from './path-element.js'

const scaleApiVersion = 'autoscaling/v1'
const replicasOfScale = FieldSet.of(makePath('spec', 'replicas'))

/**
 * Where an object has its number of replicas, by its apiVersion; null for a version that has none. Versions that are
 * not named do not exist.
 */
export type ReplicasPaths = Readonly<Record<string, Path | null>>

/**
 * Translates managed fields between an object and its scale subresource, as the API server does when a Scale is read,
 * updated or applied: managedfields.ScaleHandler.
 *
 * @example
 * ```ts
 * const handler = new ScaleHandler(deploy.metadata.managedFields, 'apps/v1', { 'apps/v1': makePath('spec', 'replicas') })
 * scale.metadata.managedFields = handler.toSubresource()
 * // … the field manager of the scale subresource updates or applies scale …
 * deploy.metadata.managedFields = handler.toParent(scale.metadata.managedFields)
 * ```
 */
export class ScaleHandler {
  readonly #entries: readonly ManagedFieldsEntry[] | undefined
  readonly #apiVersion: string
  readonly #paths: ReplicasPaths

  /** `entries` are the object's, `apiVersion` the version in which it is written. */
  constructor(entries: readonly ManagedFieldsEntry[] | undefined, apiVersion: string, paths: ReplicasPaths) {
    this.#entries = entries
    this.#apiVersion = apiVersion
    this.#paths = paths
  }

  /** Undefined where the version does not exist, null where it has no replicas. */
  #path(apiVersion: string): Path | null | undefined {
    return Object.hasOwn(this.#paths, apiVersion) ? this.#paths[apiVersion] : undefined
  }

  /**
   * The entries of the Scale: who owns the replicas. Undefined when nobody does.
   *
   * @throws Error for entries that cannot be read
   */
  toSubresource(): ManagedFieldsEntry[] | undefined {
    const { fields, times } = decodeManaged(this.#entries)
    const managed = emptyManaged()
    for (const [manager, { set, apiVersion, applied }] of fields) {
      const path = this.#path(apiVersion)
      if (!path || !set.has(path)) continue
      managed.fields.set(manager, { set: replicasOfScale, apiVersion: scaleApiVersion, applied })
      managed.times.set(manager, times.get(manager))
    }
    return encodeManaged(managed)
  }

  /**
   * The object's entries after its Scale was written, which has `scaleEntries` now. Undefined when nobody owns anything.
   *
   * @throws Error for entries that cannot be read
   */
  toParent(scaleEntries: readonly ManagedFieldsEntry[] | undefined): ManagedFieldsEntry[] | undefined {
    const parent = decodeManaged(this.#entries)
    const scale = decodeManaged(scaleEntries)
    const managed = emptyManaged()
    for (const [manager, versioned] of parent.fields) {
      const path = this.#path(versioned.apiVersion)
      if (path === undefined) continue
      let { set } = versioned
      // Who owns the replicas no longer lost them to somebody through the Scale.
      if (path && set.has(path) && !scale.fields.delete(manager)) set = set.difference(FieldSet.of(path))
      if (set.empty && !versioned.set.empty) continue
      managed.fields.set(manager, { ...versioned, set })
      managed.times.set(manager, parent.times.get(manager))
    }
    this.#addOwnersOfScale(managed, scale, parent)
    return encodeManaged(managed)
  }

  #addOwnersOfScale(managed: Managed, scale: Managed, parent: Managed): void {
    const path = this.#path(this.#apiVersion)
    for (const [manager, { set, applied }] of scale.fields) {
      if (set.intersection(replicasOfScale).empty) continue
      managed.fields.set(manager, { set: FieldSet.of(path ?? []), apiVersion: this.#apiVersion, applied })
      managed.times.set(manager, parent.times.get(manager))
    }
  }
}
