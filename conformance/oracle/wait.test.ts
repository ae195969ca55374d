import fc from 'fast-check'
import { FakeClock } from 'kubewright/clock'
import { Backoff, type BackoffOptions, delayWithReset } from 'kubewright/wait'
import { expect, it } from 'vitest'
import { runs } from './arbitraries.js'
import { type Ask, describeWithOracle } from './describe-with-oracle.js'

const nsPerMs = 1_000_000

const ms = fc.integer({ min: 0, max: 120_000 })
const backoff = fc.record({
  duration: ms,
  // Binary fractions, which both multiply without an error.
  factor: fc.oneof(
    fc.constantFrom(0, 1, 2, 5, 10),
    fc.integer({ min: 1, max: 32 }).map((n) => n / 8),
  ),
  jitter: fc.oneof(
    fc.constant(0),
    fc.integer({ min: -8, max: 32 }).map((n) => n / 16),
  ),
  steps: fc.integer({ min: -1, max: 12 }),
  cap: fc.oneof(fc.constant(0), ms),
})
const random = fc.integer({ min: 0, max: 255 }).map((n) => n / 256)

const asQuestion = (options: Required<{ [K in keyof BackoffOptions]: number }>): object => ({
  ...options,
  duration: options.duration * nsPerMs,
  cap: options.cap * nsPerMs,
})

/** Go's longest duration, 292 years, with room for what jitter adds. */
const longestMs = 2 ** 61 / nsPerMs

/**
 * Go cuts a part of a nanosecond off at each step, and the next step multiplies what is missing. From its longest duration
 * on, it gives nonsense.
 */
function expectSame(ours: readonly number[], go: readonly number[]): void {
  expect(ours).toHaveLength(go.length)
  const tooLong = ours.findIndex((wait) => wait > longestMs)
  ours.slice(0, tooLong < 0 ? undefined : tooLong).forEach((wait, i) => {
    const ns = go[i] ?? Number.NaN
    expect(Math.abs(wait * nsPerMs - ns), `wait ${i}: ours ${wait} ms, Go ${ns} ns`).toBeLessThanOrEqual(50 + ns * 1e-6)
  })
}

describeWithOracle('back-offs', (oracle: Ask) => {
  it('wait as long, step by step', async () => {
    await fc.assert(
      fc.asyncProperty(backoff, random, async (options, chance) => {
        const calls = 16
        const answer = await oracle.ask<{ waits: number[]; steps: number }>('wait.step', {
          ...asQuestion(options),
          random: chance,
          calls,
        })
        if (!('result' in answer)) throw new Error(answer.error)
        const ours = new Backoff(options, { random: () => chance })
        expectSame(
          Array.from({ length: calls }, () => ours.step()),
          answer.result.waits,
        )
        expect(ours.steps).toBe(answer.result.steps)
      }),
      runs(300),
    )
  })

  it('start anew after the same time', async () => {
    const passed = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(
        backoff,
        random,
        fc.integer({ min: -1, max: 40 }),
        passed,
        async (options, chance, reset, steps) => {
          const answer = await oracle.ask<{ waits: number[] }>('wait.delayWithReset', {
            ...asQuestion(options),
            random: chance,
            resetInterval: reset * nsPerMs,
            passed: steps.map((step) => step * nsPerMs),
          })
          if (!('result' in answer)) throw new Error(answer.error)
          const clock = new FakeClock()
          const delay = delayWithReset(options, { resetInterval: reset, clock, random: () => chance })
          const ours: number[] = []
          for (const step of steps) {
            await clock.advance(step)
            ours.push(delay())
          }
          expectSame(ours, answer.result.waits)
        },
      ),
      runs(200),
    )
  })
})
