import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/fake-clock.js'
import { fakeAlwaysRateLimiter, fakeNeverRateLimiter, TokenBucketRateLimiter } from './index.js'

describe('TokenBucketRateLimiter', () => {
  it('starts full, then lets through qps a second', async () => {
    const clock = new FakeClock()
    const limiter = new TokenBucketRateLimiter({ qps: 5, burst: 3, clock })
    expect([1, 2, 3, 4].map(() => limiter.tryAccept())).toEqual([true, true, true, false])
    await clock.advance(200)
    expect([limiter.tryAccept(), limiter.tryAccept()]).toEqual([true, false])
    await clock.advance(60_000)
    expect([1, 2, 3, 4].map(() => limiter.tryAccept())).toEqual([true, true, true, false])
  })

  it('serves waits in order, one for each 1/qps', async () => {
    const clock = new FakeClock()
    const limiter = new TokenBucketRateLimiter({ qps: 10, burst: 1, clock })
    const done: [number, number][] = []
    for (let i = 0; i < 4; i++) void limiter.wait().then(() => done.push([i, clock.monotonic()]))
    await clock.advance(1000)
    expect(done).toEqual([
      [0, 0],
      [1, 100],
      [2, 200],
      [3, 300],
    ])
    expect(clock.pendingTimers).toBe(0)
  })

  it.each([
    { qps: 10, burst: 5, calls: 16, ms: 1100 },
    { qps: 100, burst: 1, calls: 101, ms: 1000 },
  ])('lets $calls waits through within $ms ms, at $qps a second and $burst at once', async (each) => {
    const clock = new FakeClock()
    const limiter = new TokenBucketRateLimiter({ ...each, clock })
    let through = 0
    for (let i = 0; i < each.calls; i++) void limiter.wait().then(() => through++)
    await clock.advance(each.ms - 1)
    expect(through).toBe(each.calls - 1)
    await clock.advance(1)
    expect(through).toBe(each.calls)
  })

  it('loses nothing to rounding: a token every two seconds, of a little less than one a second', async () => {
    const clock = new FakeClock()
    const limiter = new TokenBucketRateLimiter({ qps: 1 / 1.031425, burst: 1, clock })
    for (let i = 0; i < 60; i++) {
      expect(limiter.tryAccept()).toBe(true)
      await clock.advance(2000)
    }
  })

  it('reserves tokens of the future', async () => {
    const clock = new FakeClock()
    const limiter = new TokenBucketRateLimiter({ qps: 10, burst: 2, clock })
    expect([1, 2, 3, 4].map(() => limiter.reserve())).toEqual([0, 0, 100, 200])
    await clock.advance(250)
    expect([limiter.tryAccept(), limiter.reserve()]).toEqual([false, 50])
  })

  it('gives the token of an aborted wait back', async () => {
    const clock = new FakeClock()
    const limiter = new TokenBucketRateLimiter({ qps: 1, burst: 1, clock })
    await limiter.wait()
    const controller = new AbortController()
    const aborted = limiter.wait({ signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(aborted).rejects.toThrow('enough')
    expect(clock.pendingTimers).toBe(0)
    let at = -1
    void limiter.wait().then(() => {
      at = clock.monotonic()
    })
    await clock.advance(5000)
    expect(at).toBe(1000)
  })

  it('keeps the place of waits that were booked behind an aborted one', async () => {
    const clock = new FakeClock()
    const limiter = new TokenBucketRateLimiter({ qps: 1, burst: 1, clock })
    await limiter.wait()
    const controller = new AbortController()
    const first = limiter.wait({ signal: controller.signal })
    const at: number[] = []
    void limiter.wait().then(() => at.push(clock.monotonic()))
    controller.abort()
    await expect(first).rejects.toBe(controller.signal.reason)
    void limiter.wait().then(() => at.push(clock.monotonic()))
    await clock.advance(10_000)
    expect(at).toEqual([2000, 3000])
  })

  it('rejects an aborted signal at once and takes nothing', async () => {
    const limiter = new TokenBucketRateLimiter({ qps: 1, burst: 1, clock: new FakeClock() })
    await expect(limiter.wait({ signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone')
    expect(limiter.tryAccept()).toBe(true)
  })

  it('does not limit at infinite qps', async () => {
    const limiter = new TokenBucketRateLimiter({ qps: Number.POSITIVE_INFINITY, burst: 1, clock: new FakeClock() })
    for (let i = 0; i < 100; i++) await limiter.wait()
    expect(limiter.tryAccept()).toBe(true)
  })

  it.each([
    [{ qps: 0, burst: 1 }, 'qps'],
    [{ qps: Number.NaN, burst: 1 }, 'qps'],
    [{ qps: 1, burst: 0 }, 'burst'],
  ])('refuses %j', (options, field) => {
    expect(() => new TokenBucketRateLimiter(options)).toThrow(field)
  })
})

it('the limiter that always lets through', async () => {
  const limiter = fakeAlwaysRateLimiter()
  await limiter.wait()
  expect(limiter.tryAccept()).toBe(true)
})

it('the limiter that never lets through', async () => {
  const limiter = fakeNeverRateLimiter()
  expect(limiter.tryAccept()).toBe(false)
  const controller = new AbortController()
  const wait = limiter.wait({ signal: controller.signal })
  controller.abort(new Error('enough'))
  await expect(wait).rejects.toThrow('enough')
})
