// One does the work, and all who wait for it get what it gives.

import { expect, it } from 'vitest'
import { SingleFlight } from './single-flight.js'

interface Run {
  resolve: (value: string) => void
  reject: (err: unknown) => void
  signal: AbortSignal
}

function flight(): { work: SingleFlight<string>; runs: Run[] } {
  const runs: Run[] = []
  const work = new SingleFlight<string>(
    (signal) => new Promise((resolve, reject) => void runs.push({ resolve, reject, signal })),
  )
  return { work, runs }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('serves all who come while it goes on, and starts anew for the next', async () => {
  const { work, runs } = flight()
  const first = [work.run(undefined), work.run(new AbortController().signal)]
  runs[0]?.resolve('a')
  expect(await Promise.all(first)).toEqual(['a', 'a'])
  const next = work.run(undefined)
  runs[1]?.resolve('b')
  expect(await next).toBe('b')
  expect(runs).toHaveLength(2)
})

it('fails for all who wait, and is tried again by the next', async () => {
  const { work, runs } = flight()
  const waiting = [work.run(undefined), work.run(undefined)]
  runs[0]?.reject(new Error('no'))
  expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const next = work.run(undefined)
  runs[1]?.resolve('b')
  expect(await next).toBe('b')
})

it('goes on while one still waits, and is given up when the last has left', async () => {
  const { work, runs } = flight()
  const [one, two] = [new AbortController(), new AbortController()]
  const waiting = [work.run(one.signal), work.run(two.signal)]
  one.abort(new Error('one left'))
  await expect(waiting[0]).rejects.toThrow('one left')
  expect(runs[0]?.signal.aborted).toBe(false)
  two.abort(new Error('two left'))
  await expect(waiting[1]).rejects.toThrow('two left')
  expect(runs[0]?.signal.aborted).toBe(true)
})

it('does not start anew before the work that was given up has come to its end', async () => {
  const { work, runs } = flight()
  const controller = new AbortController()
  const left = work.run(controller.signal)
  controller.abort()
  await expect(left).rejects.toThrow()
  const impatient = new AbortController()
  const [next, other] = [work.run(undefined), work.run(impatient.signal)]
  impatient.abort(new Error('also left'))
  await expect(other).rejects.toThrow('also left')
  await turn()
  expect(runs).toHaveLength(1)
  runs[0]?.reject(new Error('given up'))
  await turn()
  expect(runs).toHaveLength(2)
  runs[1]?.resolve('b')
  expect(await next).toBe('b')
})

it('does nothing for who has left before', async () => {
  const { work, runs } = flight()
  await expect(work.run(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  expect(runs).toHaveLength(0)
})
