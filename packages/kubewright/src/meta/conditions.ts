// Conditions in an object's status: each type once, with the time at which its status last changed. A few kinds have null
// for none, a CustomResourceDefinition's conditions for one.

import { type Clock, realClock } from '../clock/index.js'
import type { Condition } from '../gen/api/meta/v1.js'
import { formatTime } from './time.js'

/** A condition to be set. Without a `lastTransitionTime` it is the time of the change. */
export type ConditionInput = Omit<Condition, 'lastTransitionTime'> & Partial<Pick<Condition, 'lastTransitionTime'>>

/** Options of {@link setStatusCondition}. */
export interface SetStatusConditionOptions {
  /** Tells the time of the change. @defaultValue the machine's */
  clock?: Clock | undefined
}

/** What all conditions have, those of Pods and Deployments too. */
interface ConditionLike {
  readonly type: string
  readonly status: string
}

const zeroTime = '0001-01-01T00:00:00Z'

/**
 * Sets the condition of that type, in place, and says whether anything changed. The `lastTransitionTime` changes with the
 * status only: to the one that is given, or to the present.
 *
 * @example
 * ```ts
 * const conditions = (status.conditions ??= [])
 * if (setStatusCondition(conditions, { type: 'Ready', status: 'True', reason: 'Running', message: '' })) await update()
 * ```
 */
export function setStatusCondition(
  conditions: Condition[],
  condition: ConditionInput,
  { clock = realClock }: SetStatusConditionOptions = {},
): boolean {
  const { lastTransitionTime, observedGeneration } = condition
  const isTimeSet = lastTransitionTime !== undefined && lastTransitionTime !== '' && lastTransitionTime !== zeroTime
  const at = (): string => (isTimeSet ? lastTransitionTime : formatTime(clock.now()))
  const existing = conditions.find(({ type }) => type === condition.type)
  if (existing === undefined) {
    conditions.push({ ...condition, lastTransitionTime: at() })
    return true
  }
  let changed = false
  if (existing.status !== condition.status) {
    existing.status = condition.status
    existing.lastTransitionTime = at()
    changed = true
  }
  for (const field of ['reason', 'message'] as const) {
    if (existing[field] === condition[field]) continue
    existing[field] = condition[field]
    changed = true
  }
  if ((existing.observedGeneration ?? 0) !== (observedGeneration ?? 0)) {
    if (observedGeneration) existing.observedGeneration = observedGeneration
    else delete existing.observedGeneration
    changed = true
  }
  return changed
}

/** Removes the conditions of that type, in place, and says whether there were any. */
export function removeStatusCondition(conditions: ConditionLike[] | null | undefined, type: string): boolean {
  const kept = conditions?.filter((condition) => condition.type !== type) ?? []
  if (!conditions || kept.length === conditions.length) return false
  conditions.splice(0, conditions.length, ...kept)
  return true
}

/** The condition of that type, itself and no copy; undefined when there is none. */
export function findStatusCondition<C extends ConditionLike>(
  conditions: readonly C[] | null | undefined,
  type: string,
): C | undefined {
  return conditions?.find((condition) => condition.type === type)
}

/** Whether there is a condition of that type and its status is `True`. */
export function isStatusConditionTrue(conditions: readonly ConditionLike[] | null | undefined, type: string): boolean {
  return isStatusConditionPresentAndEqual(conditions, type, 'True')
}

/** Whether there is a condition of that type and its status is `False`. */
export function isStatusConditionFalse(conditions: readonly ConditionLike[] | null | undefined, type: string): boolean {
  return isStatusConditionPresentAndEqual(conditions, type, 'False')
}

/** Whether there is a condition of that type and it has that status. */
export function isStatusConditionPresentAndEqual(
  conditions: readonly ConditionLike[] | null | undefined,
  type: string,
  status: string,
): boolean {
  return findStatusCondition(conditions, type)?.status === status
}
