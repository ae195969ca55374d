import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import {
  BucketRateLimiter,
  defaultControllerRateLimiter,
  defaultItemBasedRateLimiter,
  ItemExponentialFailureRateLimiter,
  ItemFastSlowRateLimiter,
  MaxOfRateLimiter,
  type RateLimiter,
  WithMaxWaitRateLimiter,
} from './rate-limiters.js'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

const whens = <T>(limiter: RateLimiter<T>, item: T, count: number) =>
  Array.from({ length: count }, () => limiter.when(item))

describe('limiters that count by item', () => {
  it.each<[string, () => RateLimiter<string>, number[]]>([
    ['exponential', () => new ItemExponentialFailureRateLimiter(1, second), [1, 2, 4, 8, 16]],
    ['fast and slow', () => new ItemFastSlowRateLimiter(5, 10 * second, 3), [5, 5, 5, 10 * second, 10 * second]],
    [
      'the longest of both',
      () =>
        new MaxOfRateLimiter(
          new ItemFastSlowRateLimiter(5, 3 * second, 3),
          new ItemExponentialFailureRateLimiter(1, second),
        ),
      [5, 5, 5, 3 * second, 3 * second],
    ],
    ['at most', () => new WithMaxWaitRateLimiter(new ItemExponentialFailureRateLimiter(1, second), 5), [1, 2, 4, 5, 5]],
    ['the default by item', () => defaultItemBasedRateLimiter(), [1, 2, 4, 8, 16]],
  ])('%s', (_name, make, delays) => {
    const limiter = make()
    expect(whens(limiter, 'one', 5)).toEqual(delays)
    expect(limiter.numRequeues('one')).toBe(5)
    expect(whens(limiter, 'two', 2)).toEqual(delays.slice(0, 2))
    expect(limiter.numRequeues('two')).toBe(2)
    limiter.forget('one')
    expect([limiter.numRequeues('one'), limiter.numRequeues('two')]).toEqual([0, 2])
    expect(limiter.when('one')).toBe(delays[0])
    limiter.forget('never seen')
    expect(limiter.numRequeues('never seen')).toBe(0)
  })

  it.each([
    [1, 1000 * second, 5, 32],
    [1, 1000 * second, 1000, 1000 * second],
    [1, 1000 * second, 5000, 1000 * second],
    [minute, 1000 * hour, 2, 4 * minute],
    [minute, 1000 * hour, 1000, 1000 * hour],
    [5, 5, 0, 5],
    [10, 5, 0, 5],
    [0, 5, 3, 0],
    [0, 5, 2000, 0],
  ])('from %d to %d ms, after %d failures, is %d ms', (base, max, failures, want) => {
    const limiter = new ItemExponentialFailureRateLimiter<string>(base, max)
    whens(limiter, 'x', failures)
    expect(limiter.when('x')).toBe(want)
  })

  it.each<[string, (key: (item: { id: string }) => string) => RateLimiter<{ id: string }>]>([
    ['exponential', (key) => new ItemExponentialFailureRateLimiter(1, second, { key })],
    ['fast and slow', (key) => new ItemFastSlowRateLimiter(1, 2, 1, { key })],
    ['the default of controllers', (key) => defaultControllerRateLimiter({ key })],
    ['the default by item', (key) => defaultItemBasedRateLimiter({ key })],
  ])('%s counts objects by key', (_name, make) => {
    const limiter = make(({ id }) => id)
    const [first, again] = [limiter.when({ id: 'a' }), limiter.when({ id: 'a' })]
    expect(again).toBe(2 * first)
    expect(limiter.numRequeues({ id: 'a' })).toBe(2)
    limiter.forget({ id: 'a' })
    expect(limiter.numRequeues({ id: 'a' })).toBe(0)
  })
})

describe('WithMaxWaitRateLimiter', () => {
  it('passes on what it does not cap', () => {
    let calls = 0
    const step: RateLimiter<number> = {
      when: () => (++calls <= 100 ? 5 : 1000 * second),
      forget: () => {},
      numRequeues: () => 7,
    }
    const limiter = new WithMaxWaitRateLimiter(step, 500 * second)
    expect(new Set(whens(limiter, 0, 100))).toEqual(new Set([5]))
    expect(new Set(whens(limiter, 0, 100))).toEqual(new Set([500 * second]))
    expect(limiter.numRequeues(0)).toBe(7)
  })
})

describe('BucketRateLimiter', () => {
  it('gives the burst at once, then takes tokens of the future', () => {
    const limiter = new BucketRateLimiter<string>({ qps: 10, burst: 3, clock: new FakeClock() })
    expect(['a', 'b', 'a', 'b', 'c', 'd'].map((item) => limiter.when(item))).toEqual([0, 0, 0, 100, 200, 300])
    expect(limiter.numRequeues('a')).toBe(0)
    limiter.forget('a')
    expect(limiter.when('a')).toBe(400)
  })

  it('pays debts first, then refills to the burst', async () => {
    const clock = new FakeClock()
    const limiter = new BucketRateLimiter<string>({ qps: 10, burst: 2, clock })
    expect(whens(limiter, 'x', 4)).toEqual([0, 0, 100, 200])
    await clock.advance(150)
    expect(limiter.when('x')).toBeCloseTo(150)
    await clock.advance(hour)
    expect(whens(limiter, 'x', 3)).toEqual([0, 0, 100])
  })

  it('never waits without a limit', () => {
    const limiter = new BucketRateLimiter<string>({ qps: Number.POSITIVE_INFINITY, burst: 1, clock: new FakeClock() })
    expect(whens(limiter, 'x', 3)).toEqual([0, 0, 0])
  })

  it.each([
    { qps: 0, burst: 1 },
    { qps: -1, burst: 1 },
    { qps: Number.NaN, burst: 1 },
    { qps: 1, burst: 0 },
    { qps: 1, burst: Number.NaN },
  ])('refuses %j', (options) => {
    expect(() => new BucketRateLimiter(options)).toThrow(RangeError)
  })
})

describe('BucketRateLimiter without end of tokens', () => {
  it('lets everything pass', async () => {
    const clock = new FakeClock()
    const limiter = new BucketRateLimiter<string>({ qps: Number.POSITIVE_INFINITY, burst: 1, clock })
    expect(whens(limiter, 'x', 3)).toEqual([0, 0, 0])
    await clock.advance(1000)
    expect(whens(limiter, 'x', 3)).toEqual([0, 0, 0])
  })
})

describe('defaultControllerRateLimiter', () => {
  it('lets 100 items pass at their own delay, then 10 a second', async () => {
    const clock = new FakeClock()
    const limiter = defaultControllerRateLimiter<number>({ clock })
    const delays = Array.from({ length: 103 }, (_, i) => Math.round(limiter.when(i)))
    expect(new Set(delays.slice(0, 100))).toEqual(new Set([5]))
    expect(delays.slice(100)).toEqual([100, 200, 300])
  })

  it('doubles from 5 ms to 1000 s by item', async () => {
    const clock = new FakeClock()
    const limiter = defaultControllerRateLimiter<string>({ clock })
    expect(whens(limiter, 'x', 20)).toEqual([...Array.from({ length: 18 }, (_, i) => 5 * 2 ** i), 1_000_000, 1_000_000])
  })
})
