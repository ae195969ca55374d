// How a field of an object is named.

/**
 * Where a field is: `metadata.managedFields`; or a list of keys, where one has dots:
 * `['metadata', 'annotations', 'kubectl.kubernetes.io/last-applied-configuration']`. In filters, `[*]` stands for each item
 * of a list: `spec.containers[*].env`.
 */
export type FieldPath = string | readonly string[]

/** Stands for each item of a list. */
export const eachItem = '[*]'

/** The keys on the way to a field. @throws TypeError for a path that is none */
export function keysOf(path: FieldPath): readonly string[] {
  const keys = typeof path === 'string' ? path.replaceAll(eachItem, `.${eachItem}`).split('.') : path
  if (Array.isArray(keys) && keys.length > 0 && keys.every((key) => typeof key === 'string' && key !== '')) return keys
  throw new TypeError(
    `${JSON.stringify(path)} is no path of a field: write spec.containers[*].env, or a list of keys where one has dots`,
  )
}
