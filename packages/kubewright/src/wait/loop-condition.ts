// The loop that all waits for a condition are: ask, wait, ask again.

import { type Clock, sleep } from '../clock/index.js'

/**
 * What is waited for: true when it is met. It is given the signal of the wait, and what it throws ends the wait.
 */
export type ConditionFunc = (signal: AbortSignal) => Promise<boolean> | boolean

/** When the condition is to be asked next, on the monotonic clock; it is told the time now. */
export type NextDue = (now: number) => number

export interface LoopOptions {
  signal: AbortSignal
  nextDue: NextDue
  /** Ask at once, before the first wait, even when the signal has aborted. */
  immediate: boolean
  /** Count each wait from the end of the call before it, not from its start. */
  sliding: boolean
  clock: Clock
}

/**
 * Asks until the answer is true.
 *
 * @throws what the condition throws; the signal's reason when it aborts.
 */
export async function loopCondition(condition: ConditionFunc, options: LoopOptions): Promise<void> {
  const { signal, nextDue, immediate, sliding, clock } = options
  let due = 0
  const arm = (): void => {
    due = nextDue(clock.monotonic())
  }
  if (!sliding) arm()
  if (immediate && (await condition(signal))) return
  if (sliding) arm()
  for (;;) {
    await sleep(Math.max(0, due - clock.monotonic()), { signal, clock })
    signal.throwIfAborted()
    if (!sliding) arm()
    if (await condition(signal)) return
    if (sliding) arm()
  }
}

/** Ticks every `interval` milliseconds, as Go's tickers do: one tick waits for a slow reader, further ones are left out. */
export function ticks(interval: number): NextDue {
  if (interval === 0) return (now) => now
  let next: number | undefined
  return (now) => {
    if (next === undefined) next = now + interval
    // The tick that passed during the call is taken at once; the one after it comes at its time again.
    else next += Math.max(1, Math.ceil((now - next) / interval)) * interval
    return next
  }
}
