import { describe, expect, it } from 'vitest'
import { FakeClock } from './fake-clock.js'
import { sleep } from './sleep.js'

describe('FakeClock', () => {
  it('stands still until it is moved', async () => {
    const clock = new FakeClock(5_000)
    expect([clock.now(), clock.monotonic()]).toEqual([5_000, 0])
    await clock.advance(250)
    expect([clock.now(), clock.monotonic()]).toEqual([5_250, 250])
  })

  it('fires due timers by time, then by the order of setting, each at its time', async () => {
    const clock = new FakeClock()
    const fired: string[] = []
    const at = (delay: number, name: string) => clock.setTimer(delay, () => fired.push(`${name}@${clock.monotonic()}`))
    at(30, 'c')
    at(10, 'a')
    at(30, 'd')
    at(20, 'b')
    at(31, 'later')
    await clock.advance(30)
    expect(fired).toEqual(['a@10', 'b@20', 'c@30', 'd@30'])
    expect(clock.pendingTimers).toBe(1)
    expect(clock.monotonic()).toBe(30)
  })

  it('fires a timer of no delay only when moved', async () => {
    const clock = new FakeClock()
    let fired = 0
    clock.setTimer(0, () => fired++)
    clock.setTimer(-1, () => fired++)
    expect(fired).toBe(0)
    await clock.advance(0)
    expect(fired).toBe(2)
  })

  it('fires what is set on the way, if it is due', async () => {
    const clock = new FakeClock()
    const fired: number[] = []
    const tick = () => {
      fired.push(clock.monotonic())
      clock.setTimer(10, tick)
    }
    tick()
    await clock.advance(35)
    expect(fired).toEqual([0, 10, 20, 30])
  })

  it('lets chains of awaits and immediates settle between firings', async () => {
    const clock = new FakeClock()
    const log: string[] = []
    const run = async () => {
      for (let i = 0; i < 3; i++) {
        await sleep(10, { clock })
        for (let j = 0; j < 20; j++) await null
        await new Promise((resolve) => setImmediate(resolve))
        log.push(`${i}@${clock.monotonic()}`)
      }
    }
    void run()
    await clock.advance(30)
    expect(log).toEqual(['0@10', '1@20', '2@30'])
    expect(clock.pendingTimers).toBe(0)
  })

  it('cancels, also from the callback of an earlier timer', async () => {
    const clock = new FakeClock()
    const fired: string[] = []
    const second = clock.setTimer(10, () => fired.push('second'))
    const first = clock.setTimer(5, () => {
      fired.push('first')
      second.cancel()
    })
    await clock.advance(20)
    first.cancel()
    expect(fired).toEqual(['first'])
    expect(clock.pendingTimers).toBe(0)
  })

  it('moves to the next timer', async () => {
    const clock = new FakeClock()
    const fired: string[] = []
    clock.setTimer(70, () => fired.push('a'))
    clock.setTimer(70, () => fired.push('b'))
    clock.setTimer(90, () => fired.push('c'))
    expect(await clock.advanceToNext()).toBe(true)
    expect([clock.monotonic(), fired]).toEqual([70, ['a', 'b']])
    expect(await clock.advanceToNext()).toBe(true)
    expect(await clock.advanceToNext()).toBe(false)
    expect(clock.monotonic()).toBe(90)
  })

  it('refuses nonsense, and two moves at once', async () => {
    const clock = new FakeClock()
    await expect(clock.advance(-1)).rejects.toThrow(RangeError)
    await expect(clock.advance(Number.NaN)).rejects.toThrow(RangeError)
    expect(() => clock.setTimer(Number.NaN, () => {})).toThrow(RangeError)
    const first = clock.advance(1)
    await expect(clock.advance(1)).rejects.toThrow('being moved already')
    await first
    expect(clock.monotonic()).toBe(1)
  })

  it('passes on what a callback throws, and stays usable', async () => {
    const clock = new FakeClock()
    clock.setTimer(10, () => {
      throw new Error('boom')
    })
    await expect(clock.advance(20)).rejects.toThrow('boom')
    expect(clock.monotonic()).toBe(10)
    await clock.advance(5)
    expect(clock.monotonic()).toBe(15)
  })
})

describe('sleep', () => {
  it('resolves after the delay', async () => {
    const clock = new FakeClock()
    let done = false
    void sleep(100, { clock }).then(() => {
      done = true
    })
    await clock.advance(99)
    expect(done).toBe(false)
    await clock.advance(1)
    expect(done).toBe(true)
  })

  it('rejects with the reason of a signal aborted before, and sets no timer', async () => {
    const clock = new FakeClock()
    await expect(sleep(100, { clock, signal: AbortSignal.abort('why') })).rejects.toBe('why')
    expect(clock.pendingTimers).toBe(0)
  })

  it('rejects with the reason on abort, and releases the timer', async () => {
    const clock = new FakeClock()
    const controller = new AbortController()
    const slept = sleep(100, { clock, signal: controller.signal })
    controller.abort('why')
    await expect(slept).rejects.toBe('why')
    expect(clock.pendingTimers).toBe(0)
  })

  it('is over before a later abort', async () => {
    const clock = new FakeClock()
    const controller = new AbortController()
    const slept = sleep(100, { clock, signal: controller.signal })
    await clock.advance(100)
    controller.abort('why')
    await expect(slept).resolves.toBeUndefined()
  })
})
