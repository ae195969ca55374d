import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import type { KubernetesObject, WatchEvent } from '../meta/index.js'
import { noLogger } from '../rest/index.js'
import { InterruptedError, interrupted } from '../wait/index.js'
import { FakeWatcher } from './fake-watcher.js'
import { type ConditionFunc, until, untilWithoutRetry, WatchClosedError } from './until.js'
import { PlayedClient, pod, status } from './watch.test-support.js'

const isType =
  (type: string): ConditionFunc =>
  (event) =>
    event.type === type

function fakeWith(...events: WatchEvent[]): FakeWatcher {
  const fake = new FakeWatcher({ channelSize: events.length })
  for (const event of events) void fake.send(event)
  return fake
}

const add: WatchEvent = { type: 'ADDED', object: pod('a', '1') }
const modify: WatchEvent = { type: 'MODIFIED', object: pod('a', '2') }

describe('untilWithoutRetry', () => {
  it('returns the event that meets the condition, and stops the watch', async () => {
    const fake = fakeWith(add, modify)
    expect(await untilWithoutRetry(fake, isType('MODIFIED'))).toBe(modify)
    expect(fake.isStopped()).toBe(true)
  })

  it('asks for several conditions one after the other, the next first about the same event', async () => {
    const asked: string[] = []
    const condition =
      (name: string, type: string): ConditionFunc =>
      (event) => {
        asked.push(`${name} ${event.type}`)
        return event.type === type
      }
    const conditions = [condition('1', 'ADDED'), condition('2', 'ADDED'), condition('3', 'MODIFIED')]
    expect(await untilWithoutRetry(fakeWith(add, modify), conditions)).toBe(modify)
    expect(asked).toEqual(['1 ADDED', '2 ADDED', '3 ADDED', '3 MODIFIED'])
  })

  it('lets one event meet several conditions, and waits for the one that none has met', async () => {
    expect(await untilWithoutRetry(fakeWith(add), [isType('ADDED'), isType('ADDED')])).toBe(add)
    const clock = new FakeClock()
    const conditions = [isType('ADDED'), isType('ADDED'), isType('DELETED')]
    const result = untilWithoutRetry(fakeWith(add), conditions, { timeout: 10_000, clock }).catch((e: unknown) => e)
    await clock.advance(10_000)
    expect(interrupted(await result)).toBe(true)
  })

  it('without conditions returns nothing, and stops the watch', async () => {
    const fake = fakeWith(add)
    expect(await untilWithoutRetry(fake, [])).toBeUndefined()
    expect(fake.isStopped()).toBe(true)
  })

  it('waits for conditions that take time', async () => {
    const result = untilWithoutRetry(fakeWith(add, modify), async ({ type }) => {
      await null
      return type === 'MODIFIED'
    })
    expect(await result).toBe(modify)
  })

  it('passes on what a condition throws, also when it looks at the last event again', async () => {
    const boom = (): never => {
      throw new Error('boom')
    }
    for (const conditions of [[boom], [isType('ADDED'), boom]]) {
      const fake = fakeWith(add)
      await expect(untilWithoutRetry(fake, conditions)).rejects.toThrow('boom')
      expect(fake.isStopped()).toBe(true)
    }
  })

  it('fails when the watch ends, and tells the last event', async () => {
    const fake = fakeWith(add)
    fake.stop()
    const err = await untilWithoutRetry(fake, isType('MODIFIED')).catch((e: unknown) => e)
    expect(err).toBeInstanceOf(WatchClosedError)
    expect(err).toMatchObject({ message: 'watch closed before UntilWithoutRetry timeout', lastEvent: add })
    expect(interrupted(err)).toBe(false)
  })

  it('fails when the time is up', async () => {
    const clock = new FakeClock()
    const fake = fakeWith(add)
    const result = untilWithoutRetry(fake, isType('MODIFIED'), { timeout: 100, clock }).catch((e: unknown) => e)
    await clock.advance(100)
    const err = await result
    expect(err).toBeInstanceOf(InterruptedError)
    expect(err).toMatchObject({ message: 'timed out waiting for the condition' })
    expect([fake.isStopped(), clock.pendingTimers]).toEqual([true, 0])
  })

  it('fails when the signal aborts, before and during, with the reason as cause', async () => {
    const controller = new AbortController()
    const during = untilWithoutRetry(new FakeWatcher(), isType('ADDED'), { signal: controller.signal })
    controller.abort('why')
    const before = untilWithoutRetry(fakeWith(add), isType('ADDED'), { signal: controller.signal })
    for (const result of [during, before]) {
      await expect(result).rejects.toMatchObject({ message: 'timed out waiting for the condition', cause: 'why' })
    }
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('stops the watch where its options are refused', async () => {
    const fake = fakeWith(add)
    await expect(untilWithoutRetry(fake, isType('ADDED'), { timeout: -1 })).rejects.toThrow(RangeError)
    expect(fake.isStopped()).toBe(true)
  })
})

describe('until', () => {
  const options = (clock: FakeClock) => ({ clock, logger: noLogger })

  it('goes on over watches that end', async () => {
    const clock = new FakeClock()
    const client = new PlayedClient().events([add]).events([modify], { open: true })
    const result = until<KubernetesObject>('1', client, isType('MODIFIED'), options(clock))
    await clock.advance(1000)
    expect(await result).toEqual(modify)
    await clock.advance(0)
    expect(client.asked.map(({ resourceVersion }) => resourceVersion)).toEqual(['1', '1'])
    expect([client.watches[1]?.isStopped(), clock.pendingTimers]).toEqual([true, 0])
  })

  it('fails when the server no longer knows the version', async () => {
    const gone: WatchEvent = { type: 'ERROR', object: status(410, 'Expired') }
    const result = until('1', new PlayedClient().events([gone]), isType('ADDED'), options(new FakeClock()))
    await expect(result).rejects.toMatchObject({ name: 'WatchClosedError', lastEvent: gone })
  })

  it('fails when the time is up, while it waits to try again too', async () => {
    const clock = new FakeClock()
    const client = new PlayedClient().fails(new Error('boom')).fails(new Error('boom'))
    const result = until('1', client, isType('ADDED'), { ...options(clock), timeout: 1500 }).catch((e: unknown) => e)
    await clock.advance(1500)
    expect(interrupted(await result)).toBe(true)
    await clock.advance(0)
    expect(clock.pendingTimers).toBe(0)
  })

  it('refuses to begin anywhere', async () => {
    await expect(until('', new PlayedClient(), isType('ADDED'))).rejects.toThrow('initial RV "" is not supported')
  })
})
