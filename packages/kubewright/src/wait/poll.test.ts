import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { FakeClock, sleep } from '../clock/index.js'
import { InterruptedError, interrupted } from './interrupted.js'
import { exponentialBackoff, pollUntilContextCancel, pollUntilContextTimeout, pollWithDelay } from './poll.js'

type Poll = (asked: (answers: (n: number) => boolean | Promise<boolean>) => () => Promise<boolean>) => Promise<void>

/** Runs a wait and moves the clock by itself; gives the times the condition was asked at, the outcome and the end. */
async function run(clock: FakeClock, poll: Poll) {
  const times: number[] = []
  const outcomes: PromiseSettledResult<void>[] = []
  const wait = poll((answers) => async () => {
    times.push(clock.monotonic())
    return answers(times.length)
  })
  void Promise.allSettled([wait]).then((settled) => outcomes.push(...settled))
  await clock.advance(0)
  while (outcomes.length === 0 && (await clock.advanceToNext()));
  return { times, outcome: outcomes[0], end: clock.monotonic() }
}

const met = { status: 'fulfilled' }
const timedOut = { status: 'rejected', reason: { message: 'timed out waiting for the condition' } }

describe('pollUntilContextTimeout', () => {
  it.each([
    [false, [10, 20, 30]],
    [true, [0, 10, 20]],
  ])('asks at intervals until the answer is true; immediate %s', async (immediate, times) => {
    const clock = new FakeClock()
    const result = await run(clock, (asked) =>
      pollUntilContextTimeout(
        asked((n) => n === 3),
        { interval: 10, timeout: 100, immediate, clock },
      ),
    )
    expect(result).toMatchObject({ times, outcome: met })
    expect(clock.pendingTimers).toBe(0)
  })

  it('ends when the time is up', async () => {
    const clock = new FakeClock()
    const result = await run(clock, (asked) =>
      pollUntilContextTimeout(
        asked(() => false),
        { interval: 10, timeout: 35, clock },
      ),
    )
    expect(result).toMatchObject({ times: [10, 20, 30], outcome: timedOut, end: 35 })
    expect(result.outcome).toMatchObject({ reason: expect.any(InterruptedError) })
    expect(clock.pendingTimers).toBe(0)
  })

  it.each([
    [false, 0],
    [true, 1],
  ])('of no time at all asks only when immediate: %s', async (immediate, calls) => {
    const clock = new FakeClock()
    const result = await run(clock, (asked) =>
      pollUntilContextTimeout(
        asked(() => false),
        { interval: 10, timeout: 0, immediate, clock },
      ),
    )
    expect(result.times).toHaveLength(calls)
    expect(result.outcome).toMatchObject(timedOut)
  })

  it('gives the condition a signal that ends with the time', async () => {
    const clock = new FakeClock()
    const result = await run(clock, () =>
      pollUntilContextTimeout((signal) => sleep(1000, { signal, clock }).then(() => true), {
        interval: 10,
        timeout: 35,
        clock,
      }),
    )
    expect(result).toMatchObject({ outcome: timedOut, end: 35 })
  })

  it('counts an answer that comes after the time', async () => {
    const clock = new FakeClock()
    const result = await run(clock, () =>
      pollUntilContextTimeout(() => sleep(1000, { clock }).then(() => true), { interval: 10, timeout: 35, clock }),
    )
    expect(result).toMatchObject({ outcome: met, end: 1010 })
  })

  it.each([
    { interval: -1, timeout: 1 },
    { interval: Number.NaN, timeout: 1 },
    { interval: 1, timeout: -1 },
    { interval: 1, timeout: Number.POSITIVE_INFINITY },
    { interval: 1, timeout: undefined as never },
  ])('refuses %j', async (options) => {
    await expect(pollUntilContextTimeout(() => true, { ...options, clock: new FakeClock() })).rejects.toThrow(
      RangeError,
    )
  })
})

