// Who owns what, decoded: metadata.managedFields as sets by manager, and back.

import type { ManagedFieldsEntry } from '../gen/api/meta/v1.js'
import {
  compareText,
  type DeepReadonly,
  deepCopy,
  formatTime,
  goQuote,
  isObject,
  ownMember,
  parseTime,
} from '../meta/index.js'
import { FieldSet } from './field-set.js'
import { jsonText } from './go-json.js'
import { isList, type JsonObject } from './values.js'

/** What a manager owns, in the field names of a version. */
export interface VersionedSet {
  readonly set: FieldSet
  readonly apiVersion: string
  /** By apply; otherwise by update. */
  readonly applied: boolean
}

/** By the manager's identifier, see {@link managerIdentifier}. */
export type Managers = Map<string, VersionedSet>

/** {@link Managers}, and when each changed something last. */
export interface Managed {
  fields: Managers
  readonly times: Map<string, string | undefined>
}

export const emptyManaged = (): Managed => ({ fields: new Map(), times: new Map() })

/** What tells a manager from others: name, operation, version (of updates) and subresource, as JSON. */
export function managerIdentifier({ manager, operation, apiVersion, subresource }: ManagedFieldsEntry): string {
  const parts = { manager, operation, apiVersion: operation === 'Apply' ? '' : apiVersion, subresource }
  const entries = Object.entries(parts).filter(([, value]) => value)
  return `{${entries.map(([name, value]) => `${jsonText(name)}:${jsonText(value as string)}`).join(',')}}`
}

/** The entries of an object; undefined where it has no list of them. */
export function entriesOf(object: unknown): readonly ManagedFieldsEntry[] | undefined {
  const metadata = isObject(object) ? ownMember(object, 'metadata') : undefined
  const entries = isObject(metadata) ? ownMember(metadata, 'managedFields') : undefined
  return isList(entries) && entries.every(isObject) ? entries : undefined
}

/** Whether an entry is of this manager and operation, through this subresource; `''` is the object itself. */
export function isEntryOf(
  entry: DeepReadonly<ManagedFieldsEntry>,
  manager: string,
  operation: 'Apply' | 'Update',
  subresource: string,
): boolean {
  return entry.manager === manager && entry.operation === operation && (entry.subresource ?? '') === subresource
}

/** @throws Error for an entry that says nothing of who owns what */
export function decodeManaged(entries: readonly ManagedFieldsEntry[] | undefined): Managed {
  const managed = emptyManaged()
  for (const [i, entry] of (entries ?? []).entries()) {
    if (entry.operation !== 'Apply' && entry.operation !== 'Update')
      throw new Error('operation must be `Apply` or `Update`')
    if (!entry.apiVersion) throw new Error('apiVersion must not be empty')
    if (!entry.fieldsType) throw new Error(`missing fieldsType in managed fields entry ${i}`)
    if (entry.fieldsType !== 'FieldsV1')
      throw new Error(`invalid fieldsType ${goQuote(entry.fieldsType)} in managed fields entry ${i}`)
    const manager = managerIdentifier(entry)
    managed.fields.set(manager, {
      set: decodeSet(entry),
      apiVersion: entry.apiVersion,
      applied: entry.operation === 'Apply',
    })
    managed.times.set(manager, entry.time)
  }
  return managed
}

/** Who owns what of an object. @throws Error for entries that cannot be read */
export function decodeLive(live: JsonObject): Managed {
  try {
    return decodeManaged(entriesOf(live))
  } catch (err) {
    throw new Error(`failed to decode managed fields: ${(err as Error).message}`, { cause: err })
  }
}

/** As {@link decodeLive}; nobody owns anything by entries that cannot be read. */
export function decodeOrEmpty(live: JsonObject): Managed {
  try {
    return decodeManaged(entriesOf(live))
  } catch {
    return emptyManaged()
  }
}

/** Whether a list of entries says that everything be forgotten: it has none, or one that says nothing. */
export function isReset(entries: readonly ManagedFieldsEntry[] | undefined): boolean {
  if (!entries || entries.length > 1) return false
  return entries.every((entry) =>
    Object.values(entry).every((value) => value === undefined || value === null || value === ''),
  )
}

function decodeSet(entry: ManagedFieldsEntry): FieldSet {
  try {
    return FieldSet.fromFieldsV1(entry.fieldsV1)
  } catch (err) {
    const what = `error decoding versioned set from the managed fields of ${goQuote(entry.manager ?? '')}`
    throw new Error(`${what}: error decoding set: ${(err as Error).message}`, { cause: err })
  }
}

/** The entries in the API server's order; undefined when nobody owns anything. */
export function encodeManaged({ fields, times }: Managed): ManagedFieldsEntry[] | undefined {
  if (fields.size === 0) return undefined
  const entries = Array.from(fields, ([manager, { set, apiVersion, applied }]): ManagedFieldsEntry => {
    const { manager: name, operation, subresource } = JSON.parse(manager) as ManagedFieldsEntry
    const time = times.get(manager)
    return {
      ...(name && { manager: name }),
      operation: applied ? 'Apply' : (operation as string),
      apiVersion,
      ...(time && { time: normalTime(time) }),
      fieldsType: 'FieldsV1',
      fieldsV1: set.toFieldsV1(),
      ...(subresource && { subresource }),
    }
  })
  return entries.sort(compareEntries)
}

/** The object without managedFields; shares the rest. */
export function withoutManagedFields(object: JsonObject): JsonObject {
  const metadata = ownMember(object, 'metadata')
  if (!isObject(metadata) || !Object.hasOwn(metadata, 'managedFields')) return object
  const { managedFields: _, ...rest } = metadata
  return { ...object, metadata: rest }
}

/** A copy of the object with these managers' entries. */
export function withManaged<T>(object: JsonObject, managed: Managed): T {
  const copy = deepCopy<Record<string, unknown>>(withoutManagedFields(object))
  const entries = encodeManaged(managed)
  if (entries && copy.metadata === undefined) copy.metadata = {}
  if (entries && isObject(copy.metadata)) copy.metadata.managedFields = entries
  return copy as T
}

const compareEntries = (p: ManagedFieldsEntry, q: ManagedFieldsEntry): number =>
  compareText(p.operation ?? '', q.operation ?? '') ||
  secondsOf(p.time) - secondsOf(q.time) ||
  compareText(p.manager ?? '', q.manager ?? '') ||
  compareText(p.apiVersion ?? '', q.apiVersion ?? '') ||
  compareText(p.subresource ?? '', q.subresource ?? '')

/** Seconds since the epoch; 0 without a time, or with a text that is none. */
export function secondsOf(time: string | undefined): number {
  if (!time) return 0
  try {
    return Math.floor(parseTime(time) / 1000)
  } catch {
    return 0
  }
}

function normalTime(time: string): string {
  try {
    return formatTime(parseTime(time))
  } catch {
    return time
  }
}
