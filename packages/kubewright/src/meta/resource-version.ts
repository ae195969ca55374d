// The order of an object's versions.

/**
 * -1, 0 or 1: whether the first resource version is older than, the same as or newer than the second. It means something
 * for two objects of the same resource only.
 *
 * @throws Error for what is no version of an object: anything but a whole number without leading zeros, and `0`.
 */
export function compareResourceVersion(a: string, b: string): -1 | 0 | 1 {
  for (const version of [a, b]) {
    if (!/^[1-9][0-9]*$/.test(version)) throw new Error(`resource version is not well formed: ${version}`)
  }
  if (a.length !== b.length) return a.length < b.length ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}
