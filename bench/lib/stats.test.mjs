import { expect, it } from 'vitest'
import { difference, interleaved, median } from './stats.mjs'

it('takes the middle, and an interval that narrows with the number of runs', () => {
  const range = (n) => Array.from({ length: n }, (_, i) => n - i)
  expect(median(range(15))).toEqual({ value: 8, low: 4, high: 12 })
  expect(median([1, 2])).toMatchObject({ value: 1.5 })
  expect(median(range(101))).toEqual({ value: 51, low: 41, high: 61 })
})

it('is not moved by an outlier', () => {
  expect(difference([11, 12, 1000, 12, 13], [10, 10, 10, 10, 10]).value).toBe(2)
})

it('runs measures in turns, and does not count the first round', async () => {
  const order = []
  const measure = (name) => () => order.push(name)
  expect(await interleaved(2, measure('a'), measure('b'))).toEqual([
    [3, 5],
    [4, 6],
  ])
  expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b'])
})
