import { expect, it } from 'vitest'
import { trend } from './trend.js'

const line = (slope: number, noise: number): { seconds: number; value: number }[] =>
  Array.from({ length: 21 }, (_, minute) => ({
    seconds: minute * 60,
    value: 100 + slope * (minute - 10) + (minute % 2 === 0 ? noise : -noise),
  }))

it('is the slope of a line, and what it gains', () => {
  expect(trend(line(0, 0))).toEqual({ perMinute: 0, uncertainty: 0, growth: 0 })
  const { perMinute, uncertainty, growth } = trend(line(0.5, 0))
  expect(perMinute).toBeCloseTo(0.5)
  expect(uncertainty).toBeCloseTo(0)
  expect(growth).toBeCloseTo(0.1)
})

it('is uncertain where values differ', () => {
  const { perMinute, uncertainty } = trend(line(0.5, 20))
  expect(uncertainty).toBeGreaterThan(1)
  expect(Math.abs(perMinute - 0.5)).toBeLessThan(uncertainty)
})
