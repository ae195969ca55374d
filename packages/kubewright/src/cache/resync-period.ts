// Which resync period a handler gets: not more often than the informer checks, and not at all where it never does.

import type { Logger } from '../rest/index.js'

/** More often than this there are no resyncs, in milliseconds. */
const minimumResyncPeriod = 1000

/** @throws RangeError when the period is not a finite number of 0 or more. */
export function checkResyncPeriod(resyncPeriod: number): number {
  if (Number.isFinite(resyncPeriod) && resyncPeriod >= 0) return resyncPeriod
  throw new RangeError(`a resync period is a number of milliseconds, 0 for none: got ${resyncPeriod}`)
}

/** Raises a period that is too short. */
export function atLeastMinimum(resyncPeriod: number, logger: Logger): number {
  if (resyncPeriod === 0 || resyncPeriod >= minimumResyncPeriod) return resyncPeriod
  logger.warn('resync period is too small, changing it to the minimum', { resyncPeriod, minimumResyncPeriod })
  return minimumResyncPeriod
}

/** The period that is granted by an informer that checks every `checkPeriod` milliseconds. */
export function determineResyncPeriod(desired: number, checkPeriod: number, logger: Logger): number {
  if (desired === 0) return 0
  if (checkPeriod === 0) {
    logger.warn("the resync period is of no effect: this informer doesn't resync", { resyncPeriod: desired })
    return 0
  }
  if (desired < checkPeriod) {
    logger.warn('resync period is raised to how often the informer checks', { resyncPeriod: desired, checkPeriod })
    return checkPeriod
  }
  return desired
}
