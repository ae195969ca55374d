// Arguments that tests do not let be changed.

/** So that a test fails where something is changed that was only to be read. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen)
  return value
}
