// The field manager: what the API server does with an object's managedFields on create, update, patch and apply.

import { type Clock, realClock } from '../clock/index.js'
import { type DeepReadonly, deepCopy, formatTime, isObject, ownMember, type Schema } from '../meta/index.js'
import { capUpdateManagers } from './cap-managers.js'
import { apiError, badRequest, Conflicts } from './conflicts.js'
import type { FieldFilter } from './filter.js'
import { lastApplied, ownedByLastApplied, withLastApplied } from './last-applied.js'
import { managedPartOf } from './managed-part.js'
import {
  decodeLive,
  decodeManaged,
  decodeOrEmpty,
  emptyManaged,
  entriesOf,
  isReset,
  type Managed,
  type Managers,
  managerIdentifier,
  withManaged,
  withoutManagedFields,
} from './managers.js'
import { describeObject, groupVersionKind, textOf } from './object-text.js'
import { type TypedOptions, TypedValue } from './typed-value.js'
import { Updater } from './updater.js'
import type { JsonObject } from './values.js'

/** An object and the schema of its kind and version. */
export interface VersionedObject {
  readonly object: object
  readonly schema: Schema
}

/** What a {@link FieldManager} is made for, and with. */
export interface FieldManagerOptions {
  /** The version that requests are made in: `apps/v1`. */
  readonly apiVersion: string
  readonly kind: string
  /** The kind's schema in that version; `{ type: 'untyped' }` for a kind of which nothing is known. */
  readonly schema: Schema
  /** The subresource that is written through, such as `status`. None by default. */
  readonly subresource?: string
  /**
   * By version, what can be owned by writing here at all: the API server takes back what does not belong to an
   * endpoint, `status` say, and nobody shall own it for that. Everything by default.
   */
  readonly resetFields?: Readonly<Record<string, FieldFilter>>
  /**
   * Converts an object to another version that is named in managedFields; undefined for one that does not exist. By
   * default none exists, and entries in other versions are dropped, as the API server drops those it no longer knows.
   */
  readonly converter?: (object: object, apiVersion: string) => VersionedObject | undefined
  /**
   * Called with what an apply made, gives the object with its defaults: where the API server fills in what is missing
   * and drops the nulls that {@link FieldManager.apply} leaves where all of a map or list is removed.
   */
  readonly defaulter?: (object: object) => object
  /**
   * What an object of the kind is before it has anything: fields that the API always sends, as `{ spec: {} }`. They
   * are not owned by who creates an object. Only `apiVersion` and `kind` by default.
   */
  readonly emptyObject?: object
  /** Dates the entries. {@link realClock} by default. */
  readonly clock?: Clock
}

/** Options of {@link FieldManager.apply}. */
export interface FieldManagerApplyOptions {
  /** Takes fields from others instead of failing. Off by default. */
  readonly force?: boolean
  /** What errors say was asked for. The kind and name by default. */
  readonly url?: string
}

/**
 * Maintains `metadata.managedFields`: apimachinery's managedfields.FieldManager, one for a kind, version and
 * subresource.
 *
 * Objects are what the server holds: decoded, with defaults, in the field manager's version (others are converted
 * where there is a converter).
 *
 * **Guarantees**: objects that are passed are not changed, and results share nothing with them.
 *
 * @example
 * ```ts
 * const fields = new FieldManager({ apiVersion: 'apps/v1', kind: 'Deployment', schema: DeploymentSchema, clock })
 * const created = fields.update(undefined, deployment, 'kubectl-create')
 * const applied = fields.apply(created, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' },
 *   spec: { replicas: 3 } }, 'autoscaler')                  // throws: kubectl-create owns .spec.replicas
 * ```
 */
export class FieldManager {
  readonly #options: FieldManagerOptions
  readonly #clock: Clock
  readonly #updater: Updater

  constructor(options: FieldManagerOptions) {
    this.#options = options
    this.#clock = options.clock ?? realClock
    this.#updater = new Updater(
      { convert: (value, apiVersion) => this.#convert(value, apiVersion) },
      options.resetFields,
    )
  }

