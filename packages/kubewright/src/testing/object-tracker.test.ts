import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import { Deployment } from '../gen/api/apps/v1.js'
import { ConfigMap, Pod } from '../gen/api/core/v1.js'
import {
  applyPatch,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isInvalid,
  isNotFound,
  isResourceExpired,
  isUnsupportedMediaType,
  jsonPatch,
  mergePatch,
  newSimpleNameGenerator,
  strategicMergePatch,
  type UnstructuredInput,
  type Watch,
  type WatchEvent,
} from '../meta/index.js'
import { ObjectTracker } from './object-tracker.js'
import { ResourceRegistry } from './resources.js'

const configMaps = { group: '', version: 'v1', resource: 'configmaps' }
const deployments = { group: 'apps', version: 'v1', resource: 'deployments' }
const pods = { group: '', version: 'v1', resource: 'pods' }
const widgets = { group: 'example.com', version: 'v1', resource: 'widgets' }

const cm = (name: string, more: object = {}) => ({ metadata: { name, namespace: 'ns' }, ...more })
const configMap = (name: string, namespace = 'ns') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
})

/** As a server's endpoint of the object itself does. */
const asAPI = { subresource: '' }

async function taken<T>(watch: Watch<T>, count: number): Promise<WatchEvent<T>[]> {
  const events: WatchEvent<T>[] = []
  for await (const event of watch) if (events.push(event) === count) break
  return events
}

