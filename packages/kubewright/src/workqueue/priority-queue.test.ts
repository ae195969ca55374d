import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import type { WorkQueueMetricsProvider } from './metrics.js'
import { lowPriority, PriorityQueue, type PriorityQueueOptions } from './priority-queue.js'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function setup(options: PriorityQueueOptions<string> = {}) {
  const clock = new FakeClock()
  return { clock, queue: new PriorityQueue<string>({ clock, ...options }) }
}

/** Takes all that is ready, done at once: what came with which priority. */
async function takeAll(queue: PriorityQueue<string>): Promise<[string, number][]> {
  const taken: [string, number][] = []
  while (queue.length > 0) {
    const next = await queue.getWithPriority()
    if (!next) break
    taken.push([next.item, next.priority])
    queue.done(next.item)
  }
  return taken
}

describe('PriorityQueue', () => {
  it('hands out the higher priority first, and one priority in the order of adding', async () => {
    const { queue } = setup()
    queue.add('a')
    queue.addWithOpts({ lowPriority: true }, 'low')
    queue.addWithOpts({ priority: 3 }, 'x', 'y')
    queue.addWithOpts({ priority: 0 }, 'b')
    queue.addWithOpts({ priority: 1, lowPriority: true }, 'one')
    expect(await takeAll(queue)).toEqual([
      ['x', 3],
      ['y', 3],
      ['one', 1],
      ['a', 0],
      ['b', 0],
      ['low', lowPriority],
    ])
  })

  it('holds an item once, with the highest priority it was added with', async () => {
    const { queue } = setup()
    queue.addWithOpts({ priority: 1 }, 'foo')
    queue.addWithOpts({ priority: 2 }, 'foo')
    queue.addWithOpts({ priority: 1 }, 'foo')
    queue.add('foo')
    expect(queue.length).toBe(1)
    expect(await takeAll(queue)).toEqual([['foo', 2]])
  })

  it('puts a raised item behind those that had its priority before', async () => {
    const { queue } = setup()
    queue.addWithOpts({ priority: 1 }, 'foo')
    queue.addWithOpts({ priority: 1 }, 'bar')
    queue.addWithOpts({ priority: 2 }, 'baz')
    queue.addWithOpts({ priority: 2 }, 'foo')
    expect((await takeAll(queue)).map(([item]) => item)).toEqual(['baz', 'foo', 'bar'])
  })

  it('never hands out an item that is being processed; others go on', async () => {
    const { queue } = setup()
    queue.add('foo')
    expect(await queue.get()).toBe('foo')
    queue.addWithOpts({ priority: 1 }, 'foo')
    queue.add('bar')
    expect(queue.length).toBe(2)
    expect(await queue.get()).toBe('bar')
    let next: string | undefined
    void queue.get().then((item) => {
      next = item
    })
    await turn()
    expect(next).toBeUndefined()
    queue.done('foo')
    await turn()
    expect(next).toBe('foo')
  })

  it('hands out to those who wait, longest waiting first', async () => {
    const { queue } = setup()
    const got = [queue.get(), queue.get(), queue.get()]
    queue.addWithOpts({ priority: -1 }, 'a')
    queue.addWithOpts({ priority: 1 }, 'b', 'c')
    expect(await Promise.all(got)).toEqual(['a', 'b', 'c'])
  })

  it('hands out without a promise, as it does with one', async () => {
    const { clock, queue } = setup()
    queue.addAfter('later', 10)
    expect([queue.tryGet(), queue.tryGetWithPriority()]).toEqual([undefined, undefined])
    queue.addWithOpts({ priority: 2 }, 'b')
    queue.add('a')
    expect(queue.tryGetWithPriority()).toEqual({ item: 'b', priority: 2 })
    queue.add('b')
    expect([queue.tryGet(), queue.tryGet()]).toEqual(['a', undefined])
    queue.done('b')
    expect(queue.tryGet()).toBe('b')
    await clock.advance(10)
    queue.shutDown()
    expect(queue.tryGet()).toBeUndefined()
  })

  it('drains through it, and ends those who wait', async () => {
    const { queue } = setup()
    queue.add('a')
    queue.tryGet()
    queue.add('a')
    const drained = queue.shutDownWithDrain()
    queue.done('a')
    expect(queue.tryGet()).toBe('a')
    const end = queue.get()
    queue.done('a')
    await drained
    expect(await end).toBeUndefined()
  })

  it('remembers nothing of an item that is being processed but its key', async () => {
    const { queue } = setup()
    queue.addWithOpts({ priority: 5 }, 'a')
    queue.tryGet()
    queue.addWithOpts({ priority: -1, after: 20 }, 'a')
    queue.add('b')
    expect([queue.length, queue.delayedLength]).toEqual([1, 1])
    queue.addWithOpts({ priority: -2 }, 'a')
    expect([queue.length, queue.delayedLength]).toEqual([2, 0])
    queue.done('a')
    expect(await takeAll(queue)).toEqual([
      ['b', 0],
      ['a', -1],
    ])
  })

  it('lets a wait be ended, and loses no item by it', async () => {
    const { queue } = setup()
    const stop = new AbortController()
    const aborted = queue.get({ signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(aborted).rejects.toThrow('enough')
    queue.add('a')
    await expect(queue.get({ signal: stop.signal })).rejects.toThrow('enough')
    expect(await queue.get()).toBe('a')
  })

  it('compares by key', async () => {
    const queue = new PriorityQueue<{ name: string; from: number }>({ key: ({ name }) => name })
    queue.add({ name: 'a', from: 1 })
    queue.addWithOpts({ priority: 1 }, { name: 'a', from: 2 })
    expect(queue.length).toBe(1)
    expect(await queue.getWithPriority()).toEqual({ item: { name: 'a', from: 1 }, priority: 1 })
  })

  it('refuses what it could not hand out or order', () => {
    const { queue } = setup()
    expect(() => queue.add(undefined as unknown as string)).toThrow(TypeError)
    expect(() => queue.addWithOpts({ priority: Number.NaN }, 'a')).toThrow(RangeError)
    expect(() => queue.addWithOpts({ after: Number.POSITIVE_INFINITY }, 'a')).toThrow(RangeError)
    expect(() => queue.addWithOpts({}, 'a', undefined as unknown as string)).toThrow(TypeError)
    expect(queue.length).toBe(0)
    expect(() => new PriorityQueue({ ageing: { oneIn: 0 } })).toThrow(RangeError)
  })
})

describe('PriorityQueue, delayed', () => {
  it('keeps the earliest time, counts delayed items apart, and holds one timer', async () => {
    const { clock, queue } = setup()
    queue.addWithOpts({ after: 50 }, 'foo')
    queue.addAfter('foo', 90)
    queue.addAfter('foo', 20)
    queue.addAfter('bar', 30)
    expect([queue.length, queue.delayedLength, clock.pendingTimers]).toEqual([0, 2, 1])
    await clock.advance(20)
    expect([queue.length, queue.delayedLength, clock.pendingTimers]).toEqual([1, 1, 1])
    await clock.advance(10)
    expect([queue.length, queue.delayedLength, clock.pendingTimers]).toEqual([2, 0, 0])
    await clock.advance(1000)
    expect((await takeAll(queue)).map(([item]) => item)).toEqual(['foo', 'bar'])
  })

  it('makes ready at once what is added without delay, and leaves ready what is', async () => {
    const { clock, queue } = setup()
    queue.addAfter('a', 1000)
    queue.add('b')
    queue.add('a')
    queue.addAfter('b', 1000)
    expect([queue.length, queue.delayedLength]).toEqual([2, 0])
    expect((await takeAll(queue)).map(([item]) => item)).toEqual(['a', 'b'])
    await clock.advance(2000)
    expect(queue.length).toBe(0)
  })

  it('orders delayed items by when they became ready', async () => {
    const { clock, queue } = setup()
    queue.addAfter('late', 20)
    queue.addAfter('soon', 10)
    queue.addWithOpts({ after: 20, priority: 1 }, 'urgent')
    await clock.advance(15)
    queue.add('now')
    await clock.advance(10)
    expect((await takeAll(queue)).map(([item]) => item)).toEqual(['urgent', 'soon', 'now', 'late'])
  })

  it('takes the shorter of a delay and what the limiter says', async () => {
    const { clock, queue } = setup()
    queue.addWithOpts({ rateLimited: true, after: 3 }, 'a')
    queue.addWithOpts({ rateLimited: true, after: 100 }, 'b')
    queue.addRateLimited('c')
    await clock.advance(3)
    expect(queue.length).toBe(1)
    await clock.advance(2)
    expect(queue.length).toBe(3)
    expect(queue.numRequeues('a')).toBe(1)
    queue.forget('a')
    expect(queue.numRequeues('a')).toBe(0)
    queue.addRateLimited('b')
    expect(queue.numRequeues('b')).toBe(2)
  })

  it('does not wait for what is processed to promote what is delayed', async () => {
    const { clock, queue } = setup()
    queue.add('a')
    await queue.get()
    queue.addAfter('a', 10)
    await clock.advance(10)
    expect([queue.length, queue.delayedLength]).toEqual([1, 0])
    queue.done('a')
    expect(await queue.get()).toBe('a')
  })
})

describe('PriorityQueue, ageing', () => {
  /** A worker that takes 100 ms for each item, while important items are always there. */
  async function turnOf(item: string, priority: number, options: PriorityQueueOptions<string>): Promise<number> {
    const { clock, queue } = setup(options)
    queue.addWithOpts({ priority }, item)
    queue.addWithOpts({ priority: 5 }, 'hot 0', 'hot -1')
    for (let i = 1; i < 1000; i++) {
      queue.addWithOpts({ priority: 5 }, `hot ${i}`)
      const next = await queue.get()
      if (next === item) return i
      queue.done(next as string)
      await clock.advance(100)
    }
    return Number.POSITIVE_INFINITY
  }

  it('gives an item that has waited for 10 s its turn', async () => {
    expect(await turnOf('cold', lowPriority, {})).toBe(101)
  })

  it('is as quick as it is told to be', async () => {
    expect(await turnOf('cold', 0, { ageing: { afterMs: 1000, oneIn: 2 } })).toBe(11)
    expect(await turnOf('cold', 0, { ageing: { afterMs: 0, oneIn: 1 } })).toBe(1)
  })

  it('can be turned off', async () => {
    expect(await turnOf('cold', 4, { ageing: false })).toBe(Number.POSITIVE_INFINITY)
  })

  it('leaves most of the hand-outs to priorities, however long everything waits', async () => {
    const { clock, queue } = setup()
    for (let i = 0; i < 100; i++) queue.addWithOpts({ lowPriority: true }, `low ${i}`)
    for (let i = 0; i < 100; i++) queue.add(`high ${i}`)
    await clock.advance(3_600_000)
    const order = (await takeAll(queue)).map(([item]) => item)
    expect(order.slice(0, 100).filter((item) => item.startsWith('low'))).toHaveLength(10)
    expect(order.indexOf('low 0')).toBe(9)
  })

  it('lets every item have its turn within the bound, whatever is added', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 1, maxLength: 30 }),
        async (priorities) => {
          const { clock, queue } = setup({ ageing: { afterMs: 1000, oneIn: 3 } })
          priorities.forEach((priority, i) => queue.addWithOpts({ priority }, `old ${i}`))
          await clock.advance(1000)
          const left = new Set(priorities.map((_, i) => `old ${i}`))
          for (let i = 0; i < 3 * priorities.length; i++) {
            queue.addWithOpts({ priority: 9 }, `new ${i}`)
            const item = (await queue.get()) as string
            left.delete(item)
            queue.done(item)
          }
          expect([...left]).toEqual([])
        },
      ),
      { numRuns: 50 },
    )
  })
})

