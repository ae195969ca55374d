// What can be wrong with patches beyond the shape of the input.

import { isObject } from '../meta/index.js'

/** A precondition did not hold: the patch changes what it must not. */
export class PreconditionFailedError extends Error {
  override name = 'PreconditionFailedError'
}

/** Three-way: what shall be changed was changed differently by somebody else. */
export class PatchConflictError extends Error {
  override name = 'PatchConflictError'
  /** What would be sent. */
  readonly patch: object
  /** What somebody else has changed since the original. */
  readonly changed: object

  constructor(patch: object, changed: object) {
    const text = (value: object) =>
      JSON.stringify(withoutData(value), (_, v: unknown) => (typeof v === 'bigint' ? `${v}` : v), 2)
    super(`patch:\n${text(patch)}\nconflicts with changes made from original to current:\n${text(changed)}\n`)
    this.patch = patch
    this.changed = changed
  }
}

/** A JSON patch does not apply; nothing of it was done. */
export class JsonPatchError extends Error {
  override name = 'JsonPatchError'
  /** The step that failed, counted from 0. */
  readonly index: number

  constructor(index: number, message: string) {
    super(message)
    this.index = index
  }
}

/** A patch as messages may have it: of a Secret's values, or what may be one's, only the names. */
export function withoutData(patch: object): object {
  const hidden = (field: string, value: unknown): unknown =>
    (field === 'data' || field === 'stringData') && isObject(value)
      ? Object.fromEntries(Object.keys(value).map((key) => [key, value[key] === null ? null : '…']))
      : value
  return Object.fromEntries(Object.entries(patch).map(([field, value]) => [field, hidden(field, value)]))
}

/** An object as messages may have it where what it is a part of is not known: the names of its members, and what `shown` has of them. */
export function namesOf(object: Readonly<Record<string, unknown>>, ...shown: readonly string[]): object {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, shown.includes(name) ? value : '…']))
}
