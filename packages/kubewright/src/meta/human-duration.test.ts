import { describe, expect, it } from 'vitest'
import { humanDuration, shortHumanDuration } from './human-duration.js'

const s = 1000
const m = 60 * s
const h = 60 * m
const d = 24 * h
const y = 365 * d

describe('humanDuration', () => {
  it.each([
    [0, '0s'],
    [999, '0s'],
    [-s, '0s'],
    [-2 * s, '<invalid>'],
    [119 * s, '119s'],
    [2 * m, '2m'],
    [2 * m + 5 * s, '2m5s'],
    [10 * m + 5 * s, '10m'],
    [179 * m, '179m'],
    [3 * h, '3h'],
    [3 * h + 7 * m, '3h7m'],
    [8 * h + 7 * m, '8h'],
    [47 * h, '47h'],
    [2 * d, '2d'],
    [2 * d + 3 * h, '2d3h'],
    [8 * d + 3 * h, '8d'],
    [729 * d, '729d'],
    [2 * y, '2y'],
    [2 * y + 9 * d, '2y9d'],
    [8 * y + 9 * d, '8y'],
  ])('%d ms are %s', (ms, text) => expect(humanDuration(ms)).toBe(text))
})

describe('shortHumanDuration', () => {
  it.each([
    [-s, '0s'],
    [-2 * s, '<invalid>'],
    [59 * s, '59s'],
    [119 * s, '1m'],
    [90 * m, '1h'],
    [47 * h, '1d'],
    [364 * d, '364d'],
    [800 * d, '2y'],
  ])('%d ms are %s', (ms, text) => expect(shortHumanDuration(ms)).toBe(text))
})

it('what is no number is refused', () => {
  expect(() => humanDuration(Number.NaN)).toThrow('a duration is a number of milliseconds: got NaN')
  expect(() => shortHumanDuration(Number.POSITIVE_INFINITY)).toThrow(RangeError)
})