  /**
   * The object with managedFields that say what `manager` changed by a create, update or patch: `live` is the object
   * before (undefined for a create), `object` after it.
   *
   * `object`'s own managedFields count where they are valid, so that they can be edited; `[]` or `[{}]` forgets all.
   * Through a subresource `live`'s count. An empty manager is called `unknown`.
   *
   * @throws Error for objects that are not what the schema says
   */
  update<T extends object>(live: object | undefined, object: DeepReadonly<T>, manager: string): T {
    const before = (live ?? this.#empty()) as JsonObject
    const managed = this.#decodeLiveOrNew(before, object)
    const after = withoutManagedFields(object)
    const next = this.#skips(before, managed) ? managed : this.#update(before, after, managed, manager)
    return withManaged<T>(after, next)
  }

  /**
   * As {@link update}, but for an object that is not what the schema says: that comes back without managedFields,
   * as the API server stores it.
   */
  updateNoErrors<T extends object>(live: object | undefined, object: DeepReadonly<T>, manager: string): T {
    try {
      return this.update(live, object, manager)
    } catch {
      return withManaged<T>(withoutManagedFields(object), emptyManaged())
    }
  }

  /**
   * The object that server-side apply makes of `live` (undefined where there is none yet) and `config`, which holds
   * all that `manager` wants: merged, without what it wanted before and nobody else owns, with new managedFields.
   *
   * @throws ApiError: {@link isConflict} (see {@link conflictsOf}) when others own what would change and `force` is
   *   not set; {@link isBadRequest} for a configuration of another kind or version, or with managedFields
   * @throws Error for objects that are not what the schema says
   */
  apply<T extends object>(
    live: DeepReadonly<T> | undefined,
    config: object,
    manager: string,
    { force = false, url }: FieldManagerApplyOptions = {},
  ): T {
    const before = (live ?? this.#empty()) as JsonObject
    const applied = config as JsonObject
    const target = url ?? this.#describeObject(applied)
    this.#checkConfig(applied, target)
    const managed = decodeLive(before)
    try {
      const { object, managed: next } = this.#applyAsKubectl(before, applied, managed, manager, force)
      const isKubectls = manager === 'kubectl' && lastApplied(object) !== undefined
      return withManaged<T>(isKubectls ? withLastApplied(object, applied) : object, next)
    } catch (err) {
      if (err instanceof Conflicts) throw apiError(err.toStatus(), target)
      throw err
    }
  }

  #empty(): object {
    const { apiVersion, kind, emptyObject } = this.#options
    return { apiVersion, kind, ...emptyObject }
  }

  #checkConfig(config: JsonObject, url: string): void {
    const { apiVersion, kind } = this.#options
    if (ownMember(config, 'apiVersion') !== apiVersion || ownMember(config, 'kind') !== kind)
      throw badRequest(`invalid object type: ${groupVersionKind(config)}`, url)
    if (entriesOf(config)) throw badRequest('metadata.managedFields must be nil', url)
  }

  /** The managedFields of the object if they say anything, so that they can be edited; else those of the live one. */
  #decodeLiveOrNew(live: JsonObject, object: JsonObject): Managed {
    if (this.#options.subresource) return decodeOrEmpty(live)
    const entries = entriesOf(object)
    if (isReset(entries)) return emptyManaged()
    try {
      const managed = decodeManaged(entries)
      if (managed.fields.size > 0) return managed
    } catch {
      // The server takes no garbage over what it has.
    }
    return decodeOrEmpty(live)
  }

