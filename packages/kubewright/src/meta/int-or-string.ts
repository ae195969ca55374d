// Fields that are a number or a text: ports by number or name, amounts absolute or in percent.

import type { IntOrString } from '../gen/scalars.js'
import { goQuote } from './go-quote.js'
import { isInteger, parseInteger } from './integer.js'

/** Options of {@link getScaledValueFromIntOrPercent}. */
export interface ScaleOptions {
  /** Round up instead of down. @defaultValue false */
  roundUp?: boolean | undefined
}

/** The number that the text is, if it is a whole one of 32 bits; else the text: `8080` → 8080, `http` → `http`. */
export function parseIntOrString(text: string): IntOrString {
  const value = parseInteger(text, 32)
  return value === undefined ? text : Number(value)
}

/**
 * An absolute amount as it is; a percentage as its part of the total: `getScaledValueFromIntOrPercent('25%', 10)` → 2.
 *
 * @throws Error in apimachinery's words for undefined and for a text that is no percentage.
 */
export function getScaledValueFromIntOrPercent(
  value: IntOrString | undefined,
  total: number,
  { roundUp = false }: ScaleOptions = {},
): number {
  if (value === undefined || value === null) throw new Error('nil value for IntOrString')
  if (typeof value === 'number') return value
  if (!value.endsWith('%')) throw invalid('invalid type: string is not a percentage')
  const text = value.slice(0, -1)
  if (parseInteger(text, 64) === undefined) {
    const problem = isInteger(text) ? 'value out of range' : 'invalid syntax'
    throw invalid(`invalid value ${goQuote(value)}: strconv.Atoi: parsing ${goQuote(text)}: ${problem}`)
  }
  const scaled = (Number(text) * total) / 100
  // No negative zero.
  return (roundUp ? Math.ceil(scaled) : Math.floor(scaled)) + 0
}

function invalid(problem: string): Error {
  return new Error(`invalid value for IntOrString: ${problem}`)
}
