import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import type { KubernetesList, KubernetesObject, ListOptions, Watch, WatchEvent } from '../meta/index.js'
import { noLogger } from '../rest/index.js'
import { interrupted } from '../wait/index.js'
import { FakeWatcher } from './fake-watcher.js'
import { newIndexerInformerWatcher, untilWithSync } from './informer-watcher.js'
import { apiError, pod } from './watch.test-support.js'

/** A server that lists what it is told to, and whose watches a test plays. */
class ListedServer {
  objects: KubernetesObject[]
  version = 1
  failure: Error | undefined
  readonly watches: FakeWatcher[] = []

  constructor(...objects: KubernetesObject[]) {
    this.objects = objects
  }

  isWatchListSemanticsUnSupported(): boolean {
    return true
  }

  async list(): Promise<KubernetesList<KubernetesObject>> {
    if (this.failure) throw this.failure
    return { metadata: { resourceVersion: `${this.version}` }, items: [...this.objects] }
  }

  async watch({ signal }: ListOptions): Promise<Watch> {
    const watch = new FakeWatcher()
    this.watches.push(watch)
    signal?.addEventListener('abort', () => watch.stop(), { once: true })
    return watch
  }

  get current(): FakeWatcher {
    const watch = this.watches.at(-1)
    if (!watch) throw new Error('nobody watches')
    return watch
  }
}

const settings = (clock = new FakeClock()) => ({ clock, logger: noLogger })

async function take(watch: AsyncIterator<WatchEvent>, count: number): Promise<unknown[]> {
  const seen: unknown[] = []
  for (let i = 0; i < count; i++) {
    const { value } = await watch.next()
    seen.push([value.type, value.object.metadata?.name, value.object.metadata?.resourceVersion])
  }
  return seen
}

describe('newIndexerInformerWatcher', () => {
  it('brings what there is, and every change; missed deletions with the last state', async () => {
    const clock = new FakeClock()
    const server = new ListedServer(pod('a', '1'))
    const { watch, indexer, informer, done } = newIndexerInformerWatcher(server, settings(clock))
    const events = watch[Symbol.asyncIterator]() as AsyncIterator<WatchEvent>
    await clock.advance(0)
    expect(await take(events, 1)).toEqual([['ADDED', 'a', '1']])
    expect(informer.hasSynced()).toBe(true)
    await server.current.add(pod('b', '2'))
    await server.current.modify(pod('b', '3'))
    await server.current.delete(pod('a', '4'))
    expect(await take(events, 3)).toEqual([
      ['ADDED', 'b', '2'],
      ['MODIFIED', 'b', '3'],
      ['DELETED', 'a', '4'],
    ])
    // The version is forgotten, and with it the deletion of b.
    server.objects = [pod('c', '9')]
    server.version = 9
    await server.current.error(apiError(410, 'Expired').status)
    for (let i = 0; i < 5; i++) await clock.advance(1000)
    const relisted = await take(events, 2)
    expect(relisted).toEqual(
      expect.arrayContaining([
        ['DELETED', 'b', '3'],
        ['ADDED', 'c', '9'],
      ]),
    )
    expect(indexer.listKeys()).toEqual(['default/c'])
    watch.stop()
    await clock.advance(0)
    await done
    expect(await events.next()).toEqual({ done: true, value: undefined })
    expect(clock.pendingTimers).toBe(0)
  })

  it('brings what a server streams, without the bookmark between what there is and what changes', async () => {
    const clock = new FakeClock()
    const server = Object.assign(new ListedServer(), { isWatchListSemanticsUnSupported: () => false })
    const { watch, done } = newIndexerInformerWatcher(server, settings(clock))
    const events = watch[Symbol.asyncIterator]() as AsyncIterator<WatchEvent>
    await clock.advance(0)
    for (const name of ['pod-1', 'pod-2', 'pod-3']) await server.current.add(pod(name, '1'))
    await server.current.bookmark({
      metadata: { resourceVersion: '3', annotations: { 'k8s.io/initial-events-end': 'true' } },
    })
    await server.current.add(pod('pod-4', '4'))
    await server.current.modify(pod('pod-2', '5'))
    await server.current.delete(pod('pod-3', '6'))
    expect(await take(events, 6)).toEqual([
      ['ADDED', 'pod-1', '1'],
      ['ADDED', 'pod-2', '1'],
      ['ADDED', 'pod-3', '1'],
      ['ADDED', 'pod-4', '4'],
      ['MODIFIED', 'pod-2', '5'],
      ['DELETED', 'pod-3', '6'],
    ])
    // What nobody reads any more does not hold it up.
    await server.current.add(pod('pod-5', '7'))
    watch.stop()
    await clock.advance(0)
    await done
    expect([server.current.isStopped(), clock.pendingTimers]).toEqual([true, 0])
  })

  it('stops when its reader leaves', async () => {
    const clock = new FakeClock()
    const server = new ListedServer(pod('a', '1'), pod('b', '1'))
    const { watch, done } = newIndexerInformerWatcher(server, settings(clock))
    await clock.advance(0)
    for await (const _ of watch) break
    await clock.advance(0)
    await done
    expect(clock.pendingTimers).toBe(0)
  })

  it('ends with the reason of the signal', async () => {
    const clock = new FakeClock()
    const controller = new AbortController()
    const { watch, done } = newIndexerInformerWatcher(new ListedServer(), {
      ...settings(clock),
      signal: controller.signal,
    })
    await clock.advance(0)
    const next = watch[Symbol.asyncIterator]().next()
    controller.abort('why')
    await expect(next).rejects.toBe('why')
    await clock.advance(0)
    await done
    expect([clock.pendingTimers, getEventListeners(controller.signal, 'abort')]).toEqual([0, []])
  })
})