describe('PriorityQueue, shut down', () => {
  it('drops what waits, ends loops and waits, and accepts nothing', async () => {
    const { clock, queue } = setup()
    queue.add('a')
    queue.addAfter('b', 10)
    queue.shutDown()
    queue.add('c')
    expect([queue.length, queue.delayedLength, clock.pendingTimers]).toEqual([0, 0, 0])
    expect(await queue.get()).toBeUndefined()
    for await (const _ of queue) expect.unreachable()
    const idle = setup().queue
    const waiting = idle.get()
    idle.shutDown()
    expect(await waiting).toBeUndefined()
    expect(idle.shuttingDown).toBe(true)
  })

  it('drops what was added again while it is being processed', async () => {
    const { clock, queue } = setup()
    queue.addWithOpts({}, 'now', 'later')
    expect([queue.tryGet(), queue.tryGet()]).toEqual(['now', 'later'])
    queue.add('now')
    queue.addAfter('later', 10)
    queue.shutDown()
    queue.done('now')
    queue.done('later')
    await clock.advance(100)
    expect([queue.length, queue.delayedLength, queue.tryGet()]).toEqual([0, 0, undefined])
    await queue.shutDownWithDrain()
  })

  it('drains: hands out what is ready, also what is added again by then, and waits until it is done', async () => {
    const { clock, queue } = setup()
    queue.addWithOpts({}, 'a', 'b')
    queue.addAfter('later', 10)
    expect(await queue.get()).toBe('a')
    queue.add('a')
    let drained = false
    void queue.shutDownWithDrain().then(() => {
      drained = true
    })
    expect(await queue.get()).toBe('b')
    queue.done('b')
    const again = queue.get()
    queue.done('a')
    expect(await again).toBe('a')
    expect(await queue.get()).toBeUndefined()
    await turn()
    expect(drained).toBe(false)
    queue.done('a')
    await turn()
    expect(drained).toBe(true)
    await clock.advance(100)
    expect(queue.length).toBe(0)
  })

  it('ends a drain by a signal, or by shutting down', async () => {
    const { queue } = setup()
    queue.add('a')
    const stop = new AbortController()
    const first = queue.shutDownWithDrain({ signal: stop.signal })
    const second = queue.shutDownWithDrain()
    stop.abort(new Error('enough'))
    await expect(first).rejects.toThrow('enough')
    queue.shutDown()
    await second
  })

  it('ends idle workers at a drain, and those that wait while the last item is processed', async () => {
    const { queue } = setup()
    const idle = queue.get()
    await queue.shutDownWithDrain()
    expect(await idle).toBeUndefined()
  })
})

