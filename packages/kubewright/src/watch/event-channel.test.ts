import { describe, expect, it } from 'vitest'
import { EventChannel } from './event-channel.js'

/** What a promise has come to once jobs have run. */
async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  return Promise.race([promise, new Promise((resolve) => setImmediate(() => resolve('pending')))])
}

const value = (v: unknown): object => ({ done: false, value: v })
const done = { done: true, value: undefined }

describe('EventChannel', () => {
  it('without room hands over', async () => {
    const channel = new EventChannel<number>(0)
    expect(channel.trySend(1)).toBe(false)
    const sent = channel.send(1)
    expect(await stateOf(sent)).toBe('pending')
    expect(await channel.receive()).toEqual(value(1))
    expect(await sent).toBe(true)
    const received = channel.receive()
    expect(channel.trySend(2)).toBe(true)
    expect(await received).toEqual(value(2))
  })

  it('with room keeps the order, of those that wait for room too', async () => {
    const channel = new EventChannel<number>(2)
    const sent = [1, 2, 3, 4].map((n) => channel.send(n))
    expect(await Promise.all(sent.map(stateOf))).toEqual([true, true, 'pending', 'pending'])
    expect(await channel.receive()).toEqual(value(1))
    expect(await Promise.all(sent.map(stateOf))).toEqual([true, true, true, 'pending'])
    expect(channel.trySend(5)).toBe(false)
    for (const n of [2, 3, 4]) expect(await channel.receive()).toEqual(value(n))
  })

  it('gives several readers one each', async () => {
    const channel = new EventChannel<number>(0)
    const reads = [channel.receive(), channel.receive()]
    await channel.send(1)
    await channel.send(2)
    expect(await Promise.all(reads)).toEqual([value(1), value(2)])
  })

  it('closed, gives what it has, and takes nothing', async () => {
    const channel = new EventChannel<number>(1)
    const sent = [channel.send(1), channel.send(2)]
    channel.close()
    channel.close()
    expect(await Promise.all(sent)).toEqual([true, false])
    expect([channel.trySend(3), await channel.send(3), channel.isClosed]).toEqual([false, false, true])
    expect([await channel.receive(), await channel.receive(), await channel.receive()]).toEqual([value(1), done, done])
  })

  it('closed, ends who waits', async () => {
    const channel = new EventChannel<number>(1)
    const read = channel.receive()
    channel.close()
    expect(await read).toEqual(done)
  })

  it('discarded, gives nothing', async () => {
    const channel = new EventChannel<number>(1)
    await channel.send(1)
    channel.discard()
    expect(await channel.receive()).toEqual(done)
  })

  it('failed, gives the reason and nothing else', async () => {
    const channel = new EventChannel<number>(1)
    const read = channel.receive()
    channel.fail('why')
    await expect(read).rejects.toBe('why')
    await expect(channel.receive()).rejects.toBe('why')
    const other = new EventChannel<number>(1)
    other.trySend(1)
    other.fail('why')
    await expect(other.receive()).rejects.toBe('why')
    const closed = new EventChannel<number>(1)
    closed.close()
    closed.fail('why')
    expect(await closed.receive()).toEqual(done)
  })

  it('holds many, and forgets what was read', async () => {
    const channel = new EventChannel<number>(Number.POSITIVE_INFINITY)
    const read: number[] = []
    for (let round = 0; round < 20; round++) {
      for (let i = 0; i < 1000; i++) channel.trySend(round * 1000 + i)
      for (let i = 0; i < 900; i++) read.push((await channel.receive()).value ?? -1)
    }
    channel.close()
    for (let n = await channel.receive(); !n.done; n = await channel.receive()) read.push(n.value)
    expect(read).toEqual(Array.from({ length: 20_000 }, (_, i) => i))
  })
})

it('hands over however many wait, in time that grows with their number', async () => {
  const many = 100_000
  const channel = new EventChannel<number>(0)
  const sent = Array.from({ length: many }, (_, i) => channel.send(i))
  let inOrder = true
  for (let i = 0; i < many; i++) inOrder &&= (await channel.receive()).value === i
  expect(inOrder).toBe(true)
  expect((await Promise.all(sent)).every(Boolean)).toBe(true)
  const received = Array.from({ length: many }, () => channel.receive())
  for (let i = 0; i < many; i++) channel.trySend(i)
  expect((await Promise.all(received)).every(({ value }, i) => value === i)).toBe(true)
}, 20_000)
