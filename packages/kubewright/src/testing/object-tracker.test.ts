import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import { ConfigMap } from '../gen/api/core/v1.js'
import { isBadRequest, isResourceExpired, mergePatch } from '../meta/index.js'
import { ObjectTracker } from './object-tracker.js'
import { asAPI, cm, configMap, configMaps, namesOf, pods } from './tracker.test-support.js'

describe('what is there', () => {
  it('is what was added, with the metadata that it lacked', () => {
    const tracker = new ObjectTracker({ clock: new FakeClock(Date.UTC(2026, 0, 2)) })
    tracker.add({ ...configMap('a'), data: { k: 'v' } })
    expect(tracker.get(configMaps, 'ns', 'a')).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'a',
        namespace: 'ns',
        uid: '00000000-0000-4000-8000-000000000001',
        resourceVersion: '2',
        creationTimestamp: '2026-01-02T00:00:00Z',
      },
      data: { k: 'v' },
    })
  })

  it('keeps the metadata that it had, and raises versions', () => {
    const tracker = new ObjectTracker()
    const metadata = {
      name: 'a',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '41',
      creationTimestamp: '2020-01-01T00:00:00Z',
    }
    tracker.add({ ...configMap('a'), metadata }, configMap('b'))
    expect(tracker.get(configMaps, 'ns', 'a').metadata).toEqual(metadata)
    expect(tracker.get(configMaps, 'ns', 'b').metadata.resourceVersion).toBe('42')
  })

  it('may be added as lists, typed ones and others', () => {
    const tracker = new ObjectTracker()
    tracker.add(
      { apiVersion: 'v1', kind: 'ConfigMapList', metadata: {}, items: [cm('a'), cm('b')] },
      { apiVersion: 'v1', kind: 'List', items: [configMap('c', 'other')] },
    )
    expect(namesOf(tracker.list(configMaps, ''))).toEqual(['ns/a', 'ns/b', 'other/c'])
  })

  it('is found by its kind, with its type', () => {
    const tracker = new ObjectTracker()
    tracker.add({ ...configMap('a'), data: { k: 'v' } })
    expect(tracker.get(ConfigMap, 'ns', 'a').data?.['k']).toBe('v')
  })

  it('says what cannot be added', () => {
    const tracker = new ObjectTracker()
    tracker.add(configMap('a'))
    expect(() => tracker.add(configMap('a'))).toThrow('configmaps "a" already exists')
    expect(() => tracker.add({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } })).toThrow(
      'the fake does not know the kind "Widget" of "example.com/v1": give its descriptor (see defineResource)',
    )
    expect(() => tracker.add({ metadata: { name: 'w' } })).toThrow('the fake does not know an object without a kind')
    expect(() => tracker.add(configMap('a', ''))).toThrow('an empty namespace may not be set during creation')
  })

  it('shares nothing with what is given and given out', () => {
    const tracker = new ObjectTracker()
    const given = { ...configMap('a'), data: { k: 'v' } }
    tracker.add(given)
    given.data.k = 'changed'
    tracker.get(ConfigMap, 'ns', 'a').data = { k: 'changed' }
    for (const item of tracker.list(ConfigMap, 'ns').items) item.data = { k: 'changed' }
    expect(tracker.get(ConfigMap, 'ns', 'a').data).toEqual({ k: 'v' })
  })

  it('is plain data, whatever its keys', () => {
    const tracker = new ObjectTracker()
    const data = JSON.parse('{"__proto__":"x","constructor":"y"}') as Record<string, string>
    tracker.create(configMaps, cm('__proto__', { data }), 'ns', asAPI)
    const read = tracker.get(ConfigMap, 'ns', '__proto__')
    expect(JSON.stringify(read.data)).toBe('{"__proto__":"x","constructor":"y"}')
    tracker.patch(configMaps, 'ns', '__proto__', mergePatch(JSON.parse('{"data":{"__proto__":"z"}}') as object), asAPI)
    expect(JSON.stringify(tracker.get(ConfigMap, 'ns', '__proto__').data)).toBe('{"__proto__":"z","constructor":"y"}')
    expect(() => tracker.get(configMaps, 'ns', 'constructor')).toThrow('not found')
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
  })
})

describe('lists', () => {
  const pod = (name: string, namespace: string, more: object = {}) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: { app: name } },
    ...more,
  })
  const some = () => {
    const tracker = new ObjectTracker()
    tracker.add(
      pod('b', 'one', { spec: { nodeName: 'n' } }),
      pod('a', 'two'),
      pod('a', 'one', { status: { phase: 'Running' } }),
    )
    return tracker
  }

  it('start at version 1, and have the version of the whole', () => {
    expect(new ObjectTracker().list(pods, '')).toEqual({
      apiVersion: 'v1',
      kind: 'PodList',
      metadata: { resourceVersion: '1' },
      items: [],
    })
    expect(some().list(pods, 'one').metadata.resourceVersion).toBe('4')
  })

  it('are ordered, of one namespace or all', () => {
    expect(namesOf(some().list(pods, ''))).toEqual(['one/a', 'one/b', 'two/a'])
    expect(namesOf(some().list(pods, 'two'))).toEqual(['two/a'])
  })

  it.each([
    [{ labelSelector: 'app in (b, c)' }, ['one/b']],
    [{ fieldSelector: 'metadata.name=a,metadata.namespace!=two' }, ['one/a']],
    [{ fieldSelector: 'spec.nodeName=n' }, ['one/b']],
    [{ fieldSelector: 'spec.nodeName=' }, ['one/a', 'two/a']],
    [{ fieldSelector: 'status.phase=Running' }, ['one/a']],
    [{ fieldSelector: 'spec.hostNetwork=false,metadata.namespace=two' }, ['two/a']],
  ])('are of what %j selects', (options, names) => {
    expect(namesOf(some().list(pods, '', options))).toEqual(names)
  })

  it('refuse selectors that the server does', () => {
    const tracker = some()
    expect(() => tracker.list(pods, '', { fieldSelector: 'spec.x=y' })).toThrow('field label not supported: spec.x')
    expect(() => tracker.list(pods, '', { labelSelector: 'a in' })).toThrow(expect.toSatisfy(isBadRequest))
    expect(() => tracker.watch(pods, '', { fieldSelector: 'a' })).toThrow(expect.toSatisfy(isBadRequest))
  })

  it('come in pages, each as of the first', () => {
    const tracker = some()
    const first = tracker.list(pods, '', { limit: 2 })
    expect(namesOf(first)).toEqual(['one/a', 'one/b'])
    expect(first.metadata.remainingItemCount).toBe(1)
    tracker.add(pod('c', 'two'))
    const second = tracker.list(pods, '', { limit: 2, continue: first.metadata.continue })
    expect(namesOf(second)).toEqual(['two/a'])
    expect(second.metadata).toEqual({ resourceVersion: '4' })
    expect(() => tracker.list(pods, '', { continue: 'x' })).toThrow(expect.toSatisfy(isResourceExpired))
  })
})
