import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'
import { FakeClock, sleep } from '../clock/index.js'
import { DelayingQueue } from './delaying-queue.js'
import { FifoQueue } from './fifo-queue.js'
import { RateLimitingQueue } from './rate-limiting-queue.js'
import { WorkQueue } from './work-queue.js'

/** Lets promise jobs run. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

/** Follows a promise from outside. */
function follow<T>(promise: Promise<T>) {
  const state: { settled: boolean; value?: T; reason?: unknown } = { settled: false }
  promise.then(
    (value) => Object.assign(state, { settled: true, value }),
    (reason) => Object.assign(state, { settled: true, reason }),
  )
  return state
}

describe.each([
  ['WorkQueue', WorkQueue],
  ['DelayingQueue', DelayingQueue],
  ['RateLimitingQueue', RateLimitingQueue],
] as [string, typeof WorkQueue][])('%s', (_name, Queue) => {
  it.each(['shutDown', 'shutDownWithDrain'] as const)(
    'serves many producers and consumers, no item to two at a time, and ends by %s',
    async (end) => {
      const clock = new FakeClock()
      const queue = new Queue<string>({ clock })
      const processing = new Set<string>()
      const processed: string[] = []
      const producers = Array.from({ length: 50 }, async (_, i) => {
        for (let j = 0; j < 50; j++) {
          queue.add(String(j % 25))
          await sleep(1 + ((i + j) % 3), { clock })
        }
      })
      const consumers = Array.from({ length: 10 }, async () => {
        for await (const item of queue) {
          expect(processing.has(item)).toBe(false)
          processing.add(item)
          await sleep(3, { clock })
          processing.delete(item)
          processed.push(item)
          queue.done(item)
        }
      })
      await clock.advance(200)
      await Promise.all(producers)
      const ended = queue[end]()
      queue.add('added after shutdown')
      await clock.advance(100)
      await Promise.all([...consumers, ended])
      expect(queue.length).toBe(0)
      expect(new Set(processed).size).toBe(25)
      expect(clock.pendingTimers).toBe(0)
    },
  )

  it.each(['shutDown', 'shutDownWithDrain'] as const)(
    'takes items that are added while processed, and ends by %s',
    async (end) => {
      const queue = new Queue<number>()
      for (let i = 0; i < 50; i++) queue.add(i)
      const counts = new Map<number, number>()
      const consumers = Array.from({ length: 10 }, async () => {
        for await (const item of queue) {
          counts.set(item, (counts.get(item) ?? 0) + 1)
          if (counts.get(item) === 1) queue.add(item)
          await null
          queue.done(item)
        }
      })
      await settle()
      await queue[end]()
      await Promise.all(consumers)
      expect([...counts.values()]).toEqual(Array(50).fill(2))
      expect(queue.length).toBe(0)
    },
  )

  it('counts what waits to be handed out', async () => {
    const queue = new Queue<string>()
    queue.add('foo')
    queue.add('bar')
    queue.add('foo')
    expect(queue.length).toBe(2)
    await queue.get()
    expect(queue.length).toBe(1)
  })

  it('hands out in the order of adding', async () => {
    const queue = new Queue<string>()
    for (const item of ['c', 'a', 'b', 'a']) queue.add(item)
    expect([await queue.get(), await queue.get(), await queue.get()]).toEqual(['c', 'a', 'b'])
  })

  it('queues again at done what was added while being processed', async () => {
    const queue = new Queue<string>()
    queue.add('foo')
    expect(await queue.get()).toBe('foo')
    queue.add('foo')
    expect(queue.length).toBe(0)
    queue.done('foo')
    expect(queue.length).toBe(1)
    expect(await queue.get()).toBe('foo')
    queue.done('foo')
    expect(queue.length).toBe(0)
  })

  it('puts it behind what is queued already', async () => {
    const queue = new Queue<string>()
    queue.add('foo')
    await queue.get()
    queue.add('foo')
    queue.add('bar')
    queue.done('foo')
    expect([await queue.get(), await queue.get()]).toEqual(['bar', 'foo'])
  })

  it('hands out once what is added several times while it waits', async () => {
    const queue = new Queue<string>()
    queue.add('bar')
    queue.add('bar')
    await queue.get()
    queue.done('bar')
    expect(queue.length).toBe(0)
  })

  it('hands out once more what is added several times while being processed', async () => {
    const queue = new Queue<string>()
    queue.add('foo')
    await queue.get()
    queue.add('foo')
    queue.add('foo')
    const next = follow(queue.get())
    await settle()
    expect(next.settled).toBe(false)
    queue.done('foo')
    await settle()
    expect(next.value).toBe('foo')
    queue.done('foo')
    expect(queue.length).toBe(0)
  })

  it('takes done for what is not being processed as nothing', async () => {
    const queue = new Queue<string>()
    queue.done('unknown')
    queue.add('foo')
    queue.done('foo')
    expect(queue.length).toBe(1)
    await queue.get()
    queue.add('foo')
    queue.done('foo')
    queue.done('foo')
    expect(queue.length).toBe(1)
  })

  it('refuses undefined', () => {
    expect(() => new Queue<string | undefined>().add(undefined)).toThrow(TypeError)
  })

  it('takes any other value', async () => {
    const queue = new Queue<unknown>()
    for (const item of ['', 0, false, null]) queue.add(item)
    queue.shutDown()
    const got: unknown[] = []
    for await (const item of queue) {
      got.push(item)
      queue.done(item)
    }
    expect(got).toEqual(['', 0, false, null])
  })

  it('compares objects by identity, or by key', async () => {
    const byIdentity = new Queue<{ id: string }>()
    byIdentity.add({ id: 'a' })
    byIdentity.add({ id: 'a' })
    expect(byIdentity.length).toBe(2)

    const byKey = new Queue<{ id: string; n: number }>({ key: ({ id }) => id })
    byKey.add({ id: 'a', n: 1 })
    byKey.add({ id: 'a', n: 2 })
    expect(byKey.length).toBe(1)
    expect(await byKey.get()).toEqual({ id: 'a', n: 1 })
    byKey.add({ id: 'a', n: 3 })
    expect(byKey.length).toBe(0)
    byKey.done({ id: 'a', n: 9 })
    expect(await byKey.get()).toEqual({ id: 'a', n: 3 })
  })

  describe('shutDown', () => {
    it('refuses more, hands out the rest, and gives undefined at the end', async () => {
      const queue = new Queue<string>()
      queue.add('a')
      expect(queue.shuttingDown).toBe(false)
      queue.shutDown()
      expect(queue.shuttingDown).toBe(true)
      queue.add('b')
      expect(await queue.get()).toBe('a')
      expect(await queue.get()).toBeUndefined()
      expect(await queue.get()).toBeUndefined()
    })

    it('wakes all who wait', async () => {
      const queue = new Queue<string>()
      const waiting = [queue.get(), queue.get(), queue.get()]
      queue.shutDown()
      expect(await Promise.all(waiting)).toEqual([undefined, undefined, undefined])
    })

    it('still hands out what was added again while being processed', async () => {
      const queue = new Queue<string>()
      queue.add('foo')
      await queue.get()
      queue.add('foo')
      queue.shutDown()
      queue.done('foo')
      expect(await queue.get()).toBe('foo')
    })

    it('is the end of `using`', () => {
      const queue = new Queue<string>()
      queue[Symbol.dispose]()
      expect(queue.shuttingDown).toBe(true)
    })
  })

  describe('shutDownWithDrain', () => {
    it('waits until all that is being processed is done', async () => {
      const queue = new Queue<string>()
      queue.add('foo')
      queue.add('bar')
      await queue.get()
      await queue.get()
      const drained = follow(queue.shutDownWithDrain())
      expect(await queue.get()).toBeUndefined()
      queue.done('foo')
      await settle()
      expect(drained.settled).toBe(false)
      queue.done('bar')
      await settle()
      expect(drained.settled).toBe(true)
    })

    it('waits for what is queued, also while nothing is being processed', async () => {
      const queue = new Queue<string>()
      queue.add('foo')
      queue.add('bar')
      const drained = follow(queue.shutDownWithDrain())
      await queue.get()
      queue.done('foo')
      await settle()
      expect(drained.settled).toBe(false)
      await queue.get()
      queue.done('bar')
      await settle()
      expect(drained.settled).toBe(true)
    })

    it('waits for what was added again while being processed', async () => {
      const queue = new Queue<string>()
      queue.add('foo')
      await queue.get()
      queue.add('foo')
      const drained = follow(queue.shutDownWithDrain())
      expect(await queue.get()).toBeUndefined()
      queue.done('foo')
      await settle()
      expect(drained.settled).toBe(false)
      expect(await queue.get()).toBe('foo')
      queue.done('foo')
      expect(await queue.get()).toBeUndefined()
      await settle()
      expect(drained.settled).toBe(true)
    })

    it('ends at once where there is nothing to wait for', async () => {
      const queue = new Queue<string>()
      await queue.shutDownWithDrain()
      await queue.shutDownWithDrain()
      expect(queue.shuttingDown).toBe(true)
    })

    it('ends early by shutDown', async () => {
      const queue = new Queue<string>()
      queue.add('foo')
      await queue.get()
      const drains = [queue.shutDownWithDrain(), queue.shutDownWithDrain()]
      queue.shutDown()
      await expect(Promise.all(drains)).resolves.toHaveLength(2)
    })

    it('can follow a shutDown', async () => {
      const queue = new Queue<string>()
      queue.add('foo')
      await queue.get()
      queue.shutDown()
      const drained = follow(queue.shutDownWithDrain())
      await settle()
      expect(drained.settled).toBe(false)
      queue.done('foo')
      await settle()
      expect(drained.settled).toBe(true)
    })

    it('ends early by its signal; the queue is shut down all the same', async () => {
      const queue = new Queue<string>()
      queue.add('foo')
      await queue.get()
      const controller = new AbortController()
      const drained = queue.shutDownWithDrain({ signal: controller.signal })
      controller.abort('too long')
      await expect(drained).rejects.toBe('too long')
      await expect(queue.shutDownWithDrain({ signal: AbortSignal.abort('at once') })).rejects.toBe('at once')
      expect(queue.shuttingDown).toBe(true)
      queue.done('foo')
    })
  })

  describe('get', () => {
    it('serves those who wait in their order', async () => {
      const queue = new Queue<string>()
      const waiting = [queue.get(), queue.get(), queue.get()]
      queue.add('a')
      queue.add('b')
      queue.add('c')
      expect(await Promise.all(waiting)).toEqual(['a', 'b', 'c'])
      expect(queue.length).toBe(0)
    })

    it('rejects with the reason of an aborted signal, and leaves the items', async () => {
      const queue = new Queue<string>()
      queue.add('a')
      await expect(queue.get({ signal: AbortSignal.abort('why') })).rejects.toBe('why')
      expect(queue.length).toBe(1)
    })

    it('gives up its place on abort', async () => {
      const queue = new Queue<string>()
      const controller = new AbortController()
      const first = queue.get({ signal: controller.signal })
      const second = queue.get()
      controller.abort('why')
      await expect(first).rejects.toBe('why')
      queue.add('a')
      expect(await second).toBe('a')
    })

    it('keeps an item that it was given before the abort', async () => {
      const queue = new Queue<string>()
      const controller = new AbortController()
      const got = queue.get({ signal: controller.signal })
      queue.add('a')
      controller.abort('why')
      expect(await got).toBe('a')
    })
  })

  describe('tryGet', () => {
    it('hands out what is there, and says when there is nothing', async () => {
      const queue = new Queue<string>()
      expect(queue.tryGet()).toBeUndefined()
      queue.add('a')
      queue.add('b')
      queue.add('a')
      expect([queue.tryGet(), queue.tryGet(), queue.tryGet()]).toEqual(['a', 'b', undefined])
      queue.add('a')
      expect([queue.length, queue.tryGet()]).toEqual([0, undefined])
      queue.done('a')
      expect(queue.tryGet()).toBe('a')
    })

    it('leaves to those who wait what comes after they asked', async () => {
      const queue = new Queue<string>()
      const waiting = queue.get()
      queue.add('a')
      expect(queue.tryGet()).toBeUndefined()
      expect(await waiting).toBe('a')
    })

    it('hands out the rest after a shutdown, and drains', async () => {
      const queue = new Queue<string>()
      queue.add('a')
      const drained = follow(queue.shutDownWithDrain())
      queue.add('b')
      expect([queue.tryGet(), queue.tryGet()]).toEqual(['a', undefined])
      await settle()
      expect(drained.settled).toBe(false)
      queue.done('a')
      await settle()
      expect(drained.settled).toBe(true)
    })

    it('is what loops use while there are items', async () => {
      const queue = new Queue<string>()
      const get = vi.spyOn(queue, 'get')
      for (const item of ['a', 'b', 'c']) queue.add(item)
      const got: string[] = []
      for await (const item of queue) {
        got.push(item)
        queue.done(item)
        if (item === 'c') break
      }
      expect(got).toEqual(['a', 'b', 'c'])
      expect(get).not.toHaveBeenCalled()
      const next = queue[Symbol.asyncIterator]().next()
      queue.add('d')
      expect(await next).toEqual({ done: false, value: 'd' })
      expect(get).toHaveBeenCalledTimes(1)
    })
  })

  it('can be left by a loop, and goes on with another', async () => {
    const queue = new Queue<string>()
    for (const item of ['a', 'b', 'c']) queue.add(item)
    const got: string[] = []
    for await (const item of queue) {
      got.push(item)
      queue.done(item)
      break
    }
    expect([queue.shuttingDown, queue.length]).toEqual([false, 2])
    queue.shutDown()
    for await (const item of queue) {
      got.push(item)
      queue.done(item)
    }
    expect(got).toEqual(['a', 'b', 'c'])
  })
})