describe('metrics of a priority queue', () => {
  function collect() {
    const depth: Record<number, number> = {}
    const counts = { adds: 0, retries: 0 }
    const latency: number[] = []
    const nothing = { inc() {}, dec() {}, set() {}, observe() {} }
    const provider: WorkQueueMetricsProvider = {
      newDepthMetric: () => expect.unreachable('there is one by priority'),
      newDepthMetricWithPriority: () => ({
        inc: (priority) => void (depth[priority] = (depth[priority] ?? 0) + 1),
        dec: (priority) => void (depth[priority] = (depth[priority] ?? 0) - 1),
      }),
      newAddsMetric: () => ({ inc: () => void counts.adds++ }),
      newLatencyMetric: () => ({ observe: (value) => void latency.push(value) }),
      newWorkDurationMetric: () => nothing,
      newUnfinishedWorkSecondsMetric: () => nothing,
      newLongestRunningProcessorSecondsMetric: () => nothing,
      newRetriesMetric: () => ({ inc: () => void counts.retries++ }),
    }
    return { depth, counts, latency, provider }
  }

  it('count an item when it is ready, under its priority', async () => {
    const { depth, counts, latency, provider } = collect()
    const { clock, queue } = setup({ name: 'test', metrics: provider })
    queue.addWithOpts({ after: 100, priority: 1 }, 'a')
    expect([depth, counts]).toEqual([{}, { adds: 0, retries: 1 }])
    queue.addWithOpts({ priority: 3 }, 'a')
    expect([depth, counts]).toEqual([{ 3: 1 }, { adds: 1, retries: 1 }])
    queue.addWithOpts({ priority: 4 }, 'a')
    expect(depth).toEqual({ 3: 0, 4: 1 })
    await clock.advance(50)
    await queue.get()
    expect([depth, latency]).toEqual([{ 3: 0, 4: 0 }, [0.05]])
    queue.done('a')
    queue.shutDown()
    expect(clock.pendingTimers).toBe(0)
  })

  it('have no priority where the provider knows none', () => {
    const { provider, counts } = collect()
    let depth = 0
    const { newDepthMetricWithPriority: _, ...others } = provider
    const plain: WorkQueueMetricsProvider = {
      ...others,
      newDepthMetric: () => ({ inc: () => void depth++, dec: () => void depth-- }),
    }
    const { queue } = setup({ name: 'test', metrics: plain })
    queue.addWithOpts({ priority: 7 }, 'a')
    expect([depth, counts.adds]).toEqual([1, 1])
  })
})