  /** Objects that were stored before fields were managed stay so until the first apply. */
  #skips(live: JsonObject, managed: Managed): boolean {
    return managed.fields.size === 0 && textOf(ownMember(live, 'metadata'), 'uid') !== ''
  }

  #update(live: JsonObject, object: JsonObject, managed: Managed, manager: string): Managed {
    const { apiVersion, subresource } = this.#options
    const identifier = managerIdentifier({
      manager: manager || 'unknown',
      operation: 'Update',
      apiVersion,
      ...(subresource && { subresource }),
    })
    const fields = this.#updateFields(live, object, managed.fields)
    const changed = fields.get(currentOperation)
    fields.delete(currentOperation)
    const mine = changed && managedPartOf(changed.set)
    if (changed && mine && !mine.empty) {
      const previous = fields.get(identifier)
      fields.set(identifier, { ...changed, set: previous ? mine.union(previous.set) : mine })
      managed.times.set(identifier, formatTime(this.#clock.now()))
    }
    const next = { fields, times: managed.times }
    capUpdateManagers(next)
    return next
  }

  #updateFields(live: JsonObject, object: JsonObject, fields: Managers): Managers {
    const duplicates = { allowDuplicates: true }
    const next = this.#typed('failed to convert new object', 'to smd typed', this.#versioned(object), duplicates)
    const before = this.#typed('failed to convert live object', 'to smd typed', this.#versioned(live), duplicates)
    try {
      return this.#updater.update(before, next, this.#options.apiVersion, fields, currentOperation)
    } catch (err) {
      throw new Error(`failed to update ManagedFields (${describeObject(object)}): ${(err as Error).message}`, {
        cause: err,
      })
    }
  }

  /** kubectl may take what its annotation of client-side apply says is its own. */
  #applyAsKubectl(live: JsonObject, config: JsonObject, managed: Managed, manager: string, force: boolean): Applied {
    try {
      return this.#apply(live, config, managed, manager, force)
    } catch (err) {
      if (!(err instanceof Conflicts) || manager !== 'kubectl') throw err
      const { schema, apiVersion, kind } = this.#options
      const allowed = ownedByLastApplied(this.#versioned(live), schema, apiVersion, kind)
      if (!allowed) throw err
      if (!err.toSet().difference(allowed).empty) throw new Conflicts(err.list.filter(({ path }) => !allowed.has(path)))
      return this.#apply(live, config, managed, manager, true)
    }
  }

  #apply(live: JsonObject, config: JsonObject, managed: Managed, manager: string, force: boolean): Applied {
    const { apiVersion, subresource, defaulter } = this.#options
    const current = managed.fields.size > 0 ? managed : this.#beforeFirstApply(live, managed)
    const identifier = managerIdentifier({
      manager: manager || 'unknown',
      operation: 'Apply',
      apiVersion,
      ...(subresource && { subresource }),
    })
    const typedConfig = this.#typed('failed to create typed patch object', '', config)
    const typedLive = this.#typed('failed to create typed live object', '', this.#versioned(live), {
      allowDuplicates: true,
    })
    const { object, managers } = this.#updater.apply(
      typedLive,
      typedConfig,
      apiVersion,
      current.fields,
      identifier,
      force,
    )
    const mine = managers.get(identifier)
    const part = mine && managedPartOf(mine.set)
    if (mine && part && !part.empty) managers.set(identifier, { ...mine, set: part })
    else managers.delete(identifier)
    const next = { fields: managers, times: current.times }
    if (!object) return { object: withoutManagedFields(live), managed: next }
    if (!isObject(object.value))
      throw new Error(`failed to convert new typed object (${describeObject(config)}) to object: nothing is left of it`)
    next.times.set(identifier, formatTime(this.#clock.now()))
    return { object: (defaulter ? defaulter(deepCopy(object.value)) : object.value) as JsonObject, managed: next }
  }

  /** What is there before anybody applied is one manager's. */
  #beforeFirstApply(live: JsonObject, managed: Managed): Managed {
    try {
      return this.#update(this.#empty() as JsonObject, live, managed, 'before-first-apply')
    } catch (err) {
      throw new Error(`failed to create manager for existing fields: ${(err as Error).message}`, { cause: err })
    }
  }

  /** The object in the field manager's version. */
  #versioned(object: JsonObject): JsonObject {
    const { apiVersion, converter } = this.#options
    const its = ownMember(object, 'apiVersion')
    if (its === undefined || its === '' || its === apiVersion) return object
    const converted = converter?.(object, apiVersion)
    if (!converted)
      throw new Error(
        `failed to convert object (${describeObject(object)}) to proper version: there is no conversion to ${apiVersion}`,
      )
    return converted.object as JsonObject
  }

  #typed(what: string, toWhat: string, object: JsonObject, options?: TypedOptions): TypedValue {
    try {
      return TypedValue.of(object, this.#options.schema, options)
    } catch (err) {
      throw new Error(`${what} (${describeObject(object)})${toWhat && ` ${toWhat}`}: ${(err as Error).message}`, {
        cause: err,
      })
    }
  }

  #convert(value: TypedValue, apiVersion: string): TypedValue | undefined {
    const object = isObject(value.value) ? value.value : {}
    if ((ownMember(object, 'apiVersion') || this.#options.apiVersion) === apiVersion) return value
    // Back home the schema is known.
    const converted = this.#options.converter?.(object, apiVersion)
    if (!converted) return undefined
    return TypedValue.of(
      converted.object,
      apiVersion === this.#options.apiVersion ? this.#options.schema : converted.schema,
    )
  }

  #describeObject(object: JsonObject): string {
    const { apiVersion, kind } = this.#options
    const metadata = ownMember(object, 'metadata')
    const name = [textOf(metadata, 'namespace'), textOf(metadata, 'name')].filter(Boolean).join('/')
    return `${apiVersion} ${kind} ${name}`.trim()
  }
}

interface Applied {
  readonly object: JsonObject
  readonly managed: Managed
}

/** Stands for the manager of an update while it is computed, so that what it owned before is told from what it changes. */
const currentOperation = 'current-operation'
