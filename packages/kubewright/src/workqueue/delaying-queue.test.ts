import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import { DelayingQueue } from './delaying-queue.js'

function setup() {
  const clock = new FakeClock(1_700_000_000_000)
  return { clock, queue: new DelayingQueue<string>({ clock }) }
}

describe('DelayingQueue.addAfter', () => {
  it('adds after the delay, once', async () => {
    const { clock, queue } = setup()
    queue.addAfter('foo', 50)
    expect([queue.length, queue.delayedLength]).toEqual([0, 1])
    await clock.advance(49)
    expect(queue.length).toBe(0)
    await clock.advance(1)
    expect([queue.length, queue.delayedLength, clock.pendingTimers]).toEqual([1, 0, 0])
    await queue.get()
    queue.done('foo')
    await clock.advance(60_000)
    expect(queue.length).toBe(0)
  })

  it('refuses undefined at once, not when its time has come', async () => {
    const { clock, queue } = setup()
    expect(() => queue.addAfter(undefined as unknown as string, 10)).toThrow(TypeError)
    queue.addAfter('foo', 20)
    await clock.advance(20)
    expect(queue.length).toBe(1)
  })

  it('keeps the earlier of two times, whichever was asked for first', async () => {
    for (const [first, second] of [
      [50, 70],
      [50, 30],
    ] as const) {
      const { clock, queue } = setup()
      queue.addAfter('foo', first)
      queue.addAfter('foo', second)
      expect([queue.delayedLength, clock.pendingTimers]).toEqual([1, 1])
      const earlier = Math.min(first, second)
      await clock.advance(earlier - 1)
      expect(queue.length).toBe(0)
      await clock.advance(1)
      expect(queue.length).toBe(1)
      await queue.get()
      queue.done('foo')
      await clock.advance(1000)
      expect(queue.length).toBe(0)
    }
  })

  it('adds a soon one before a late one that was there first', async () => {
    const { clock, queue } = setup()
    queue.addAfter('first', 1000)
    queue.addAfter('second', 50)
    await clock.advance(60)
    expect([queue.length, await queue.get()]).toEqual([1, 'second'])
    queue.addAfter('third', 2000)
    await clock.advance(1000)
    expect([queue.length, await queue.get()]).toEqual([1, 'first'])
    await clock.advance(2000)
    expect([queue.length, await queue.get()]).toEqual([1, 'third'])
  })

  it('adds several that are due in the order of their times', async () => {
    const { clock, queue } = setup()
    queue.addAfter('first', 1000)
    queue.addAfter('second', 500)
    queue.addAfter('third', 250)
    expect(clock.pendingTimers).toBe(1)
    await clock.advance(2000)
    expect([await queue.get(), await queue.get(), await queue.get()]).toEqual(['third', 'second', 'first'])
  })

  it.each([0, -1])('adds at once after %d ms', (delay) => {
    const { clock, queue } = setup()
    queue.addAfter('foo', delay)
    expect([queue.length, clock.pendingTimers]).toEqual([1, 0])
  })

  it.each([Number.NaN, Infinity, -Infinity])('refuses %d ms', (delay) => {
    expect(() => setup().queue.addAfter('foo', delay)).toThrow(RangeError)
  })

  it('leaves a delayed item in place when it is added directly', async () => {
    const { clock, queue } = setup()
    queue.addAfter('foo', 50)
    queue.add('foo')
    await queue.get()
    queue.done('foo')
    await clock.advance(50)
    expect(queue.length).toBe(1)
  })

  it('queues at done what falls due while being processed', async () => {
    const { clock, queue } = setup()
    queue.add('foo')
    await queue.get()
    queue.addAfter('foo', 50)
    await clock.advance(50)
    expect(queue.length).toBe(0)
    queue.done('foo')
    expect(queue.length).toBe(1)
  })

  it('wakes who waits', async () => {
    const { clock, queue } = setup()
    const got = queue.get()
    queue.addAfter('foo', 50)
    await clock.advance(50)
    expect(await got).toBe('foo')
  })

  it('compares by key', async () => {
    const clock = new FakeClock()
    const queue = new DelayingQueue<{ id: string }>({ clock, key: ({ id }) => id })
    queue.addAfter({ id: 'a' }, 20)
    queue.addAfter({ id: 'a' }, 10)
    expect(queue.delayedLength).toBe(1)
    await clock.advance(100)
    expect(queue.length).toBe(1)
  })

  it('takes a timer that fires a little early for its time', () => {
    let fire = (): void => expect.unreachable('no timer is set')
    let now = 0
    let timers = 0
    const clock = {
      now: () => now,
      monotonic: () => now,
      setTimer: (_delay: number, callback: () => void) => {
        timers++
        fire = callback
        return { cancel: () => {} }
      },
    }
    const queue = new DelayingQueue<string>({ clock })
    queue.addAfter('foo', 50)
    now = 49.7
    fire()
    expect([queue.length, timers]).toEqual([1, 1])
  })

  it.each(['shutDown', 'shutDownWithDrain'] as const)(
    'drops what is delayed at %s, and releases the timer',
    async (end) => {
      const { clock, queue } = setup()
      queue.addAfter('foo', 50)
      queue.addAfter('bar', 70)
      await queue[end]()
      expect([queue.delayedLength, clock.pendingTimers]).toEqual([0, 0])
      queue.addAfter('baz', 10)
      queue.addAfter('now', 0)
      expect([queue.length, queue.delayedLength, clock.pendingTimers]).toEqual([0, 0, 0])
      expect(await queue.get()).toBeUndefined()
    },
  )

  it('adds each item at the earliest time asked for since it was last added, with one timer at most', async () => {
    const step = fc.record({
      item: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      delay: fc.integer({ min: -2, max: 30 }),
      then: fc.integer({ min: 0, max: 10 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const clock = new FakeClock()
        const queue = new DelayingQueue<string>({ clock })
        const deadlines = new Map<string, number>()
        const got: string[] = []
        const want: string[] = []
        void (async () => {
          for await (const item of queue) {
            got.push(`${item}@${clock.monotonic()}`)
            queue.done(item)
          }
        })()
        const advance = async (ms: number) => {
          await clock.advance(ms)
          for (const [item, deadline] of [...deadlines].sort((a, b) => a[1] - b[1])) {
            if (deadline > clock.monotonic()) continue
            want.push(`${item}@${deadline}`)
            deadlines.delete(item)
          }
        }
        for (const { item, delay, then } of steps) {
          queue.addAfter(item, delay)
          const deadline = clock.monotonic() + delay
          if (delay <= 0) want.push(`${item}@${clock.monotonic()}`)
          else deadlines.set(item, Math.min(deadline, deadlines.get(item) ?? Infinity))
          expect(clock.pendingTimers).toBe(deadlines.size > 0 ? 1 : 0)
          await advance(then)
          expect(queue.delayedLength).toBe(deadlines.size)
        }
        await advance(100)
        queue.shutDown()
        expect(got.sort()).toEqual(want.sort())
      }),
      { numRuns: 100 },
    )
  })
})
