// The order in which kubectl shows events.

import type { Event } from '../gen/api/core/v1.js'
import type { DeepReadonly } from '../meta/index.js'
import { timeOf } from './times.js'
import { compareNumbers } from './values.js'

/** Compares events for `events.toSorted(sortableEvents)`: by `lastTimestamp`, the oldest first; those without it before. */
export function sortableEvents(a: DeepReadonly<Event>, b: DeepReadonly<Event>): number {
  const [x, y] = [timeOf(a.lastTimestamp), timeOf(b.lastTimestamp)]
  if (x === undefined || y === undefined) return Number(x !== undefined) - Number(y !== undefined)
  return compareNumbers(x, y)
}
