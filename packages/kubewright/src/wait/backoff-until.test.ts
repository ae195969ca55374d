import { describe, expect, it } from 'vitest'
import { FakeClock, sleep } from '../clock/index.js'
import { backoffUntil } from './backoff-until.js'

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
