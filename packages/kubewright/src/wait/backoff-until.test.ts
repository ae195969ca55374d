import { describe, expect, it } from 'vitest'
import { FakeClock, sleep } from '../clock/index.js'
import { backoffUntil, jitterUntil, until } from './backoff-until.js'

describe('backoffUntil', () => {
  it('calls at once, waits from the end of each call, and ends on abort', async () => {
    const clock = new FakeClock()
    const controller = new AbortController()
    const calls: number[] = []
    const ended = backoffUntil(
      async () => {
        calls.push(clock.monotonic())
        await sleep(5, { clock })
      },
      { signal: controller.signal, delay: () => 10, clock },
    )
    await clock.advance(40)
    expect(calls).toEqual([0, 15, 30])
    await clock.advance(0)
    controller.abort()
    await ended
    expect(clock.pendingTimers).toBe(0)
  })

  it('lets a call under way end', async () => {
    const clock = new FakeClock()
    const controller = new AbortController()
    let ended = false
    const loop = backoffUntil(
      async () => {
        await sleep(50, { clock })
        ended = true
      },
      { signal: controller.signal, delay: () => 10, clock },
    )
    await clock.advance(10)
    controller.abort()
    await clock.advance(40)
    await loop
    expect([ended, clock.pendingTimers]).toEqual([true, 0])
  })

  it('ends well when a call under way is given up for the same signal, and only then', async () => {
    const clock = new FakeClock()
    const controller = new AbortController()
    const { signal } = controller
    const givenUp = backoffUntil(() => sleep(50, { signal, clock }), { signal, delay: () => 10, clock })
    const failing = backoffUntil(
      async () => {
        await sleep(50, { clock })
        throw new Error('boom')
      },
      { signal, delay: () => 10, clock },
    )
    // Heard from the start, though it is looked at later.
    const failed = failing.catch((err: unknown) => err)
    await clock.advance(10)
    controller.abort(new Error('enough'))
    await expect(givenUp).resolves.toBeUndefined()
    await clock.advance(40)
    expect(await failed).toEqual(new Error('boom'))
    expect(clock.pendingTimers).toBe(0)
  })

  it('does nothing when aborted already', async () => {
    let calls = 0
    await backoffUntil(() => void calls++, { signal: AbortSignal.abort(), delay: () => 1, clock: new FakeClock() })
    expect(calls).toBe(0)
  })

  it('passes on an error of the call, of the delay, and of the clock', async () => {
    const { signal } = new AbortController()
    const clock = new FakeClock()
    const boom = () => {
      throw new Error('boom')
    }
    await expect(backoffUntil(boom, { signal, delay: () => 1, clock })).rejects.toThrow('boom')
    await expect(backoffUntil(() => {}, { signal, delay: boom, clock })).rejects.toThrow('boom')
    await expect(backoffUntil(() => {}, { signal, delay: () => Number.NaN, clock })).rejects.toThrow(RangeError)
  })
})

describe('until', () => {
  it.each([
    [true, [0, 15, 30]],
    [false, [0, 10, 20, 30, 40]],
    [undefined, [0, 15, 30]],
  ])('calls every period; sliding %s', async (sliding, times) => {
    const clock = new FakeClock()
    const controller = new AbortController()
    const calls: number[] = []
    const ended = until(
      async () => {
        calls.push(clock.monotonic())
        await sleep(5, { clock })
      },
      { signal: controller.signal, period: 10, sliding, clock },
    )
    await clock.advance(44)
    controller.abort()
    await clock.advance(5)
    await ended
    expect(calls).toEqual(times)
    expect(clock.pendingTimers).toBe(0)
  })

  it('not sliding, follows a long call with the next at once', async () => {
    const clock = new FakeClock()
    const controller = new AbortController()
    const calls: number[] = []
    const ended = until(
      async () => {
        calls.push(clock.monotonic())
        await sleep(25, { clock })
      },
      { signal: controller.signal, period: 10, sliding: false, clock },
    )
    await clock.advance(60)
    controller.abort()
    await clock.advance(25)
    await ended
    expect(calls).toEqual([0, 25, 50])
  })

  it('with jitter, makes the period longer', async () => {
    const clock = new FakeClock()
    const controller = new AbortController()
    const calls: number[] = []
    const random = [0, 0.5, 0.25]
    const ended = jitterUntil(() => void calls.push(clock.monotonic()), {
      signal: controller.signal,
      period: 100,
      jitterFactor: 0.2,
      random: () => random.shift() ?? 0,
      clock,
    })
    await clock.advance(316)
    controller.abort()
    await ended
    expect(calls).toEqual([0, 100, 210, 315])
  })

  it('refuses a period that is none', async () => {
    const { signal } = new AbortController()
    await expect(until(() => {}, { signal, period: -1 })).rejects.toThrow(RangeError)
    await expect(jitterUntil(() => {}, { signal, period: Number.NaN, jitterFactor: 0 })).rejects.toThrow(RangeError)
    await expect(jitterUntil(() => {}, { signal, period: 1, jitterFactor: Number.NaN })).rejects.toThrow(RangeError)
  })
})
