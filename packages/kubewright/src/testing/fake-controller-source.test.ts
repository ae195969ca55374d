import { describe, expect, it } from 'vitest'
import { isDeletedFinalStateUnknown, SharedIndexInformer } from '../cache/index.js'
import { FakeClock } from '../clock/index.js'
import { isResourceExpired, type KubernetesObject, type Watch, type WatchEvent } from '../meta/index.js'
import { noLogger } from '../rest/index.js'
import { FakeControllerSource } from './index.js'

const pod = (name: string, more: object = {}): KubernetesObject => ({ metadata: { name, namespace: 'ns', ...more } })

async function taken<T>(watch: Watch<T>, count: number): Promise<WatchEvent<T>[]> {
  const events: WatchEvent<T>[] = []
  for await (const event of watch) if (events.push(event) === count) break
  return events
}

const shown = (events: WatchEvent<KubernetesObject>[]) =>
  events.map(({ type, object }) => {
    const { name, resourceVersion }: { name?: string; resourceVersion?: string } = object.metadata ?? {}
    return `${type} ${name} ${resourceVersion}`
  })

describe('a source', () => {
  it('gives each change a version, and brings what has changed since one', async () => {
    const source = new FakeControllerSource()
    const foo = pod('foo')
    source.add(foo)
    expect(foo.metadata?.resourceVersion).toBe('1')
    source.modify(pod('foo'))
    source.modify(pod('foo'))
    source.add(pod('bar'))
    const watch = await source.watch({ resourceVersion: '1' })
    source.delete(pod('foo'))
    expect(shown(await taken(watch, 4))).toEqual(['MODIFIED foo 2', 'MODIFIED foo 3', 'ADDED bar 4', 'DELETED foo 5'])
    const list = await source.list()
    expect(list.metadata.resourceVersion).toBe('5')
    expect(list.items.map(({ metadata }) => metadata?.name)).toEqual(['bar'])
    await expect(source.watch({ resourceVersion: '6' })).rejects.toThrow('resource version in the future')
    await expect(source.watch({ resourceVersion: 'x' })).rejects.toThrow('invalid resource version "x"')
  })

  it('misses nothing from before the first change', async () => {
    const source = new FakeControllerSource()
    const { metadata } = await source.list()
    source.add(pod('foo'))
    const { resourceVersion } = metadata
    expect(shown(await taken(await source.watch({ resourceVersion }), 1))).toEqual(['ADDED foo 1'])
  })

  it('can be reset: older versions are then expired', async () => {
    const source = new FakeControllerSource()
    source.add(pod('foo'))
    const watch = await source.watch({ resourceVersion: '1' })
    source.modify(pod('foo'))
    source.resetWatch()
    expect(shown(await taken(watch, 9))).toEqual(['MODIFIED foo 2'])
    await expect(source.watch({ resourceVersion: '1' })).rejects.toSatisfy(isResourceExpired)
    source.add(pod('bar'))
    await expect(source.watch({ resourceVersion: '1' })).rejects.toThrow('too old resource version: 1 (3)')
    expect(shown(await taken(await source.watch({ resourceVersion: '2' }), 1))).toEqual(['ADDED bar 3'])
  })

  it('loses events with the probability it is told', async () => {
    const numbers = [0.4, 0.6]
    const source = new FakeControllerSource({ random: () => numbers.shift() ?? 0 })
    const watch = await source.watch({ resourceVersion: '0' })
    source.change({ type: 'ADDED', object: pod('told') }, 0.5)
    source.change({ type: 'ADDED', object: pod('not told') }, 0.5)
    source.shutdown()
    expect(shown(await taken(watch, 9))).toEqual(['ADDED told 1'])
  })

  it('can fail its lists', async () => {
    const source = new FakeControllerSource()
    source.listError = new Error('no lists today')
    await expect(source.list()).rejects.toBe(source.listError)
  })

  it('is followed by an informer, which finds out what it was not told', async () => {
    const source = new FakeControllerSource()
    source.add(pod('kept'))
    const clock = new FakeClock()
    const informer = new SharedIndexInformer(source, { logger: noLogger, clock })
    const events: string[] = []
    informer.addEventHandler({
      onAdd: (object) => void events.push(`add ${object.metadata?.name}`),
      onDelete: (object) => void events.push(`delete ${isDeletedFinalStateUnknown(object)}`),
    })
    const controller = new AbortController()
    const running = informer.run({ signal: controller.signal })
    await clock.advance(0)
    expect(informer.hasSynced()).toBe(true)
    source.addDropWatch(pod('lost'))
    source.deleteDropWatch(pod('kept'))
    source.modifyDropWatch(pod('lost'))
    await clock.advance(0)
    expect(events).toEqual(['add kept'])
    source.resetWatch()
    await clock.advance(10_000)
    expect(events.sort()).toEqual(['add kept', 'add lost', 'delete true'])
    controller.abort()
    await running
  })
})
