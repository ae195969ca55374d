import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import { InterruptedError } from './interrupted.js'
import { contextWithOptionalTimeout } from './optional-timeout.js'

describe('contextWithOptionalTimeout', () => {
  it('aborts when the time is up', async () => {
    const clock = new FakeClock()
    const { signal } = contextWithOptionalTimeout({ timeout: 50, clock })
    await clock.advance(49)
    expect(signal.aborted).toBe(false)
    await clock.advance(1)
    expect(signal.reason).toBeInstanceOf(InterruptedError)
  })

  it.each([0, undefined])('of %s never does by itself', (timeout) => {
    const clock = new FakeClock()
    const context = contextWithOptionalTimeout({ timeout, clock })
    expect(clock.pendingTimers).toBe(0)
    context.cancel('why')
    context.cancel('again')
    expect(context.signal.reason).toBe('why')
  })

  it('aborts with its parent, before and after', () => {
    const clock = new FakeClock()
    expect(contextWithOptionalTimeout({ signal: AbortSignal.abort('why'), timeout: 5, clock }).signal.reason).toBe(
      'why',
    )
    const parent = new AbortController()
    const { signal } = contextWithOptionalTimeout({ signal: parent.signal, timeout: 5, clock })
    parent.abort('why')
    expect(signal.reason).toBe('why')
    expect(clock.pendingTimers).toBe(0)
  })

  it('releases timer and listener on cancel', () => {
    const clock = new FakeClock()
    const parent = new AbortController()
    contextWithOptionalTimeout({ signal: parent.signal, timeout: 5, clock }).cancel()
    expect([clock.pendingTimers, getEventListeners(parent.signal, 'abort')]).toEqual([0, []])
  })

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('refuses %d', (timeout) => {
    expect(() => contextWithOptionalTimeout({ timeout })).toThrow(RangeError)
  })
})
