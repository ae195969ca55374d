import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import { ItemExponentialFailureRateLimiter } from './rate-limiters.js'
import { RateLimitingQueue } from './rate-limiting-queue.js'

describe('RateLimitingQueue', () => {
  it('adds after what its limiter says, until forgotten', async () => {
    const clock = new FakeClock()
    const queue = new RateLimitingQueue<string>({
      clock,
      rateLimiter: new ItemExponentialFailureRateLimiter(1, 1000),
    })
    const delay = async (item: string) => {
      const before = clock.monotonic()
      queue.addRateLimited(item)
      while (queue.length === 0 && (await clock.advanceToNext()));
      await queue.get()
      queue.done(item)
      return clock.monotonic() - before
    }
    expect([await delay('one'), await delay('one'), await delay('one')]).toEqual([1, 2, 4])
    expect(queue.numRequeues('one')).toBe(3)
    expect([await delay('two'), await delay('two')]).toEqual([1, 2])
    queue.forget('one')
    expect([queue.numRequeues('one'), queue.numRequeues('two')]).toEqual([0, 2])
    expect(await delay('one')).toBe(1)
  })

  it('has the limiter of controllers by default, on its own clock', async () => {
    const clock = new FakeClock()
    const queue = new RateLimitingQueue<string>({ name: 'test', clock })
    for (let i = 0; i < 101; i++) queue.addRateLimited(`item ${i}`)
    await clock.advance(5)
    expect(queue.length).toBe(100)
    await clock.advance(94)
    expect(queue.length).toBe(100)
    await clock.advance(2)
    expect(queue.length).toBe(101)
  })

  it('gives its key to the default limiter', () => {
    const queue = new RateLimitingQueue<{ id: string }>({ key: ({ id }) => id })
    queue.addRateLimited({ id: 'a' })
    queue.addRateLimited({ id: 'a' })
    expect(queue.numRequeues({ id: 'a' })).toBe(2)
    queue.forget({ id: 'a' })
    expect(queue.numRequeues({ id: 'a' })).toBe(0)
    queue.shutDown()
  })

  it('carries a controller’s loop: failures are tried again later, successes forgotten', async () => {
    const clock = new FakeClock()
    const queue = new RateLimitingQueue<string>({ clock })
    const attempts: string[] = []
    const workers = Array.from({ length: 2 }, async () => {
      for await (const key of queue) {
        try {
          attempts.push(`${key}@${clock.monotonic()}`)
          await null
          if (key === 'bad' && queue.numRequeues(key) < 3) throw new Error('not yet')
          queue.forget(key)
        } catch {
          queue.addRateLimited(key)
        } finally {
          queue.done(key)
        }
      }
    })
    queue.add('good')
    queue.add('bad')
    await clock.advance(1000)
    expect(attempts).toEqual(['good@0', 'bad@0', 'bad@5', 'bad@15', 'bad@35'])
    expect(queue.numRequeues('bad')).toBe(0)
    queue.shutDown()
    await Promise.all(workers)
    expect(clock.pendingTimers).toBe(0)
  })
})
