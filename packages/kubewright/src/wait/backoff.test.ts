import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import { Backoff, type BackoffOptions, delayWithReset, jitter } from './backoff.js'

const random = () => 0.5

describe('Backoff.step', () => {
  const s = 1000
  it.each<[BackoffOptions, number[], number]>([
    [{ duration: s }, [s, s, s], 0],
    [{ duration: s, steps: -1 }, [s, s, s], 0],
    [{ duration: s, steps: 0 }, [s, s, s], 0],
    [{ duration: s, steps: 1 }, [s, s, s], 0],
    [{ duration: s, factor: 1, steps: 1 }, [s, s, s], 0],
    [{ duration: s, factor: 2, steps: 0 }, [s, s, s], 0],
    [{ duration: s, factor: 2, steps: 3 }, [s, 2 * s, 4 * s], 0],
    [{ duration: s, factor: 2, steps: 5 }, [s, 2 * s, 4 * s], 2],
    [{ duration: s, factor: 2, steps: 2 }, [s, 2 * s, 4 * s, 4 * s, 4 * s], 0],
    [{ duration: s, factor: 2, steps: 3, cap: 3 * s }, [s, 2 * s, 3 * s, 3 * s], 0],
    [{ duration: s, factor: 2, steps: 9, cap: 4 * s }, [s, 2 * s, 4 * s, 4 * s], 0],
    [{ duration: s, factor: 2, steps: 2, cap: 3 * s, jitter: 0.5 }, [1.25 * s, 2.5 * s, 3.75 * s], 0],
    [{ duration: s, factor: 2, steps: 6, jitter: 4 }, [3 * s, 6 * s, 12 * s, 24 * s, 48 * s, 96 * s], 0],
    [{ duration: s, jitter: 0.1, steps: 2 }, [1050, 1050, 1050], 0],
    [{ duration: s, factor: 0.5, steps: 3 }, [s, s / 2, s / 4, s / 8, s / 8], 0],
  ])('%j gives %j', (options, waits, stepsLeft) => {
    const backoff = new Backoff(options, { random })
    expect(waits.map(() => backoff.step())).toEqual(waits)
    expect(backoff.steps).toBe(stepsLeft)
  })

  it.each<BackoffOptions>([
    { duration: Number.NaN },
    { duration: -1 },
    { duration: Number.POSITIVE_INFINITY },
    { duration: undefined as unknown as number },
    { duration: 1, factor: Number.NaN },
    { duration: 1, jitter: Number.NaN },
    { duration: 1, steps: Number.NaN },
    { duration: 1, cap: Number.NaN },
  ])('refuses %j', (options) => {
    expect(() => new Backoff(options)).toThrow(RangeError)
    expect(() => delayWithReset(options, { resetInterval: 1000 })).toThrow(RangeError)
  })

  it('leaves what it was made from as it is', () => {
    const options = Object.freeze({ duration: 10, factor: 2, steps: 3 })
    new Backoff(options).step()
    expect(options).toEqual({ duration: 10, factor: 2, steps: 3 })
  })

  it('takes its jitter from Math.random by default', () => {
    const backoff = new Backoff({ duration: 100, jitter: 0.1 })
    for (let i = 0; i < 100; i++) {
      const wait = backoff.step()
      expect(wait).toBeGreaterThanOrEqual(100)
      expect(wait).toBeLessThan(110)
    }
  })
})

describe('jitter', () => {
  it.each([
    [100, 0.2, 110],
    [100, 2, 200],
    [100, 0, 150],
    [100, -1, 150],
  ])('of %d by %d is %d at random 0.5', (duration, maxFactor, want) => {
    expect(jitter(duration, maxFactor, random)).toBe(want)
  })
})

describe('delayWithReset', () => {
  const backoff = { duration: 1, cap: 10, factor: 2, steps: 10 }

  it('grows to the cap, and starts anew after the interval', async () => {
    const clock = new FakeClock()
    const delay = delayWithReset(backoff, { resetInterval: 10, clock })
    expect([1, 2, 3, 4, 5, 6].map(delay)).toEqual([1, 2, 4, 8, 10, 10])
    await clock.advance(10)
    expect(delay()).toBe(10)
    await clock.advance(1)
    expect(delay()).toBe(1)
    await clock.advance(10)
    expect(delay()).toBe(2)
    await clock.advance(1)
    expect(delay()).toBe(1)
  })

  it('never grows without an interval', () => {
    const delay = delayWithReset(backoff, { resetInterval: 0, clock: new FakeClock() })
    expect([1, 2, 3].map(delay)).toEqual([1, 1, 1])
  })

  it('adds jitter', () => {
    const delay = delayWithReset({ duration: 100, jitter: 1 }, { resetInterval: 0, clock: new FakeClock(), random })
    expect(delay()).toBe(150)
  })
})
