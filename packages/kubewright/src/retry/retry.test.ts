import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import { ApiError } from '../meta/errors.js'
import type { BackoffOptions } from '../wait/index.js'
import { defaultBackoff, defaultRetry, onError, retryOnConflict } from './retry.js'

const apiError = (code: number, reason: string) =>
  new ApiError({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: reason } as never, {
    method: 'PUT',
    url: 'https://server/x',
  })
const conflict = () => apiError(409, 'Conflict')

/** Runs `attempt` by its number and moves the clock by itself; gives the times of the attempts and the outcome. */
async function run<T>(
  backoff: Readonly<BackoffOptions>,
  attempt: (n: number) => T,
  retriable: (err: unknown) => boolean = () => true,
) {
  const clock = new FakeClock()
  const times: number[] = []
  let outcome: PromiseSettledResult<T> | undefined
  void Promise.allSettled([
    onError(
      backoff,
      retriable,
      async () => {
        times.push(clock.monotonic())
        return attempt(times.length)
      },
      { clock, random: () => 0 },
    ),
  ]).then(([settled]) => {
    outcome = settled
  })
  while (await clock.advanceToNext());
  return { times, outcome, end: clock.monotonic() }
}

const fail = (n: number): never => {
  throw new Error(`failure ${n}`)
}

describe('the defaults', () => {
  it('are client-go’s', () => {
    expect(defaultRetry).toEqual({ steps: 5, duration: 10, factor: 1, jitter: 0.1 })
    expect(defaultBackoff).toEqual({ steps: 4, duration: 10, factor: 5, jitter: 0.1 })
    expect(Object.isFrozen(defaultRetry) && Object.isFrozen(defaultBackoff)).toBe(true)
  })
})

describe('onError', () => {
  it.each<[string, Readonly<BackoffOptions>, number[]]>([
    ['defaultRetry', defaultRetry, [0, 10, 20, 30, 40]],
    ['defaultBackoff', defaultBackoff, [0, 10, 60, 310]],
    ['one step', { duration: 10, steps: 1 }, [0]],
    ['a cap ends the tries', { duration: 10, factor: 10, steps: 9, cap: 500 }, [0, 10]],
    ['a cap not reached', { duration: 10, factor: 2, steps: 3, cap: 500 }, [0, 10, 30]],
  ])('tries with %s, and throws the last error without a last wait', async (_name, backoff, times) => {
    const result = await run(backoff, fail)
    expect(result.times).toEqual(times)
    expect(result.end).toBe(times.at(-1))
    expect(result.outcome).toMatchObject({ status: 'rejected', reason: { message: `failure ${times.length}` } })
  })

  it('returns what the first success returned', async () => {
    const result = await run(defaultRetry, (n) => (n < 3 ? fail(n) : `value ${n}`))
    expect(result).toEqual({ times: [0, 10, 20], end: 20, outcome: { status: 'fulfilled', value: 'value 3' } })
  })

  it('throws at once what is not retriable', async () => {
    const result = await run(defaultRetry, fail, (err) => (err as Error).message !== 'failure 2')
    expect(result.times).toEqual([0, 10])
    expect(result.outcome).toMatchObject({ reason: { message: 'failure 2' } })
  })

  it('takes jitter from its source', async () => {
    const clock = new FakeClock()
    const times: number[] = []
    const tried = onError(
      { duration: 100, jitter: 0.5, steps: 3 },
      () => true,
      () => {
        times.push(clock.monotonic())
        return fail(times.length)
      },
      { clock, random: () => 0.5 },
    ).catch(() => {})
    while (await clock.advanceToNext());
    await tried
    expect(times).toEqual([0, 125, 250])
  })

  it.each([0, -1, undefined, Number.NaN])('refuses %s steps', async (steps) => {
    let calls = 0
    await expect(
      onError(
        { duration: 1, steps },
        () => true,
        () => calls++,
      ),
    ).rejects.toThrow(RangeError)
    expect(calls).toBe(0)
  })

  it('does not begin when aborted', async () => {
    let calls = 0
    const tried = onError(
      defaultRetry,
      () => true,
      () => calls++,
      { signal: AbortSignal.abort('why') },
    )
    await expect(tried).rejects.toBe('why')
    expect(calls).toBe(0)
  })

  it('ends its wait on abort', async () => {
    const clock = new FakeClock()
    const controller = new AbortController()
    let calls = 0
    const tried = onError(
      defaultRetry,
      () => true,
      () => fail(++calls),
      { signal: controller.signal, clock },
    )
    await clock.advance(5)
    controller.abort('why')
    await expect(tried).rejects.toBe('why')
    expect([calls, clock.pendingTimers]).toEqual([1, 0])
  })
})

describe('retryOnConflict', () => {
  it('tries again after a conflict, and returns the result', async () => {
    const clock = new FakeClock()
    let calls = 0
    const tried = retryOnConflict(
      async () => {
        if (++calls < 3) throw conflict()
        return 'done'
      },
      { clock },
    )
    await clock.advance(50)
    expect([await tried, calls]).toEqual(['done', 3])
  })

  it('throws the last conflict after the last try', async () => {
    const clock = new FakeClock()
    const thrown: unknown[] = []
    const tried = retryOnConflict(
      () => {
        const err = conflict()
        thrown.push(err)
        throw err
      },
      { clock },
    ).catch((err) => err)
    await clock.advance(1000)
    expect(thrown).toHaveLength(5)
    expect(await tried).toBe(thrown[4])
  })

  it('takes another back-off', async () => {
    let calls = 0
    const tried = retryOnConflict(
      () => {
        calls++
        throw conflict()
      },
      { backoff: { duration: 0, steps: 1 } },
    )
    await expect(tried).rejects.toThrow('Conflict')
    expect(calls).toBe(1)
  })

  it.each([
    ['a conflict that is the cause', 5, new Error('while updating', { cause: conflict() })],
    ['code 409 with an unknown reason', 5, apiError(409, 'SomethingElse')],
    ['code 409 with another known reason', 1, apiError(409, 'AlreadyExists')],
    ['another API error', 1, apiError(404, 'NotFound')],
    ['an error that is none of the API', 1, new Error('Conflict')],
  ])('after %s tries %d times', async (_name, want, err) => {
    const clock = new FakeClock()
    let calls = 0
    const tried = retryOnConflict(
      () => {
        calls++
        throw err
      },
      { clock },
    ).catch((caught) => caught)
    await clock.advance(1000)
    expect(await tried).toBe(err)
    expect(calls).toBe(want)
  })
})
