import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import type { Condition } from '../gen/api/meta/v1.js'
import {
  findStatusCondition,
  isStatusConditionFalse,
  isStatusConditionPresentAndEqual,
  isStatusConditionTrue,
  removeStatusCondition,
  setStatusCondition,
} from './conditions.js'

const clock = new FakeClock()
const now = new Date(clock.now()).toISOString().replace(/\.\d+/, '')
const before = '2001-02-03T04:05:06Z'
const ready: Condition = {
  type: 'Ready',
  status: 'True',
  reason: 'Running',
  message: 'all well',
  lastTransitionTime: before,
}

describe('setStatusCondition', () => {
  it('adds one with the present time, or the time that is given', () => {
    const { lastTransitionTime, ...untimed } = ready
    for (const given of [untimed, { ...ready, lastTransitionTime: '' }]) {
      const conditions: Condition[] = []
      expect(setStatusCondition(conditions, given, { clock })).toBe(true)
      expect(conditions).toEqual([{ ...ready, lastTransitionTime: now }])
    }
    const conditions: Condition[] = []
    setStatusCondition(conditions, ready, { clock })
    expect(conditions).toEqual([{ ...ready, lastTransitionTime }])
  })

  it('changes nothing, and says so, when it is there already', () => {
    const conditions = [{ ...ready }]
    const { lastTransitionTime: _, ...untimed } = ready
    expect(setStatusCondition(conditions, untimed, { clock })).toBe(false)
    expect(setStatusCondition(conditions, { ...ready, lastTransitionTime: now }, { clock })).toBe(false)
    expect(setStatusCondition(conditions, { ...untimed, observedGeneration: 0 }, { clock })).toBe(false)
    expect(conditions).toEqual([ready])
  })

  it('keeps the time while the status is the same', () => {
    const conditions = [{ ...ready }]
    const { lastTransitionTime: _, ...untimed } = ready
    const changed = { ...untimed, reason: 'Idle', message: 'nothing to do', observedGeneration: 3 }
    expect(setStatusCondition(conditions, changed, { clock })).toBe(true)
    expect(conditions).toEqual([{ ...changed, lastTransitionTime: before }])
    expect(setStatusCondition(conditions, untimed, { clock })).toBe(true)
    expect(conditions).toEqual([ready])
  })

  it('sets the time when the status changes, and keeps the object', () => {
    const existing = { ...ready }
    const conditions = [existing]
    const { lastTransitionTime: _, ...untimed } = ready
    expect(setStatusCondition(conditions, { ...untimed, status: 'False' }, { clock })).toBe(true)
    expect(conditions).toEqual([{ ...ready, status: 'False', lastTransitionTime: now }])
    expect(conditions[0]).toBe(existing)
  })
})

describe('other conditions', () => {
  const conditions = [ready, { ...ready, type: 'Stalled', status: 'False' }]

  it('are found and compared', () => {
    expect(findStatusCondition(conditions, 'Ready')).toBe(ready)
    expect(findStatusCondition(undefined, 'Ready')).toBeUndefined()
    expect(findStatusCondition(null, 'Ready')).toBeUndefined()
    expect(isStatusConditionTrue(null, 'Ready')).toBe(false)
    expect(['Ready', 'Stalled', 'Gone'].map((type) => isStatusConditionTrue(conditions, type))).toEqual([
      true,
      false,
      false,
    ])
    expect(['Ready', 'Stalled', 'Gone'].map((type) => isStatusConditionFalse(conditions, type))).toEqual([
      false,
      true,
      false,
    ])
    expect(isStatusConditionPresentAndEqual(conditions, 'Ready', 'Unknown')).toBe(false)
    expect(isStatusConditionTrue([{ type: 'Available', status: 'True' }], 'Available')).toBe(true)
  })

  it('are removed in place', () => {
    const list = [...conditions, { ...ready }]
    expect(removeStatusCondition(list, 'Ready')).toBe(true)
    expect(list.map(({ type }) => type)).toEqual(['Stalled'])
    expect(removeStatusCondition(list, 'Ready')).toBe(false)
    expect(removeStatusCondition(undefined, 'Ready')).toBe(false)
    expect(removeStatusCondition(null, 'Ready')).toBe(false)
  })
})
