import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import { ConfigMap, Pod } from '../gen/api/core/v1.js'
import { isNotFound } from '../meta/index.js'
import { ObjectTracker } from './object-tracker.js'
import { asAPI, configMap, configMaps, deployments, namesOf, pods, taken } from './tracker.test-support.js'

describe('deleting', () => {
  it('removes, and is not found twice', () => {
    const tracker = new ObjectTracker()
    tracker.add(configMap('a'))
    expect(tracker.delete(configMaps, 'ns', 'a').metadata.resourceVersion).toBe('3')
    expect(() => tracker.delete(configMaps, 'ns', 'a')).toThrow('configmaps "a" not found')
    expect(tracker.list(configMaps, '').metadata.resourceVersion).toBe('3')
  })

  it('waits for finalizers', async () => {
    const clock = new FakeClock(Date.UTC(2026, 0, 2))
    const tracker = new ObjectTracker({ clock })
    tracker.add({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a', namespace: 'ns', finalizers: ['x/y'] },
    })
    const watch = tracker.watch(deployments, '', { resourceVersion: '2' })
    const marked = tracker.delete(deployments, 'ns', 'a')
    expect(marked.metadata).toMatchObject({
      deletionTimestamp: '2026-01-02T00:00:00Z',
      deletionGracePeriodSeconds: 0,
      generation: 2,
    })
    await clock.advance(1000)
    expect(tracker.delete(deployments, 'ns', 'a')).toEqual(marked)
    const more = { ...marked, metadata: { ...marked.metadata, finalizers: ['x/y', 'z/z'] } }
    expect(() => tracker.update(deployments, more, 'ns', asAPI)).toThrow(
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"z/z"}',
    )
    tracker.update(deployments, { ...marked, metadata: { ...marked.metadata, finalizers: [] } }, 'ns', asAPI)
    expect(() => tracker.get(deployments, 'ns', 'a')).toThrow(expect.toSatisfy(isNotFound))
    expect((await taken(watch, 2)).map(({ type }) => type)).toEqual(['MODIFIED', 'DELETED'])
  })

  it('gives a Pod that runs its time, which a kubelet would end', () => {
    const clock = new FakeClock(Date.UTC(2026, 0, 2))
    const tracker = new ObjectTracker({ clock })
    const pod = (name: string, spec: object) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'ns' },
      spec,
    })
    tracker.add(pod('pending', {}), pod('running', { nodeName: 'n', terminationGracePeriodSeconds: 5 }))
    tracker.delete(pods, 'ns', 'pending')
    expect(namesOf(tracker.list(Pod, ''))).toEqual(['ns/running'])
    expect(tracker.delete(Pod, 'ns', 'running').metadata).toMatchObject({
      deletionTimestamp: '2026-01-02T00:00:05Z',
      deletionGracePeriodSeconds: 5,
    })
    tracker.delete(Pod, 'ns', 'running', { gracePeriodSeconds: 0 })
    expect(namesOf(tracker.list(Pod, ''))).toEqual([])
  })

  it('holds to its preconditions', () => {
    const tracker = new ObjectTracker()
    tracker.add(configMap('a'))
    const deleting = (preconditions: object) => () => tracker.delete(configMaps, 'ns', 'a', { preconditions })
    expect(deleting({ uid: 'x' })).toThrow(
      'the UID in the precondition (x) does not match the UID in record (00000000-',
    )
    expect(deleting({ resourceVersion: '9' })).toThrow(
      'the ResourceVersion in the precondition (9) does not match the ResourceVersion in record (2)',
    )
    tracker.delete(configMaps, 'ns', 'a', { preconditions: { resourceVersion: '2' }, dryRun: ['All'] })
    expect(tracker.get(configMaps, 'ns', 'a').metadata.name).toBe('a')
  })

  it('deletes what a selector finds, in one namespace', () => {
    const tracker = new ObjectTracker()
    const labelled = (name: string, namespace: string, app: string) => ({
      ...configMap(name),
      metadata: { name, namespace, labels: { app } },
    })
    tracker.add(labelled('a', 'ns', 'x'), labelled('b', 'ns', 'y'), labelled('c', 'other', 'x'))
    const deleted = tracker.deleteCollection(ConfigMap, 'ns', {}, { labelSelector: 'app=x' })
    expect(namesOf(deleted)).toEqual(['ns/a'])
    expect(namesOf(tracker.list(ConfigMap, ''))).toEqual(['ns/b', 'other/c'])
  })
})