describe('WorkQueue', () => {
  it('takes another order of items, and tells it of repeated adds', async () => {
    const touched: string[] = []
    class Stack extends FifoQueue<string> {
      readonly items: string[] = []
      override get length(): number {
        return this.items.length
      }
      override touch(item: string): void {
        touched.push(item)
      }
      override push(item: string): void {
        this.items.push(item)
      }
      override pop(): string {
        return this.items.pop() as string
      }
    }
    const queue = new WorkQueue<string>({ queue: new Stack() })
    queue.add('a')
    queue.add('b')
    queue.add('a')
    expect(touched).toEqual(['a'])
    expect(await queue.get()).toBe('b')
    queue.add('b')
    queue.add('b')
    expect(touched).toEqual(['a'])
    queue.done('b')
    expect([await queue.get(), await queue.get()]).toEqual(['b', 'a'])
  })

  it('says so when its order gives an item that is not held, and keeps those who wait', async () => {
    let forging = true
    class Forger extends FifoQueue<string> {
      override pop(): string {
        const item = super.pop()
        return forging ? 'forged' : item
      }
    }
    const queue = new WorkQueue<string>({ queue: new Forger() })
    queue.add('a')
    await expect(queue.get()).rejects.toThrow('not held')
    queue.add('z')
    expect(() => queue.tryGet()).toThrow('not held')
    const waiting = queue.get()
    expect(() => queue.add('b')).toThrow('not held')
    forging = false
    queue.add('c')
    expect(await waiting).toBe('c')
  })

  it('holds nothing of what is done', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage: () => void = runInNewContext('gc')
    const queue = new WorkQueue<object>()
    const refs: WeakRef<object>[] = []
    for (let i = 0; i < 10; i++) {
      const item = {}
      refs.push(new WeakRef(item))
      queue.add(item)
      queue.done((await queue.get()) as object)
    }
    // A weak reference holds its target until the end of the job that made it.
    await settle()
    collectGarbage()
    expect(refs.slice(0, -1).filter((ref) => ref.deref() !== undefined)).toEqual([])
    expect(queue.length).toBe(0)
  })
})
