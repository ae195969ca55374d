// Members of JSON objects, whose names may be any: also those that plain JavaScript objects inherit.

/** What an object's own member holds; undefined where it has none, whatever it inherits. */
export function ownMember(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as Readonly<Record<string, unknown>>)[name] : undefined
}

/** Sets a member. To assign one named `__proto__` would change what the object inherits from. */
export function setMember(object: object, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  } else (object as Record<string, unknown>)[name] = value
}