describe('pollUntilContextCancel', () => {
  it('asks at once after a call that took longer than the interval, and is in time again', async () => {
    const clock = new FakeClock()
    const result = await run(clock, (asked) =>
      pollUntilContextCancel(
        asked(async (n) => {
          if (n === 1) await sleep(25, { clock })
          return n === 4
        }),
        { interval: 10, clock },
      ),
    )
    expect(result.times).toEqual([10, 35, 40, 50])
  })

  it('asks without waits for an interval of 0, and lets others run', async () => {
    const clock = new FakeClock()
    const result = await run(clock, (asked) =>
      pollUntilContextCancel(
        asked((n) => n === 5),
        { interval: 0, clock },
      ),
    )
    expect(result).toMatchObject({ times: [0, 0, 0, 0, 0], outcome: met })
  })

  it('passes on what the condition throws', async () => {
    const clock = new FakeClock()
    const result = await run(clock, (asked) =>
      pollUntilContextCancel(
        asked(() => Promise.reject(new Error('boom'))),
        { interval: 10, clock },
      ),
    )
    expect(result).toMatchObject({ times: [10], outcome: { reason: { message: 'boom' } } })
  })

  it('ends with the reason of the signal, and leaves neither timer nor listener', async () => {
    const clock = new FakeClock()
    const controller = new AbortController()
    clock.setTimer(25, () => controller.abort('why'))
    const result = await run(clock, (asked) =>
      pollUntilContextCancel(
        asked(() => false),
        { interval: 10, clock, signal: controller.signal },
      ),
    )
    expect(result).toMatchObject({ times: [10, 20], outcome: { reason: 'why' }, end: 25 })
    expect([clock.pendingTimers, getEventListeners(controller.signal, 'abort')]).toEqual([0, []])
  })

  it.each([
    [false, true, 0, { status: 'rejected', reason: 'why' }],
    [false, false, 0, { status: 'rejected', reason: 'why' }],
    [true, true, 1, met],
    [true, false, 1, { status: 'rejected', reason: 'why' }],
    [true, new Error('boom'), 1, { status: 'rejected', reason: new Error('boom') }],
  ])('with a signal that has aborted asks only when immediate: %s (%s)', async (immediate, answer, calls, outcome) => {
    const clock = new FakeClock()
    const result = await run(clock, (asked) =>
      pollUntilContextCancel(
        asked(() => {
          if (answer instanceof Error) throw answer
          return answer
        }),
        { interval: 10, immediate, clock, signal: AbortSignal.abort('why') },
      ),
    )
    expect(result.times).toHaveLength(calls)
    expect(result.outcome).toMatchObject(outcome)
  })
})

describe('a condition of which each call takes 200 ms, asked every 200 ms for a second', () => {
  it.each([
    { sliding: false, asked: 4, outcome: met },
    { sliding: true, asked: 3, outcome: { status: 'rejected', reason: 'the second is over' } },
  ])('is met at the fourth call, if the waits count from the start of a call (sliding $sliding)', async (each) => {
    const clock = new FakeClock()
    const controller = new AbortController()
    clock.setTimer(1000, () => controller.abort('the second is over'))
    const result = await run(clock, (asked) =>
      pollWithDelay(
        asked(async (n) => {
          if (n === 4) return true
          await sleep(200, { clock })
          return false
        }),
        { delay: () => 200, immediate: true, sliding: each.sliding, signal: controller.signal, clock },
      ),
    )
    expect([result.times.length, result.outcome]).toEqual([each.asked, expect.objectContaining(each.outcome)])
  })
})

it.each<{ what: string; answer: (n: number) => boolean; abortAt?: number; asked: number; outcome: object }>([
  { what: 'is met at once', answer: () => true, asked: 1, outcome: met },
  { what: 'is met at the second call', answer: (n) => n > 1, asked: 2, outcome: met },
  { what: 'is met at the hundredth call', answer: (n) => n >= 100, asked: 100, outcome: met },
  {
    what: 'fails',
    answer: () => {
      throw new Error('boom')
    },
    asked: 1,
    outcome: { status: 'rejected', reason: new Error('boom') },
  },
  {
    what: 'aborts its signal at the fifth call',
    answer: () => false,
    abortAt: 5,
    asked: 5,
    outcome: { status: 'rejected', reason: 'why' },
  },
])('a condition that $what is asked $asked times', async ({ answer, abortAt, asked: count, outcome }) => {
  for (const immediate of [false, true]) {
    const clock = new FakeClock()
    const controller = new AbortController()
    const result = await run(clock, (asked) =>
      pollUntilContextCancel(
        asked((n) => {
          if (n === abortAt) controller.abort('why')
          return answer(n)
        }),
        { interval: 1, immediate, signal: controller.signal, clock },
      ),
    )
    expect([result.times.length, result.outcome]).toEqual([count, expect.objectContaining(outcome)])
  }
})

