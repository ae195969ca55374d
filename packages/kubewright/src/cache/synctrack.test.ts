import { describe, expect, it } from 'vitest'
import { Lazy } from './lazy.js'
import { AsyncTracker, SingleFileTracker } from './synctrack.js'

const trackers = {
  SingleFileTracker: () => new SingleFileTracker() as Pick<AsyncTracker<number>, keyof AsyncTracker<number>>,
  AsyncTracker: () => new AsyncTracker<number>(),
}

describe.each(Object.entries(trackers))('%s', (_, make) => {
  it('is synced when the source is, and all that was started is finished', () => {
    const tracker = make()
    tracker.start(1)
    tracker.start(2)
    tracker.finished(1)
    tracker.upstreamHasSynced()
    expect(tracker.hasSynced()).toBe(false)
    tracker.finished(2)
    expect(tracker.hasSynced()).toBe(true)
  })

  it('waits for the source', () => {
    const tracker = make()
    tracker.start(1)
    tracker.finished(1)
    expect(tracker.hasSynced()).toBe(false)
    tracker.upstreamHasSynced()
    expect(tracker.hasSynced()).toBe(true)
  })

  it('is synced with an empty source, and stays so', async () => {
    const tracker = make()
    tracker.upstreamHasSynced()
    await tracker.synced
    tracker.start(1)
    expect(tracker.hasSynced()).toBe(true)
    tracker.stop(new Error('stopped'))
    await tracker.synced
  })

  it('says that it never will be', async () => {
    const tracker = make()
    tracker.start(1)
    tracker.stop(new Error('stopped'))
    await expect(tracker.synced).rejects.toThrow('stopped')
    expect(tracker.hasSynced()).toBe(false)
  })
})

it('SingleFileTracker refuses what was not started', () => {
  expect(() => new SingleFileTracker().finished()).toThrow('not started')
})

it('SingleFileTracker counts, and stays synced when one finishes too many', () => {
  const tracker = new SingleFileTracker()
  for (let i = 0; i < 100; i++) tracker.start()
  for (let i = 0; i < 99; i++) tracker.finished()
  tracker.upstreamHasSynced()
  expect(tracker.hasSynced()).toBe(false)
  tracker.finished()
  expect(tracker.hasSynced()).toBe(true)
  expect(() => tracker.finished()).toThrow('not started')
  expect(tracker.hasSynced()).toBe(true)
})

it('AsyncTracker counts keys: each once, in any order, and takes those that were not started', () => {
  const tracker = new AsyncTracker<string>()
  for (const key of ['a', 'b', 'a']) tracker.start(key)
  tracker.finished('never')
  tracker.finished('b')
  tracker.upstreamHasSynced()
  expect(tracker.hasSynced()).toBe(false)
  tracker.finished('a')
  expect(tracker.hasSynced()).toBe(true)
})

describe('Lazy', () => {
  it('computes when it is asked, and again after a change', () => {
    let count = 0
    const lazy = new Lazy(() => ++count)
    expect(count).toBe(0)
    expect([lazy.get(), lazy.get()]).toEqual([1, 1])
    lazy.notify()
    lazy.notify()
    expect([lazy.get(), lazy.get()]).toEqual([2, 2])
  })

  it('keeps results that are nothing, and no failures', () => {
    let count = 0
    const nothing = new Lazy(() => void count++)
    nothing.get()
    nothing.get()
    expect(count).toBe(1)
    let fail = true
    const failing = new Lazy(() => {
      if (fail) throw new Error('no')
      return 1
    })
    expect(() => failing.get()).toThrow('no')
    fail = false
    expect(failing.get()).toBe(1)
  })

  it('lets all wait for one slow result, and gives none to those who ask after a change', async () => {
    const resolves: ((value: number) => void)[] = []
    const lazy = new Lazy(
      () =>
        new Promise<number>((resolve) => {
          resolves.push(resolve)
        }),
    )
    const [a, b] = [lazy.get(), lazy.get()]
    lazy.notify()
    const c = lazy.get()
    resolves[1]?.(2)
    resolves[0]?.(1)
    expect(await Promise.all([a, b, c, lazy.get()])).toEqual([1, 1, 2, 2])
    expect(resolves).toHaveLength(2)
  })

  it.each([
    { what: 'before', order: [0, 1] },
    { what: 'after', order: [1, 0] },
  ])('evaluates twice for two changes: a slow first result, there $what the second, is not kept', async ({ order }) => {
    const resolves: (() => void)[] = []
    const lazy = new Lazy(() => {
      const result = resolves.length
      return new Promise<number>((resolve) => resolves.push(() => resolve(result)))
    })
    const first = lazy.get()
    lazy.notify()
    const second = lazy.get()
    for (const which of order) {
      resolves[which]?.()
      await Promise.resolve()
    }
    expect([await first, await second, await lazy.get(), resolves.length]).toEqual([0, 1, 1, 2])
  })

  it('is never behind what was told', () => {
    let reality = 0
    const lazy = new Lazy(() => reality)
    for (let i = 1; i <= 1000; i++) {
      reality = i
      lazy.notify()
      expect(lazy.get()).toBe(i)
    }
  })

  it('forgets a result that failed late', async () => {
    let count = 0
    const lazy = new Lazy(async () => {
      if (++count === 1) throw new Error('no')
      return count
    })
    await expect(lazy.get()).rejects.toThrow('no')
    expect(await lazy.get()).toBe(2)
  })
})
