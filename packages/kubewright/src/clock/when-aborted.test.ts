import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { FakeClock } from './fake-clock.js'
import { sleep } from './sleep.js'
import { whenAborted } from './when-aborted.js'

describe('whenAborted', () => {
  it('calls once, unless taken back', () => {
    const controller = new AbortController()
    const [kept, taken] = [vi.fn(), vi.fn()]
    whenAborted(controller.signal, kept)
    const takeBack = whenAborted(controller.signal, taken)
    takeBack()
    takeBack()
    controller.abort()
    controller.abort()
    expect([kept.mock.calls.length, taken.mock.calls.length]).toEqual([1, 0])
  })

  it('lets a whole program wait by one signal, without a warning of a leak', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const controller = new AbortController()
    const clock = new FakeClock()
    const sleeps = Array.from({ length: 100 }, () => sleep(1000, { clock, signal: controller.signal }))
    await clock.advance(1000)
    await Promise.all(sleeps)
    expect(warned).not.toHaveBeenCalled()
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    warned.mockRestore()
  })
})