describe('PriorityQueue without ageing', () => {
  interface Held {
    item: string
    priority: number
    order: number
    readyAt: number | undefined
  }

  it('does what the rules say, whatever is done with it', async () => {
    const item = fc.constantFrom('a', 'b', 'c', 'd', 'e')
    const command = fc.oneof(
      fc.record({
        op: fc.constant('add' as const),
        item,
        priority: fc.integer({ min: -1, max: 2 }),
        after: fc.constantFrom(0, 0, 0, 5, 10, 20),
      }),
      fc.record({ op: fc.constant('get' as const) }),
      fc.record({ op: fc.constant('tryGet' as const) }),
      fc.record({ op: fc.constant('done' as const), item }),
      fc.record({ op: fc.constant('advance' as const), ms: fc.constantFrom(1, 5, 10) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 50 }), async (commands) => {
        const { clock, queue } = setup({ ageing: false })
        let held: Held[] = []
        const processing = new Set<string>()
        let order = 0
        const rank = (a: Held, b: Held): number => b.priority - a.priority || a.order - b.order
        for (const each of commands) {
          if (each.op === 'add') {
            queue.addWithOpts({ priority: each.priority, after: each.after }, each.item)
            const readyAt = each.after > 0 ? clock.monotonic() + each.after : undefined
            const found = held.find((one) => one.item === each.item)
            if (!found) {
              held.push({ item: each.item, priority: each.priority, order: order++, readyAt })
            } else {
              if (each.priority > found.priority) Object.assign(found, { priority: each.priority, order: order++ })
              if (found.readyAt !== undefined) found.readyAt = readyAt && Math.min(found.readyAt, readyAt)
            }
          } else if (each.op === 'get' || each.op === 'tryGet') {
            const [next] = held.filter((one) => one.readyAt === undefined && !processing.has(one.item)).sort(rank)
            if (each.op === 'get' && !next) continue
            const taken = each.op === 'get' ? await queue.getWithPriority() : queue.tryGetWithPriority()
            expect(taken).toEqual(next && { item: next.item, priority: next.priority })
            if (!next) continue
            held = held.filter((one) => one !== next)
            processing.add(next.item)
          } else if (each.op === 'done') {
            queue.done(each.item)
            processing.delete(each.item)
          } else {
            await clock.advance(each.ms)
            const due = held.filter((one) => one.readyAt !== undefined && one.readyAt <= clock.monotonic())
            due.sort((a, b) => (a.readyAt as number) - (b.readyAt as number) || rank(a, b))
            for (const one of due) Object.assign(one, { readyAt: undefined, order: order++ })
          }
          const ready = held.filter((one) => one.readyAt === undefined).length
          expect([queue.length, queue.delayedLength]).toEqual([ready, held.length - ready])
        }
      }),
      { numRuns: 300 },
    )
  })
})