describe('untilWithSync', () => {
  const isVersion =
    (version: string) =>
    (event: WatchEvent<unknown>): boolean =>
      (event.object as KubernetesObject).metadata?.resourceVersion === version

  /** Moves the clock until the promise settles. */
  async function settled<T>(clock: FakeClock, promise: Promise<T>): Promise<PromiseSettledResult<T>> {
    const outcomes: PromiseSettledResult<T>[] = []
    void Promise.allSettled([promise]).then((all) => outcomes.push(...all))
    for (let i = 0; i < 50; i++) if (outcomes.length === 0) await clock.advance(10)
    const outcome = outcomes[0]
    if (!outcome) throw new Error('it did not settle')
    return outcome
  }

  it('returns the event that meets the condition, once its informer has stopped', async () => {
    const clock = new FakeClock()
    const server = new ListedServer(pod('a', '1'))
    const result = untilWithSync(server, [isVersion('1'), isVersion('3')], settings(clock))
    await clock.advance(0)
    await server.current.modify(pod('a', '2'))
    await server.current.modify(pod('a', '3'))
    expect(await settled(clock, result)).toMatchObject({ value: { type: 'MODIFIED', object: pod('a', '3') } })
    expect([server.current.isStopped(), clock.pendingTimers]).toEqual([true, 0])
  })

  it('goes on when the server forgets the version', async () => {
    const clock = new FakeClock()
    const server = new ListedServer(pod('a', '1'))
    const result = untilWithSync(server, isVersion('7'), settings(clock))
    await clock.advance(0)
    server.objects = [pod('a', '7')]
    server.version = 7
    await server.current.error(apiError(410, 'Expired').status)
    for (let i = 0; i < 5; i++) await clock.advance(1000)
    expect(await settled(clock, result)).toMatchObject({ value: { type: 'MODIFIED' } })
  })

  it('asks the precondition of the whole cache; where it is met, there is no event', async () => {
    const clock = new FakeClock()
    const server = new ListedServer(pod('a', '1'), pod('b', '1'))
    const keys: string[][] = []
    const options = {
      ...settings(clock),
      precondition: (indexer: { listKeys(): readonly string[] }) => keys.push([...indexer.listKeys()]) > 0,
    }
    const result = untilWithSync(server, isVersion('never'), options)
    expect(await settled(clock, result)).toEqual({ status: 'fulfilled', value: undefined })
    expect(keys).toEqual([['default/a', 'default/b']])
    expect(clock.pendingTimers).toBe(0)
  })

  it('goes on to the conditions where the precondition is not met', async () => {
    const clock = new FakeClock()
    const result = untilWithSync(new ListedServer(pod('a', '1')), isVersion('1'), {
      ...settings(clock),
      precondition: () => false,
    })
    expect(await settled(clock, result)).toMatchObject({ value: { type: 'ADDED' } })
  })

  it('leaves no timer and no listener behind when it cannot begin', async () => {
    const clock = new FakeClock()
    const { signal } = new AbortController()
    const options = { clock, signal, timeout: 60_000, logger: noLogger }
    for (const nothing of [undefined, null, {}, { list: async () => ({ items: [] }) }]) {
      await expect(untilWithSync(nothing as never, () => true, options)).rejects.toThrow(
        'an informer needs what lists and watches: give the client of a resource',
      )
    }
    expect(clock.pendingTimers).toBe(0)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('passes on what the precondition or a condition throws', async () => {
    const boom = (): never => {
      throw new Error('boom')
    }
    for (const [conditions, precondition] of [
      [isVersion('1'), boom],
      [boom, undefined],
    ] as const) {
      const clock = new FakeClock()
      const server = new ListedServer(pod('a', '1'))
      const result = untilWithSync(server, conditions, { ...settings(clock), precondition })
      expect(await settled(clock, result)).toMatchObject({ reason: { message: 'boom' } })
      expect(clock.pendingTimers).toBe(0)
    }
  })

  it.each([
    ['the time is up', { timeout: 100 }],
    ['the signal aborts', { signal: AbortSignal.abort() }],
  ])('fails when %s, also before the cache could be filled', async (_name, end) => {
    for (const precondition of [undefined, () => true]) {
      const clock = new FakeClock()
      const server = new ListedServer()
      server.failure = new Error('no server')
      const result = untilWithSync(server, isVersion('1'), { ...settings(clock), ...end, precondition })
      const outcome = await settled(clock, result)
      expect(outcome).toMatchObject({
        reason: {
          message: precondition
            ? expect.stringMatching(/^UntilWithSync: unable to sync caches: /)
            : 'timed out waiting for the condition',
        },
      })
      expect(outcome.status === 'rejected' && interrupted(outcome.reason)).toBe(true)
      expect(clock.pendingTimers).toBe(0)
    }
  })
})
