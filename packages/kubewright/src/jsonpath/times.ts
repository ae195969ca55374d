// Times in the orders of pods and events.

import { parseTimeNanoseconds } from '../meta/index.js'

/** Nothing where there is no time, or none that can be read: an order has no way to fail. */
export function timeOf(time: string | null | undefined): bigint | undefined {
  if (!time) return undefined
  try {
    return parseTimeNanoseconds(time)
  } catch {
    return undefined
  }
}
