// Variables of an environment, read as client-go reads them.

/** Environment variables, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A decimal number as Go's strconv reads one: a sign and digits, of 64 bits. */
export function parseGoInt(text: string): number | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined
  const value = BigInt(text.replace(/^\+/, ''))
  return BigInt.asIntN(64, value) === value ? Number(value) : undefined
}
