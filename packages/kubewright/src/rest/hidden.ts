// Values that can be read and copied, but do not show when the object that has them is printed.

/** What stands for a secret. */
export const redacted = '--- REDACTED ---'

/**
 * Defines fields whose values are behind getters. These are the object's own and enumerable, so spreading, destructuring
 * and `Object.entries` see them as they see any other field; what prints objects without calling getters does not.
 */
export function hide(target: object, fields: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(fields)) {
    Object.defineProperty(target, name, { enumerable: true, get: value === undefined ? nothing : () => value })
  }
}

const nothing = (): undefined => undefined

/** A frozen copy of a plain object, with the named fields hidden; it prints, as JSON too, as {@link printable} says. */
export function hiding<T extends object>(value: T, names: readonly string[]): T {
  const copy = deepFreeze(structuredClone(value)) as Record<string, unknown>
  const result = {}
  for (const [name, field] of Object.entries(copy)) {
    if (names.includes(name) && field !== undefined) hide(result, { [name]: field })
    else Object.assign(result, { [name]: field })
  }
  inspectAs(result, () => ['', printable(result)])
  Object.defineProperty(result, 'toJSON', { value: () => printable(result) })
  return Object.freeze(result) as T
}

/** The fields of an object, hidden ones redacted. */
export function printable(value: object): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, { get, value: field }] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
    if (get) fields[name] = redacted
    else if (typeof field !== 'function' && field !== undefined) fields[name] = field
  }
  return fields
}

type Inspect = (value: unknown, options: object) => string

/** Sets what console.log shows. Not a member of a class, so that it stays out of the type. */
export function inspectAs<T extends object>(target: T, show: (self: T) => [title: string, fields: object]): void {
  Object.defineProperty(target, Symbol.for('nodejs.util.inspect.custom'), {
    value(this: T, _depth: number, options: object, inspect: Inspect) {
      const [title, fields] = show(this)
      return `${title}${title && ' '}${inspect(fields, options)}`
    },
  })
}

/** Freezes plain data and all that is in it; gives it back. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFreeze)
  return Object.freeze(value)
}

/** A host or URL as the user wrote it, without its user name and password; everything up to the last `@` counts as such. */
export function withoutCredentials(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, `$1${redacted}@`)
}
