import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import { DelayingQueue } from './delaying-queue.js'
import type { WorkQueueMetricsProvider } from './metrics.js'

/** Collects what a queue reports: numbers by metric, all observations in order. */
function collect() {
  const names = new Set<string>()
  const values = { depth: 0, adds: 0, unfinished: 0, longest: 0, retries: 0 }
  const latency: number[] = []
  const workDuration: number[] = []
  let updates = 0
  const counter = (field: keyof typeof values) => (name: string) => {
    names.add(name)
    return {
      inc: () => void values[field]++,
      dec: () => void values[field]--,
      set: (value: number) => {
        updates++
        values[field] = value
      },
    }
  }
  const provider: WorkQueueMetricsProvider = {
    newDepthMetric: counter('depth'),
    newAddsMetric: counter('adds'),
    newLatencyMetric: () => ({ observe: (value) => void latency.push(value) }),
    newWorkDurationMetric: () => ({ observe: (value) => void workDuration.push(value) }),
    newUnfinishedWorkSecondsMetric: counter('unfinished'),
    newLongestRunningProcessorSecondsMetric: counter('longest'),
    newRetriesMetric: counter('retries'),
  }
  return { provider, names, values, latency, workDuration, updates: () => updates }
}

function setup(name?: string) {
  const clock = new FakeClock()
  const metrics = collect()
  const queue = new DelayingQueue<string>({ name, clock, metrics: metrics.provider })
  return { clock, queue, ...metrics }
}

describe('metrics of a work queue', () => {
  it('follow an item from add to done', async () => {
    const { clock, queue, names, values, latency, workDuration } = setup('test')
    expect([...names]).toEqual(['test'])
    queue.add('foo')
    expect(values).toMatchObject({ adds: 1, depth: 1 })
    await clock.advance(50)
    await queue.get()
    expect(latency).toEqual([0.05])
    for (let i = 0; i < 5; i++) queue.add('foo')
    expect(values).toMatchObject({ adds: 2, depth: 1 })
    await clock.advance(25)
    queue.done('foo')
    expect(workDuration).toEqual([0.025])
    expect(values.depth).toBe(1)
    await queue.get()
    expect(latency).toEqual([0.05, 0.025])
    expect(values.depth).toBe(0)
    await clock.advance(600)
    queue.done('foo')
    expect(workDuration).toEqual([0.025, 0.6])
    queue.done('foo')
    expect(workDuration).toHaveLength(2)
  })

  it('report the age of unfinished work every half second, while there is some', async () => {
    const { clock, queue, values, updates } = setup('test')
    await clock.advance(5000)
    expect([updates(), clock.pendingTimers]).toEqual([0, 0])
    queue.add('a')
    queue.add('b')
    await queue.get()
    await clock.advance(200)
    await queue.get()
    await clock.advance(300)
    expect(values).toMatchObject({ unfinished: 0.8, longest: 0.5 })
    queue.done('a')
    await clock.advance(500)
    expect(values).toMatchObject({ unfinished: 0.8, longest: 0.8 })
    queue.done('b')
    await clock.advance(500)
    expect(values).toMatchObject({ unfinished: 0, longest: 0 })
    expect(clock.pendingTimers).toBe(0)
  })

  it('stop their periodic reports at the shutdown', async () => {
    const { clock, queue, updates } = setup('test')
    queue.add('a')
    queue.add('b')
    await queue.get()
    queue.shutDown()
    await queue.get()
    expect(clock.pendingTimers).toBe(0)
    await clock.advance(3_600_000)
    expect(updates()).toBe(0)
  })

  it('count retries, not those refused', () => {
    const { queue, values } = setup('test')
    queue.addAfter('a', 10)
    queue.addAfter('a', 20)
    queue.addAfter('b', 0)
    queue.shutDown()
    queue.addAfter('c', 10)
    expect(values.retries).toBe(3)
  })

  it.each([undefined, ''])('are none for a queue named %j', async (name) => {
    const { clock, queue, names, values } = setup(name)
    queue.add('a')
    queue.addAfter('b', 0)
    await queue.get()
    expect(names.size).toBe(0)
    expect(values).toMatchObject({ adds: 0, retries: 0 })
    expect(clock.pendingTimers).toBe(0)
  })
})
