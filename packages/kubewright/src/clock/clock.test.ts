import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { realClock } from './clock.js'

const day = 24 * 3600 * 1000

describe('realClock', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'], now: 1_000_000 })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('gives wall-clock and monotonic time', () => {
    const before = realClock.monotonic()
    vi.advanceTimersByTime(250)
    expect(realClock.now()).toBe(1_000_250)
    expect(realClock.monotonic() - before).toBe(250)
  })

  it.each([-5, 0])('fires a timer of %d ms soon, not synchronously', (delay) => {
    const fired = vi.fn()
    realClock.setTimer(delay, fired)
    expect(fired).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(fired).toHaveBeenCalledTimes(1)
  })

  it.each([1, 2 ** 31 - 1, 2 ** 31, 100 * day])('fires a timer of %d ms once, and not before', (delay) => {
    const fired = vi.fn()
    realClock.setTimer(delay, fired)
    vi.advanceTimersByTime(delay - 1)
    expect(fired).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(fired).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(200 * day)
    expect(fired).toHaveBeenCalledTimes(1)
  })

  it('sets no timer of NaN', () => {
    expect(() => realClock.setTimer(Number.NaN, () => {})).toThrow(RangeError)
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each([1, 100 * day])('releases the timer of %d ms on cancel, in whichever part of it', (delay) => {
    const fired = vi.fn()
    const timer = realClock.setTimer(delay, fired)
    vi.advanceTimersByTime(delay / 2)
    timer.cancel()
    timer.cancel()
    expect(vi.getTimerCount()).toBe(0)
    vi.advanceTimersByTime(delay)
    expect(fired).not.toHaveBeenCalled()
  })
})
