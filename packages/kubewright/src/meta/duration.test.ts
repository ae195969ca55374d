import { describe, expect, it } from 'vitest'
import { formatDuration, parseDuration, parseDurationNanoseconds } from './duration.js'

describe('parseDuration', () => {
  it.each([
    ['0', 0],
    ['1h0m0s', 3_600_000],
    ['1m30s', 90_000],
    ['1.5s', 1500],
    ['300ms', 300],
    ['250us', 0.25],
    ['250µs', 0.25],
    ['-1.5h', -5_400_000],
    ['+.5s', 500],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
  })

  it('is exact where it is asked to', () => {
    expect(parseDurationNanoseconds('2562047h47m16.854775807s')).toBe(2n ** 63n - 1n)
  })

  it.each([
    ['', 'time: invalid duration ""'],
    ['3', 'time: missing unit in duration "3"'],
    ['3d', 'time: unknown unit "d" in duration "3d"'],
    ['s', 'time: invalid duration "s"'],
    ['1h 1m', 'time: unknown unit "h " in duration "1h 1m"'],
    ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
  ])('%j is refused', (text, message) => {
    expect(() => parseDuration(text)).toThrow(new Error(message))
  })
})

describe('formatDuration', () => {
  it.each([
    [0, '0s'],
    [-0, '0s'],
    [30_000, '30s'],
    [60_000, '1m0s'],
    [3_600_000, '1h0m0s'],
    [90_500, '1m30.5s'],
    [1500, '1.5s'],
    [250, '250ms'],
    [0.25, '250µs'],
    [0.000001, '1ns'],
    [1.5, '1.5ms'],
    [-1500, '-1.5s'],
    [1n, '1ns'],
    [2n ** 63n - 1n, '2562047h47m16.854775807s'],
  ])('%s is written %s', (duration, text) => {
    expect(formatDuration(duration)).toBe(text)
  })

  it('refuses what is no number', () => {
    expect(() => formatDuration(Number.NaN)).toThrow(RangeError)
    expect(() => formatDuration(Number.POSITIVE_INFINITY)).toThrow(RangeError)
  })
})
