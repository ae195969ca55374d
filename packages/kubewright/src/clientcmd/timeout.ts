// The value of a `--request-timeout` flag.

import { goQuote, parseDuration } from '../meta/index.js'

/**
 * Milliseconds of a whole number of seconds (`30`) or a Go duration (`1m30s`, `1.5h`, `250ms`).
 *
 * @throws Error for anything else.
 */
export function parseTimeout(text: string): number {
  if (/^\+?\d+$/.test(text)) return Number(text) * 1000
  try {
    return parseDuration(text)
  } catch (cause) {
    throw new Error(
      `invalid timeout ${goQuote(text)}: give a whole number of seconds, or a number with a unit (1s, 2m, 3h)`,
      { cause },
    )
  }
}