const namesOf = (list: { items: { metadata: { name: string; namespace?: string } }[] }) =>
  list.items.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`)

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

describe('creating', () => {
  it('numbers, names, dates and identifies', () => {
    const clock = new FakeClock(Date.UTC(2026, 0, 2))
    const tracker = new ObjectTracker({ clock, nameGenerator: newSimpleNameGenerator({ random: () => 0 }) })
    const created = tracker.create(deployments, { metadata: { generateName: 'web-' }, spec: { replicas: 1 } }, 'ns', {
      ...asAPI,
      fieldManager: 'me',
    })
    expect(created).toMatchObject({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web-bbbbb', namespace: 'ns', generation: 1, resourceVersion: '2' },
      status: {},
    })
    expect(created.metadata.managedFields).toEqual([
      {
        manager: 'me',
        operation: 'Update',
        apiVersion: 'apps/v1',
        time: '2026-01-02T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:spec': { 'f:replicas': {} }, 'f:metadata': { 'f:generateName': {} } },
      },
    ])
  })

  it('refuses what a server refuses', () => {
    const tracker = new ObjectTracker()
    tracker.create(configMaps, cm('a'), 'ns', asAPI)
    const creating =
      (object: UnstructuredInput, namespace = 'ns') =>
      () =>
        tracker.create(configMaps, object, namespace, asAPI)
    expect(creating(cm('a'))).toThrow(expect.toSatisfy(isAlreadyExists))
    expect(creating(cm('b'), 'other')).toThrow(
      'request namespace does not match object namespace, request: "other" object: "ns"',
    )
    expect(creating({})).toThrow(
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    )
    expect(creating({ metadata: { name: 'b', resourceVersion: '1' } })).toThrow(
      'resourceVersion should not be set on objects to be created',
    )
    expect(creating({ kind: 'Secret', metadata: { name: 'b' } })).toThrow(expect.toSatisfy(isBadRequest))
    expect(() => tracker.create(widgets, { metadata: { name: 'w' } }, 'ns')).toThrow(
      'the server could not find the requested resource',
    )
  })

  it('drops a status, which is for its subresource, unless all is written at once', () => {
    const tracker = new ObjectTracker()
    const withStatus = (name: string) => cm(name, { spec: {}, status: { phase: 'Running' } })
    expect(tracker.create(pods, withStatus('a'), 'ns', asAPI)['status']).toEqual({ phase: 'Pending' })
    expect(tracker.create(pods, withStatus('b'), 'ns')['status']).toEqual({ phase: 'Running' })
  })

  it('stores nothing in a dry run', () => {
    const tracker = new ObjectTracker()
    expect(tracker.create(configMaps, cm('a'), 'ns', { ...asAPI, dryRun: ['All'] }).metadata.name).toBe('a')
    expect(() => tracker.get(configMaps, 'ns', 'a')).toThrow(expect.toSatisfy(isNotFound))
  })
})

describe('updating', () => {
  const withOne = () => {
    const tracker = new ObjectTracker()
    const created = tracker.create(
      deployments,
      cm('web', { metadata: { name: 'web', namespace: 'ns', labels: { a: 'b' } }, spec: { replicas: 1 } }),
      'ns',
      asAPI,
    )
    return { tracker, created }
  }

  it('raises the version, and the generation when the spec changes', () => {
    const { tracker, created } = withOne()
    const scaled = tracker.update(deployments, { ...created, spec: { replicas: 2 } }, 'ns', asAPI)
    expect(scaled.metadata).toMatchObject({ generation: 2, resourceVersion: '3', uid: created.metadata.uid })
    const labelled = tracker.update(
      deployments,
      { ...scaled, metadata: { ...scaled.metadata, labels: {} } },
      'ns',
      asAPI,
    )
    expect(labelled.metadata).toMatchObject({ generation: 2, resourceVersion: '4' })
  })

  it('fails for a version that is no longer', () => {
    const { tracker, created } = withOne()
    tracker.update(deployments, { ...created, spec: { replicas: 2 } }, 'ns', asAPI)
    const late = () => tracker.update(deployments, { ...created, spec: { replicas: 3 } }, 'ns', asAPI)
    expect(late).toThrow(expect.toSatisfy(isConflict))
    expect(late).toThrow(
      'Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again',
    )
    const metadata = { name: 'web', uid: 'another' }
    expect(() => tracker.update(deployments, { metadata }, 'ns', asAPI)).toThrow(
      'Precondition failed: UID in precondition',
    )
    // Without a version, and behind the API's back, whatever the version.
    tracker.update(deployments, cm('web', { spec: { replicas: 4 } }), 'ns', asAPI)
    expect(tracker.update(deployments, { ...created, spec: { replicas: 5 } }, 'ns')['spec']).toMatchObject({
      replicas: 5,
    })
  })

  it('leaves the status alone, and the status all else', () => {
    const { tracker } = withOne()
    const object = cm('web', { spec: { replicas: 7 }, status: { readyReplicas: 7 } })
    expect(tracker.update(deployments, object, 'ns', asAPI)).toMatchObject({ spec: { replicas: 7 }, status: {} })
    const changed = cm('web', { spec: { replicas: 8 }, status: { readyReplicas: 8 } })
    const written = tracker.update(deployments, changed, 'ns', { subresource: 'status' })
    expect(written).toMatchObject({ spec: { replicas: 7 }, status: { readyReplicas: 8 }, metadata: { generation: 2 } })
  })

  it('keeps what is the server’s', () => {
    const { tracker, created } = withOne()
    const metadata = {
      name: 'web',
      creationTimestamp: '1999-01-01T00:00:00Z',
      generation: 77,
      deletionTimestamp: 'now',
    }
    const updated = tracker.update(deployments, { metadata, spec: { replicas: 1 } }, 'ns', asAPI)
    expect(updated.metadata).toMatchObject({ creationTimestamp: created.metadata.creationTimestamp, generation: 1 })
    expect(updated.metadata).not.toHaveProperty('deletionTimestamp')
  })

  it('does nothing when nothing changes', async () => {
    const { tracker, created } = withOne()
    const same = tracker.update(deployments, created, 'ns', { ...asAPI, fieldManager: 'somebody' })
    expect(same.metadata.resourceVersion).toBe(created.metadata.resourceVersion)
  })

  it('fails for what is not there', () => {
    const { tracker } = withOne()
    expect(() => tracker.update(deployments, cm('none'), 'ns')).toThrow('deployments.apps "none" not found')
  })
})

describe('patching', () => {
  const containers = [
    { name: 'a', image: 'a:1' },
    { name: 'b', image: 'b:1' },
  ]
  const withOne = () => {
    const tracker = new ObjectTracker()
    tracker.create(deployments, cm('web', { spec: { replicas: 1, template: { spec: { containers } } } }), 'ns', asAPI)
    return tracker
  }

  it('merges, by the kind’s schema where the patch is strategic', () => {
    const tracker = withOne()
    const template = { spec: { containers: [{ name: 'b', image: 'b:2' }] } }
    const strategic = tracker.patch(Deployment, 'ns', 'web', strategicMergePatch({ spec: { template } }), asAPI)
    expect(strategic.spec.template.spec?.containers).toEqual([
      { name: 'a', image: 'a:1', resources: {} },
      { name: 'b', image: 'b:2', resources: {} },
    ])
    expect(strategic.metadata.generation).toBe(2)
    const merged = tracker.patch(Deployment, 'ns', 'web', mergePatch({ spec: { template, replicas: null } }), asAPI)
    expect(merged.spec).toMatchObject({ template })
    expect(merged.spec).not.toHaveProperty('replicas')
  })

  it('does the operations of a JSON patch, all or none', () => {
    const tracker = withOne()
    const replace = jsonPatch([{ op: 'replace', path: '/spec/replicas', value: 3 }])
    expect(tracker.patch(Deployment, 'ns', 'web', replace, asAPI).spec.replicas).toBe(3)
    const failing = jsonPatch([
      { op: 'replace', path: '/spec/replicas', value: 4 },
      { op: 'test', path: '/spec/paused', value: true },
    ])
    expect(() => tracker.patch(Deployment, 'ns', 'web', failing, asAPI)).toThrow(expect.toSatisfy(isInvalid))
    expect(tracker.get(Deployment, 'ns', 'web').spec.replicas).toBe(3)
  })

  it('is conditional where it names a version', () => {
    const tracker = withOne()
    const patch = (resourceVersion: string) => mergePatch({ metadata: { resourceVersion }, spec: { replicas: 5 } })
    expect(() => tracker.patch(deployments, 'ns', 'web', patch('1'), asAPI)).toThrow(expect.toSatisfy(isConflict))
    expect(tracker.patch(Deployment, 'ns', 'web', patch('2'), asAPI).spec.replicas).toBe(5)
  })

  it('refuses what is no patch, or another object', () => {
    const tracker = withOne()
    const patching = (patch: Parameters<typeof tracker.patch>[3]) => () =>
      tracker.patch(deployments, 'ns', 'web', patch, asAPI)
    expect(patching({ contentType: 'application/json', body: {} })).toThrow(expect.toSatisfy(isUnsupportedMediaType))
    expect(patching({ contentType: 'application/merge-patch+json', body: [] })).toThrow(expect.toSatisfy(isBadRequest))
    expect(patching(mergePatch({ metadata: { name: 'other' } }))).toThrow('does not match the name on the URL (web)')
    expect(() => tracker.patch(deployments, 'ns', 'none', mergePatch({}))).toThrow('"none" not found')
  })
})

describe('applying', () => {
  const config = (replicas: number) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas },
  })
  const as = (fieldManager: string) => ({ ...asAPI, fieldManager })

  it('creates, and gives what was applied an owner', () => {
    const tracker = new ObjectTracker()
    const applied = tracker.apply(Deployment, config(1), 'ns', as('one'))
    expect(applied).toMatchObject({ metadata: { namespace: 'ns', generation: 1 }, spec: { replicas: 1 }, status: {} })
    expect(applied.metadata.managedFields).toMatchObject([{ manager: 'one', operation: 'Apply' }])
  })

  it('is a conflict over what others own, until it is forced', () => {
    const tracker = new ObjectTracker()
    tracker.apply(deployments, config(1), 'ns', as('one'))
    expect(() => tracker.apply(deployments, config(2), 'ns', as('two'))).toThrow(
      'Apply failed with 1 conflict: conflict with "one": .spec.replicas',
    )
    const forced = tracker.apply(Deployment, config(2), 'ns', { ...as('two'), force: true })
    expect(forced.spec.replicas).toBe(2)
    expect(forced.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['two'])
  })

  it('removes what is no longer wanted', () => {
    const tracker = new ObjectTracker()
    const labelled = { ...config(1), metadata: { name: 'web', labels: { a: 'b' } } }
    tracker.apply(deployments, labelled, 'ns', as('one'))
    expect(tracker.apply(deployments, config(1), 'ns', as('one')).metadata).not.toHaveProperty('labels')
  })

  it('stores nothing when nothing changes', () => {
    const tracker = new ObjectTracker()
    tracker.apply(deployments, config(1), 'ns', as('one'))
    expect(tracker.apply(deployments, config(1), 'ns', as('one')).metadata.resourceVersion).toBe('2')
  })

  it('asks who applies, and what', () => {
    const tracker = new ObjectTracker()
    expect(() => tracker.apply(deployments, config(1), 'ns', asAPI)).toThrow('fieldManager: Required value')
    expect(() => tracker.apply(deployments, { ...config(1), kind: 'Pod' }, 'ns', as('one'))).toThrow(
      'invalid object type',
    )
    expect(() => tracker.apply(deployments, { spec: {} }, 'ns', as('one'))).toThrow('has a metadata.name')
    const status = { ...config(1), status: { replicas: 1 } }
    expect(() => tracker.apply(deployments, status, 'ns', { fieldManager: 'one', subresource: 'status' })).toThrow(
      '"web" not found',
    )
    expect(() =>
      tracker.apply(deployments, { ...config(1), metadata: { name: 'web', uid: 'x' } }, 'ns', as('one')),
    ).toThrow('uid mismatch')
  })

  it('is the same as a patch of that type', () => {
    const tracker = new ObjectTracker()
    const patched = tracker.patch(Deployment, 'ns', 'web', applyPatch(config(3)), as('one'))
    expect(patched.spec.replicas).toBe(3)
  })
})

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

describe('custom resources', () => {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      names: { kind: 'Widget', plural: 'widgets' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: {
            status: {},
            scale: {
              specReplicasPath: '.spec.size',
              statusReplicasPath: '.status.size',
              labelSelectorPath: '.status.selector',
            },
          },
          selectableFields: [{ jsonPath: '.spec.colour' }],
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: {
                  type: 'object',
                  properties: {
                    parts: {
                      type: 'array',
                      'x-kubernetes-list-type': 'map',
                      'x-kubernetes-list-map-keys': ['name'],
                      items: { type: 'object', properties: { name: { type: 'string' }, n: { type: 'integer' } } },
                    },
                  },
                },
              },
            },
          },
        },
        { name: 'v0', served: false, storage: false },
      ],
    },
  }
  const widget = (name: string, spec: object = {}, status?: object) => ({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name, namespace: 'ns' },
    spec,
    ...(status && { status }),
  })

  it('are served as soon as their definition is there', () => {
    const tracker = new ObjectTracker()
    tracker.add(definition, widget('w', { colour: 'red' }))
    expect(namesOf(tracker.list(widgets, '', { fieldSelector: 'spec.colour=red' }))).toEqual(['ns/w'])
    expect(() => tracker.list({ ...widgets, version: 'v0' }, '')).toThrow(expect.toSatisfy(isNotFound))
  })

  it('are updated at a version, and take no strategic merge patches', () => {
    const tracker = new ObjectTracker()
    tracker.add(definition, widget('w'))
    expect(() => tracker.update(widgets, widget('w', { size: 2 }), 'ns', asAPI)).toThrow(
      'widgets.example.com "w" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    )
    const patch = strategicMergePatch({ spec: { size: 1 } })
    expect(() => tracker.patch(widgets, 'ns', 'w', patch, asAPI)).toThrow(expect.toSatisfy(isUnsupportedMediaType))
    const live = tracker.get(widgets, 'ns', 'w')
    const updated = tracker.update(widgets, { ...live, spec: { size: 2 }, status: { size: 2 } }, 'ns', asAPI)
    expect(updated).toMatchObject({ spec: { size: 2 }, metadata: { generation: 2 } })
    expect(updated).not.toHaveProperty('status')
  })

  it('merge as their schema says', () => {
    const tracker = new ObjectTracker()
    tracker.add(definition)
    const part = (name: string, n: number) => widget('w', { parts: [{ name, n }] })
    tracker.apply(widgets, part('a', 1), 'ns', { ...asAPI, fieldManager: 'one' })
    const both = tracker.apply(widgets, part('b', 2), 'ns', { ...asAPI, fieldManager: 'two' })
    expect(both['spec']).toEqual({
      parts: [
        { name: 'a', n: 1 },
        { name: 'b', n: 2 },
      ],
    })
  })

  it('are scaled where their definition says', () => {
    const tracker = new ObjectTracker()
    tracker.add(definition, widget('w', { size: 2 }, { size: 1, selector: 'a=b' }))
    expect(tracker.getScale(widgets, 'ns', 'w')).toMatchObject({
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      spec: { replicas: 2 },
      status: { replicas: 1, selector: 'a=b' },
    })
    tracker.patch(widgets, 'ns', 'w', mergePatch({ spec: { replicas: 5 } }), { subresource: 'scale' })
    expect(tracker.get(widgets, 'ns', 'w')).toMatchObject({ spec: { size: 5 }, metadata: { generation: 2 } })
  })

  it('may be known by the kind of their lists alone', () => {
    const resources = new ResourceRegistry({ listKinds: [{ ...widgets, listKind: 'WidgetList' }] })
    const tracker = new ObjectTracker({ resources })
    tracker.add(widget('w', {}, { ready: true }))
    expect(tracker.list(widgets, 'ns')).toMatchObject({ kind: 'WidgetList', items: [{ status: { ready: true } }] })
    expect(tracker.update(widgets, widget('w', {}, { ready: false }), 'ns', asAPI)['status']).toEqual({ ready: false })
    const nameless = () => new ResourceRegistry({ listKinds: [{ ...widgets, listKind: 'Widgets' }] })
    expect(nameless).toThrow('the list kind of widgets is "Widgets", which does not end in "List"')
  })
})
