import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import { isNotFound } from '../meta/index.js'
import { deployment, pod } from './fake-clientset.test-support.js'
import { FakeClientset } from './index.js'

describe('subresources', () => {
  it('are scaled, and own what they set', async () => {
    const fake = new FakeClientset({ objects: [deployment('web')] })
    const deployments = fake.appsV1().deployments('ns')
    await deployments.applyScale('web', { spec: { replicas: 7 } }, { fieldManager: 'hpa', force: true })
    const live = await deployments.get('web')
    expect(live.spec.replicas).toBe(7)
    expect(live.metadata.managedFields).toContainEqual(
      expect.objectContaining({ manager: 'hpa', fieldsV1: { 'f:spec': { 'f:replicas': {} } } }),
    )
    await expect(deployments.updateScale('web', { metadata: { name: 'web' }, spec: { replicas: -1 } })).rejects.toThrow(
      'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    )
  })

  it('of Pods: logs, eviction, binding', async () => {
    const clock = new FakeClock(Date.UTC(2026, 0, 2))
    const fake = new FakeClientset({ objects: [pod('a'), pod('b')], clock })
    const pods = fake.coreV1().pods('ns')
    expect(await pods.getLogs('a', { container: 'c', tailLines: 3 })).toBe('fake logs')
    expect(fake.actions()[0]).toMatchObject({
      verb: 'get',
      subresource: 'log',
      options: { container: 'c', tailLines: 3 },
    })
    fake.prependReactor('get', 'pods/log', () => 'one\ntwo\n')
    const lines = []
    for await (const line of pods.streamLogs('a')) lines.push(line)
    expect(lines).toEqual(['one', 'two'])
    await pods.bind({ metadata: { name: 'a' }, target: { kind: 'Node', name: 'n' } })
    expect((await pods.get('a')).spec.nodeName).toBe('n')
    await expect(pods.bind({ metadata: { name: 'a' }, target: { name: 'm' } })).rejects.toThrow(
      'Operation cannot be fulfilled on pods/binding "a": pod a is already assigned to node "n"',
    )
    await pods.evict({ metadata: { name: 'b' } })
    await expect(pods.get('b')).rejects.toSatisfy(isNotFound)
    await expect(pods.evict({ metadata: { name: 'b' } })).rejects.toSatisfy(isNotFound)
  })

  it('of ServiceAccounts: tokens', async () => {
    const clock = new FakeClock(Date.UTC(2026, 0, 2))
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot', namespace: 'ns' } }
    const fake = new FakeClientset({ objects: [account], clock })
    const request = { spec: { audiences: ['a'], expirationSeconds: 60 } }
    const { status } = await fake.coreV1().serviceAccounts('ns').createToken('robot', request)
    expect(status).toEqual({ token: 'fake-token', expirationTimestamp: '2026-01-02T00:01:00Z' })
  })

  it('are not there where the kind has none', async () => {
    const fake = new FakeClientset({
      objects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'ns' } }],
    })
    const configMaps = fake.dynamicClient.resource({ group: '', version: 'v1', resource: 'configmaps' }).namespace('ns')
    await expect(configMaps.get('a', { subresource: 'status' })).rejects.toSatisfy(isNotFound)
  })

  it('reviews are answered by a test, and kept nowhere', async () => {
    const fake = new FakeClientset()
    const review = { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } }
    const reviews = fake.authorizationV1().selfSubjectAccessReviews()
    await reviews.create(review)
    fake.prependReactor('create', 'selfsubjectaccessreviews', (action) =>
      action.verb === 'create' ? { ...action.object, status: { allowed: true } } : undefined,
    )
    expect((await reviews.create(review)).status.allowed).toBe(true)
  })
})
