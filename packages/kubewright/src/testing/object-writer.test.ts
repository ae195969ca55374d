import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import { Deployment } from '../gen/api/apps/v1.js'
import {
  applyPatch,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isInvalid,
  isNotFound,
  isUnsupportedMediaType,
  jsonPatch,
  mergePatch,
  newSimpleNameGenerator,
  strategicMergePatch,
  type UnstructuredInput,
} from '../meta/index.js'
import { ObjectTracker } from './object-tracker.js'
import { asAPI, cm, configMaps, deployments, pods, widgets } from './tracker.test-support.js'

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
