// JSON values as patches see them: copied before anything is changed, compared deeply, with every name of a member plain data.

import { isNumber, isObject, setMember } from '../meta/index.js'

/** An object of JSON. */
export type JsonObject = Record<string, unknown>

/** How deep values may be nested: deeper ones would exhaust the stack, as would one that contains itself. */
const maxDepth = 1000

/**
 * A copy that shares nothing with the value. Members that are undefined are left out, as JSON.stringify does.
 *
 * @throws TypeError for what JSON has not, naming `what`
 */
export function copyJson<T>(value: T, what: string): T {
  return copy(value, what, 0) as T
}

/** {@link copyJson} of what has to be an object. */
export function copyObject(value: object, what: string): JsonObject {
  if (!isObject(value)) throw new TypeError(`${what} has to be an object, not ${nameOf(value)}`)
  return copyJson(value, what)
}

function copy(value: unknown, what: string, depth: number): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value
    throw notJson(what, String(value))
  }
  if (typeof value === 'bigint') return value
  if (typeof value !== 'object') throw notJson(what, nameOf(value))
  if (depth > maxDepth) throw new TypeError(`${what} is nested more than ${maxDepth} deep, or contains itself`)
  if (Array.isArray(value)) return copyList(value, what, depth)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) throw notJson(what, nameOf(value))
  const result: JsonObject = {}
  for (const key of Object.keys(value)) {
    const item = (value as JsonObject)[key]
    if (item === undefined) continue
    setMember(result, key, typeof item === 'string' ? item : copy(item, what, depth + 1))
  }
  return result
}

function copyList(list: readonly unknown[], what: string, depth: number): unknown[] {
  const result: unknown[] = []
  for (let i = 0; i < list.length; i++) result.push(copy(list[i], what, depth + 1))
  return result
}

const notJson = (what: string, found: string): TypeError =>
  new TypeError(`${what} has a value that JSON has not: ${found}`)

function nameOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value !== 'object') return typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`
  return `a ${value.constructor?.name || 'object'}`
}

/** Whether two values are the same JSON; the order of members does not matter, `1` and `1n` are the same number. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    // oxlint-disable-next-line eqeqeq -- a number and a bigint of the same value
    return isNumber(a) && isNumber(b) && a == b
  }
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((item, i) => equalJson(item, b[i]))
  }
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => Object.hasOwn(b, key) && equalJson((a as JsonObject)[key], (b as JsonObject)[key]))
}
