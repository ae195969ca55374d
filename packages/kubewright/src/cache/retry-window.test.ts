import { expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import { isInternalError } from '../meta/index.js'
import { RetryWindow } from './retry-window.js'
import { apiError } from './server.test-support.js'

const internal = apiError(500, 'InternalError')
const other = new Error('another error')

it.each<{ what: string; maxMs: number; steps: [waitMs: number, err: unknown, retry: boolean][] }>([
  {
    what: 'never with a duration of zero',
    maxMs: 0,
    steps: [
      [1000, undefined, false],
      [0, internal, false],
      [1000, other, false],
    ],
  },
  {
    what: 'for as long as the window that the first failure opened',
    maxMs: 1000,
    steps: [
      [1000, internal, true],
      [1000, internal, true],
      [1000, internal, false],
    ],
  },
  { what: 'not after another error', maxMs: 1000, steps: [[1000, other, false]] },
  {
    what: 'also after another error in between, which changes nothing',
    maxMs: 1000,
    steps: [
      [1000, internal, true],
      [0, other, true],
      [1000, internal, true],
    ],
  },
  {
    what: 'again for a new window, a minute after the last such failure',
    maxMs: 1000,
    steps: [
      [1000, internal, true],
      [60_000, internal, true],
      [1000, internal, true],
      [1, internal, false],
    ],
  },
])('retries $what', async ({ maxMs, steps }) => {
  const clock = new FakeClock()
  const window = new RetryWindow(maxMs, isInternalError, clock)
  for (const [waitMs, err, retry] of steps) {
    await clock.advance(waitMs)
    window.after(err)
    expect(window.shouldRetry()).toBe(retry)
  }
})
