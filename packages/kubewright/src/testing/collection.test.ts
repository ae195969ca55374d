import { describe, expect, it } from 'vitest'
import { ConfigMap } from '../gen/api/core/v1.js'
import { isBadRequest, mergePatch } from '../meta/index.js'
import { ObjectTracker } from './object-tracker.js'
import { cm, configMap, configMaps, taken } from './tracker.test-support.js'

describe('watches', () => {
  it('bring what is there, and then what happens, in the namespace', async () => {
    const tracker = new ObjectTracker()
    tracker.add(configMap('a'), configMap('b', 'other'))
    const watch = tracker.watch(ConfigMap, 'ns')
    tracker.update(configMaps, cm('a', { data: { k: 'v' } }), 'ns')
    tracker.delete(configMaps, 'other', 'b')
    tracker.delete(configMaps, 'ns', 'a')
    const events = await taken(watch, 3)
    expect(
      events.map(({ type, object }) => [
        type,
        object.metadata && 'resourceVersion' in object.metadata && object.metadata.resourceVersion,
      ]),
    ).toEqual([
      ['ADDED', '2'],
      ['MODIFIED', '4'],
      ['DELETED', '6'],
    ])
  })

  it('miss nothing since the version of a list, deletions included', async () => {
    const tracker = new ObjectTracker()
    tracker.add(configMap('a'))
    const { resourceVersion } = tracker.list(configMaps, '').metadata
    tracker.add(configMap('b'))
    tracker.delete(configMaps, 'ns', 'a')
    const events = await taken(tracker.watch(ConfigMap, '', { resourceVersion }), 2)
    expect(events.map(({ type, object }) => `${type} ${(object as ConfigMap).metadata.name}`)).toEqual([
      'ADDED b',
      'DELETED a',
    ])
  })

  it('tell of objects that come to be selected, or cease to', async () => {
    const tracker = new ObjectTracker()
    tracker.add(configMap('a'))
    const watch = tracker.watch(ConfigMap, '', { resourceVersion: '2', labelSelector: 'app=x' })
    const label = (app: string) => tracker.patch(configMaps, 'ns', 'a', mergePatch({ metadata: { labels: { app } } }))
    for (const app of ['x', 'y', 'z', 'x']) label(app)
    expect((await taken(watch, 3)).map(({ type }) => type)).toEqual(['ADDED', 'DELETED', 'ADDED'])
  })

  it('go on for more than a hundred events that nobody reads', async () => {
    const tracker = new ObjectTracker()
    const watch = tracker.watch(configMaps, '', { resourceVersion: '1' })
    for (let i = 0; i < 300; i++) tracker.add(configMap(`cm-${i}`))
    expect(await taken(watch, 300)).toHaveLength(300)
  })

  it('can be interrupted, after which their versions are too old', async () => {
    const tracker = new ObjectTracker()
    tracker.add(configMap('a'))
    const watch = tracker.watch(configMaps, '', { resourceVersion: '2' })
    tracker.add(configMap('b'))
    tracker.interruptWatches(configMaps)
    expect(await taken(watch, 9)).toHaveLength(1)
    expect(() => tracker.watch(configMaps, '', { resourceVersion: '2' })).toThrow('too old resource version: 2 (3)')
    tracker.watch(configMaps, '', { resourceVersion: '3' }).stop()
  })

  it('ask for a version that is a number', () => {
    expect(() => new ObjectTracker().watch(configMaps, '', { resourceVersion: 'x' })).toThrow(
      expect.toSatisfy(isBadRequest),
    )
  })
})
