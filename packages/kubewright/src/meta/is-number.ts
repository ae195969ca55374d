// Numbers of JSON, in either form that they have here.

/** Whether a value is a number: those integers that a number would round may have been read as bigints. */
export function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}
