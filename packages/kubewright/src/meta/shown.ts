// Values that may be anything, in messages and lines of logs.

/**
 * A value as JSON, with bigints as text in it, cut off behind `max` characters; as text where JSON has no such value.
 * Never throws. Not for what may be a secret.
 */
export function shown(value: unknown, max: number = Number.POSITIVE_INFINITY): string {
  return textOf(value).slice(0, max)
}

function textOf(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  try {
    return (
      JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part)) ?? String(value)
    )
  } catch {
    // It contains itself, or its toJSON fails; and then its toString may.
    return Object.prototype.toString.call(value)
  }
}
