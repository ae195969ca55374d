import { describe, expect, it } from 'vitest'
import type { Watch, WatchEvent } from '../meta/index.js'
import { FakeWatcher, RaceFreeFakeWatcher } from './fake-watcher.js'
import { pod, status } from './watch.test-support.js'

async function read(watch: Watch): Promise<WatchEvent[]> {
  const events: WatchEvent[] = []
  for await (const event of watch) events.push(event)
  return events
}

const types = ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR', 'ADDED']

describe('FakeWatcher', () => {
  it('hands each event over', async () => {
    const fake = new FakeWatcher()
    const reading = read(fake)
    expect(await fake.add(pod('a'))).toBe(true)
    await fake.modify(pod('a'))
    await fake.delete(pod('a'))
    await fake.bookmark(pod('a'))
    await fake.error(status(500, 'x'))
    await fake.action('ADDED', pod('b'))
    fake.stop()
    expect((await reading).map(({ type }) => type)).toEqual(types)
  })

  it('waits for its reader, and says whether there was one', async () => {
    const fake = new FakeWatcher()
    const sent = fake.add(pod('a'))
    fake.stop()
    expect([await sent, await fake.add(pod('b')), fake.isStopped()]).toEqual([false, false, true])
    expect(await read(fake)).toEqual([])
  })

  it('with a channel keeps what was sent before its stop', async () => {
    const fake = new FakeWatcher({ channelSize: 2 })
    await fake.add(pod('a'))
    fake.stop()
    expect(await read(fake)).toHaveLength(1)
  })

  it('is stopped by a reader that leaves', async () => {
    const fake = new FakeWatcher({ channelSize: 2 })
    await fake.add(pod('a'))
    for await (const _ of fake) break
    expect(fake.isStopped()).toBe(true)
  })

  it('can be made anew', async () => {
    const fake = new FakeWatcher({ channelSize: 1 })
    fake.stop()
    await read(fake)
    fake.reset()
    expect(fake.isStopped()).toBe(false)
    await fake.add(pod('a'))
    fake.stop()
    expect(await read(fake)).toHaveLength(1)
    expect(() => fake[Symbol.asyncIterator]()).toThrow('a watch can be iterated once')
  })

  it.each([-1, Number.NaN])('refuses a channelSize of %d', (channelSize) => {
    expect(() => new FakeWatcher({ channelSize })).toThrow(RangeError)
  })
})

describe('RaceFreeFakeWatcher', () => {
  it('sends without waiting, and drops what comes after its stop', async () => {
    const fake = new RaceFreeFakeWatcher()
    fake.add(pod('a'))
    fake.modify(pod('a'))
    fake.delete(pod('a'))
    fake.bookmark(pod('a'))
    fake.error(status(500, 'x'))
    fake.action('ADDED', pod('b'))
    fake.stop()
    fake.add(pod('c'))
    expect((await read(fake)).map(({ type }) => type)).toEqual(types)
  })

  it('throws when a hundred events wait', () => {
    const fake = new RaceFreeFakeWatcher()
    for (let i = 0; i < 100; i++) fake.add(pod(`p${i}`))
    expect(() => fake.add(pod('x'))).toThrow('channel full')
    fake.stop()
    fake.add(pod('x'))
  })
})