describe('pollWithDelay', () => {
  // Each call takes 5 ms.
  it.each([
    [false, false, [10, 40, 90]],
    [false, true, [10, 45, 100]],
    [true, false, [0, 10, 40]],
    [true, true, [0, 15, 50]],
  ])('immediate %s, sliding %s', async (immediate, sliding, times) => {
    const clock = new FakeClock()
    const waits = [10, 30, 50]
    const result = await run(clock, (asked) =>
      pollWithDelay(
        asked(async (n) => {
          await sleep(5, { clock })
          return n === 3
        }),
        { delay: () => waits.shift() ?? 1000, immediate, sliding, clock },
      ),
    )
    expect(result).toMatchObject({ times, outcome: met })
  })
})

describe('exponentialBackoff', () => {
  it.each([
    ['all its tries', { duration: 10, factor: 2, steps: 3 }, [0, 10, 30], 30],
    ['no try', { duration: 10, steps: 0 }, [], 0],
    ['one try', { duration: 10, steps: 1 }, [0], 0],
    ['until the cap, and the wait that brings it', { duration: 10, factor: 10, steps: 9, cap: 500 }, [0, 10], 110],
  ])('makes %s', async (_name, backoff, times, end) => {
    const clock = new FakeClock()
    const result = await run(clock, (asked) =>
      exponentialBackoff(
        backoff,
        asked(() => false),
        { clock },
      ),
    )
    expect(result).toMatchObject({ times, end, outcome: timedOut })
  })

  it('ends with the answer, with what the condition throws, and with the signal', async () => {
    const backoff = { duration: 10, steps: 5 }
    let clock = new FakeClock()
    const ok = await run(clock, (asked) =>
      exponentialBackoff(
        backoff,
        asked((n) => n === 2),
        { clock },
      ),
    )
    expect(ok).toMatchObject({ times: [0, 10], outcome: met })

    clock = new FakeClock()
    const thrown = await run(clock, (asked) =>
      exponentialBackoff(
        backoff,
        asked(() => Promise.reject(new Error('boom'))),
        { clock },
      ),
    )
    expect(thrown).toMatchObject({ times: [0], outcome: { reason: { message: 'boom' } } })

    clock = new FakeClock()
    const controller = new AbortController()
    clock.setTimer(15, () => controller.abort('why'))
    const aborted = await run(clock, (asked) =>
      exponentialBackoff(
        backoff,
        asked(() => false),
        { clock, signal: controller.signal },
      ),
    )
    expect(aborted).toMatchObject({ times: [0, 10], outcome: { reason: 'why' }, end: 15 })
    expect(clock.pendingTimers).toBe(0)
  })

  it('takes jitter from its source', async () => {
    const clock = new FakeClock()
    const result = await run(clock, (asked) =>
      exponentialBackoff(
        { duration: 100, jitter: 0.5, steps: 3 },
        asked(() => false),
        { clock, random: () => 0.5 },
      ),
    )
    expect(result.times).toEqual([0, 125, 250])
  })
})

describe('interrupted', () => {
  it.each<[string, unknown, boolean]>([
    ['its own error', new InterruptedError(), true],
    ['one that wraps it', new Error('x', { cause: new InterruptedError('y') }), true],
    ['an abort', AbortSignal.abort().reason, true],
    ['a timeout', new DOMException('x', 'TimeoutError'), true],
    ['another error of the platform', new DOMException('x', 'DataCloneError'), false],
    ['any error', new Error('timed out waiting for the condition'), false],
    ['no error', undefined, false],
  ])('knows %s', (_name, err, want) => {
    expect(interrupted(err)).toBe(want)
  })

  it('does not go round and round', () => {
    const err = new Error('x')
    err.cause = err
    expect(interrupted(err)).toBe(false)
  })

  it('knows the reason of the signal it is shown', () => {
    const signal = AbortSignal.abort('why')
    expect([interrupted('why', signal), interrupted('why'), interrupted('other', signal)]).toEqual([true, false, false])
  })
})
