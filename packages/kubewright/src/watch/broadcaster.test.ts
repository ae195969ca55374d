import { describe, expect, it } from 'vitest'
import type { Watch, WatchEvent } from '../meta/index.js'
import { Broadcaster, type FullChannelBehavior } from './broadcaster.js'
import { pod } from './watch.test-support.js'

const event = (n: number): WatchEvent => ({ type: 'ADDED', object: pod(`${n}`) })
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i)

async function read(watch: Watch): Promise<number[]> {
  const names: number[] = []
  for await (const { object } of watch)
    names.push(Number(object.metadata && 'name' in object.metadata && object.metadata.name))
  return names
}

const broadcaster = (queueLength: number, fullChannelBehavior: FullChannelBehavior, incomingQueueLength?: number) =>
  new Broadcaster({ queueLength, fullChannelBehavior, incomingQueueLength })

async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending')
  return (await Promise.race([promise, new Promise((resolve) => setImmediate(() => resolve(pending)))])) === pending
}

describe('Broadcaster', () => {
  it.each<[number, FullChannelBehavior]>([
    [0, 'wait'],
    [1, 'wait'],
    [100, 'drop'],
  ])('gives all events to all watches, in order: queue of %d, %s', async (queueLength, behaviour) => {
    const b = broadcaster(queueLength, behaviour)
    const readers = range(0, 5).map(() => read(b.watch()))
    for (const n of range(0, 100)) await b.action(event(n))
    await b.shutdown()
    for (const reader of readers) expect(await reader).toEqual(range(0, 100))
  })

  it('gives a watch only what comes after it was made, also while events wait', async () => {
    const b = broadcaster(1, 'wait')
    const first = b.watch()
    for (const n of range(0, 5)) void b.action(event(n))
    const second = read(b.watch())
    await b.action(event(5))
    const firstRead = read(first)
    await b.shutdown()
    expect([await firstRead, await second]).toEqual([range(0, 6), [5]])
  })

  it('gives queued events first to the watch that they are for', async () => {
    const b = broadcaster(0, 'drop')
    const watch = b.watchWithPrefix([event(1), event(2), event(3)])
    await b.action(event(4))
    await b.action(event(5))
    await b.shutdown()
    expect(await read(watch)).toEqual([1, 2, 3, 4])
  })

  it('drops for a full watch only, and delays nobody', async () => {
    const b = broadcaster(2, 'drop')
    const slow = b.watch()
    const fast = read(b.watch())
    for (const n of range(0, 10)) {
      await b.action(event(n))
      await null
    }
    await b.shutdown()
    expect(await fast).toEqual(range(0, 10))
    expect(await read(slow)).toEqual([0, 1])
  })

  it('waits for a full watch: then events queue up, actions wait, and some are dropped if wished', async () => {
    const b = broadcaster(1, 'wait', 2)
    const slow = b.watch()
    const other = read(b.watch())
    for (const n of range(0, 4)) await b.action(event(n))
    const waiting = b.action(event(4))
    expect(await isPending(waiting)).toBe(true)
    expect(b.actionOrDrop(event(5))).toBe(false)
    const slowRead = read(slow)
    await waiting
    expect(b.actionOrDrop(event(6))).toBe(true)
    await b.shutdown()
    expect([await slowRead, await other]).toEqual([
      [0, 1, 2, 3, 4, 6],
      [0, 1, 2, 3, 4, 6],
    ])
  })

  it('does not wait for a watch that is stopped, or whose reader leaves', async () => {
    const b = broadcaster(0, 'wait')
    const [stopped, left] = [b.watch(), b.watch()]
    await b.action(event(0))
    const leaving = (async () => {
      for await (const _ of left) break
    })()
    await leaving
    const second = b.action(event(1))
    stopped.stop()
    stopped.stop()
    await second
    await b.shutdown()
    expect(await read(stopped)).toEqual([])
  })

  it('gives out what is queued before it is shut down, and nothing after', async () => {
    const b = broadcaster(1, 'wait')
    const watch = b.watch()
    for (const n of range(0, 3)) void b.action(event(n))
    const down = b.shutdown()
    expect(await isPending(down)).toBe(true)
    expect(await read(watch)).toEqual([0, 1, 2])
    await down
    await b.shutdown()
    await expect(b.action(event(9))).rejects.toThrow('broadcaster already stopped')
    expect(() => b.actionOrDrop(event(9))).toThrow('broadcaster already stopped')
    expect(() => b.watch()).toThrow('broadcaster already stopped')
    expect(() => b.watchWithPrefix([event(9)])).toThrow('broadcaster already stopped')
  })

  it('without watches takes everything', async () => {
    const b = broadcaster(0, 'wait')
    for (const n of range(0, 100)) expect(b.actionOrDrop(event(n))).toBe(true)
    await b.shutdown()
  })

  it.each([{ queueLength: -1 }, { queueLength: Number.NaN }, { queueLength: 1, incomingQueueLength: -1 }])(
    'refuses %j',
    (options) => {
      expect(() => new Broadcaster({ fullChannelBehavior: 'drop', ...options })).toThrow(RangeError)
    },
  )
})
