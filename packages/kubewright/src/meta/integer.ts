// Whole numbers in text, as Go reads them.

/** The number that the text is; undefined when it is none, or one of more bits than that. */
export function parseInteger(text: string, bits: 32 | 64): bigint | undefined {
  if (!isInteger(text)) return undefined
  const value = BigInt(text.replace('+', ''))
  return value === BigInt.asIntN(bits, value) ? value : undefined
}

/** Whether the text is a whole number, of any size. */
export function isInteger(text: string): boolean {
  return /^[+-]?[0-9]+$/.test(text)
}
