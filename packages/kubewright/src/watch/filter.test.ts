import { expect, it } from 'vitest'
import { mapWatch, type Watch, type WatchEvent } from '../meta/index.js'
import { FakeWatcher } from './fake-watcher.js'
import { filterWatch } from './index.js'
import { pod } from './watch.test-support.js'

const source = async (...names: string[]): Promise<FakeWatcher> => {
  const fake = new FakeWatcher({ channelSize: names.length })
  for (const name of names) await fake.add(pod(name))
  return fake
}

it('passes on what the function makes of each event', async () => {
  const fake = await source('a', 'b', 'c')
  fake.stop()
  const events: WatchEvent[] = []
  const filtered = filterWatch(fake, (event) => {
    if (event.type === 'ERROR' || event.object.metadata?.name === 'b') return undefined
    return { type: 'MODIFIED', object: event.object } as const
  })
  for await (const event of filtered) events.push(event)
  expect(events).toMatchObject([
    { type: 'MODIFIED', object: pod('a') },
    { type: 'MODIFIED', object: pod('c') },
  ])
})

it('stops the watch under it on stop, on break, and when the function throws', async () => {
  const [stopped, left, thrown] = await Promise.all([source('a'), source('a'), source('a')])
  filterWatch(stopped, (event) => event).stop()
  for await (const _ of filterWatch(left, (event) => event)) break
  const boom = filterWatch(thrown, () => {
    throw new Error('boom')
  })
  await expect(boom[Symbol.asyncIterator]().next()).rejects.toThrow('boom')
  expect([stopped, left, thrown].map((fake) => fake.isStopped())).toEqual([true, true, true])
})

it.each([
  ['filtered', (watch: Watch) => filterWatch(watch, (event) => event)],
  ['mapped', (watch: Watch) => mapWatch(watch, (object) => object)],
])('%s, lets its reader leave while an event is waited for', async (_, made) => {
  const quiet = generated(new FakeWatcher())
  const events = made(quiet)[Symbol.asyncIterator]()
  const next = events.next()
  expect(await events.return?.()).toEqual({ done: true, value: undefined })
  expect(await next).toEqual({ done: true, value: undefined })
})

/** A watch that is read by a generator, whose return waits for the next that is under way. */
function generated(watch: FakeWatcher): Watch {
  return {
    stop: () => watch.stop(),
    async *[Symbol.asyncIterator]() {
      yield* watch
    },
  }
}
