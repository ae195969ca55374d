// What a value is, for messages about one that should be another.

/** `null`, `a number`, `an array`, `a Buffer`: without the value, which may be a secret. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  const name = typeof value === 'object' ? (value.constructor?.name ?? 'Object') : typeof value
  const plain = { Object: 'object', Array: 'array' }[name] ?? name
  return `${/^[aeio]/i.test(plain) ? 'an' : 'a'} ${plain}`
}
