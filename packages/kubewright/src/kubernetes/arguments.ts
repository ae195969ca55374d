// What calls are given, looked at before anything is sent: mistakes that types cannot keep a program in plain JavaScript from.

import type { DeleteOptions } from '../meta/index.js'
import { isObject } from '../meta/index.js'

type Named = { metadata?: { name?: string | undefined } | null | undefined }

/** The object's name, which calls on one object need. @throws TypeError when it has none, or is no object */
export function nameOf(obj: object, doing: string): string {
  checkObject(obj, doing)
  const name = (obj as Named).metadata?.name
  if (!name) {
    throw new TypeError(`${doing}: name is required: the object has no metadata.name; it says which object is meant`)
  }
  return name
}

/**
 * An object to be written, with its type where it does not say one.
 *
 * @throws TypeError when it is no object: nothing but its type would be sent
 */
export function withType(type: object, obj: object, doing: string): object {
  checkObject(obj, doing)
  return { ...type, ...obj }
}

/** @throws TypeError when what is to be written is no object */
export function checkObject(obj: unknown, doing: string): void {
  if (isObject(obj) && !(obj instanceof Promise)) return
  throw new TypeError(`${doing}: what is to be written must be an object, not ${described(obj)}`)
}

/** @throws TypeError when there are none, of which one is required */
export function checkApplyOptions(opts: unknown, doing: string): void {
  if (typeof opts === 'object' && opts !== null) return
  throw new TypeError(`${doing}: fieldManager is required: give { fieldManager }, which says whose the fields are`)
}

/** @throws TypeError for selectors where they would not count, and all objects be deleted */
export function checkNoSelectors(opts: DeleteOptions, doing: string): void {
  const misplaced = ['labelSelector', 'fieldSelector'].find((name) => Object.hasOwn(opts, name))
  if (misplaced === undefined) return
  throw new TypeError(
    `${doing}: ${misplaced} belongs into the second argument, the options of the list; in the first it would select nothing, and everything would be deleted`,
  )
}

function described(value: unknown): string {
  if (value instanceof Promise) return 'a Promise; await it first'
  if (Array.isArray(value)) return 'a list'
  return value === undefined || value === null ? String(value) : `a ${typeof value}`
}
