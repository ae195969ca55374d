// Every verb of a dynamic client, on built-in resources of which it knows the name only.

import {
  type Clientset,
  DynamicClient,
  DynamicSharedInformerFactory,
  deletionHandlingMetaNamespaceKeyFunc,
  isAlreadyExists,
  isConflict,
  isNotFound,
  jsonPatch,
  mergePatch,
  metaNamespaceKeyFunc,
  retryOnConflict,
  strategicMergePatch,
} from 'kubewright'
import { Deployment } from 'kubewright/api/apps/v1'
import { Namespace } from 'kubewright/api/core/v1'
import { nestedInt64, nestedSlice, nestedString, nestedStringMap, setNestedField } from 'kubewright/meta'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithControlPlane, testNamespace } from '../control-plane/fixture.js'
import { eventually } from './eventually.js'
import { clientsetFor, deployment } from './helpers.js'

const deploymentsResource = { group: 'apps', version: 'v1', resource: 'deployments' }
const configMaps = { group: '', version: 'v1', resource: 'configmaps' }
const manifest = (name: string, options?: Parameters<typeof deployment>[1]) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  ...deployment(name, options),
})
const configMap = (name: string, labels: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels },
  data: { key: 'value' },
})

describeWithControlPlane('the verbs of a dynamic client', () => {
  let clientset: Clientset
  let client: DynamicClient
  beforeAll(async () => {
    clientset = await clientsetFor()
    client = new DynamicClient(clientset.config)
  })
  afterAll(() => clientset.close())

  const inNamespace = async () => client.resource(deploymentsResource).namespace(await testNamespace())

  it('create, get, update: numbers and defaults as the server has them', async () => {
    const deployments = await inNamespace()
    const created = await deployments.create(manifest('web'))
    expect(created).toMatchObject({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } })
    expect(nestedString(created, 'spec', 'strategy', 'type')).toBe('RollingUpdate')
    await expect(deployments.create(manifest('web'))).rejects.toSatisfy(isAlreadyExists)
    const updated = await retryOnConflict(async () => {
      const live = await deployments.get('web')
      setNestedField(live, 3, 'spec', 'replicas')
      return deployments.update(live)
    })
    expect(nestedInt64(updated, 'spec', 'replicas')).toBe(3)
    created['spec'] = updated['spec']
    await expect(deployments.update(created)).rejects.toSatisfy(isConflict)
    await expect(deployments.get('nowhere')).rejects.toSatisfy(isNotFound)
  })

  it('create: a kind that is left out is the resource’s own; dryRun stores nothing', async () => {
    const deployments = await inNamespace()
    const { apiVersion: _, kind: __, ...untyped } = manifest('untyped')
    expect((await deployments.create(untyped)).kind).toBe('Deployment')
    await deployments.delete('untyped')
    await deployments.create(manifest('web'), { dryRun: ['All'] })
    await expect(deployments.get('web')).rejects.toSatisfy(isNotFound)
  })

  it('subresources: status, scale, and what is posted to one', async () => {
    const deployments = await inNamespace()
    await deployments.create(manifest('web'))
    const scale = await deployments.get('web', { subresource: 'scale' })
    expect(scale).toMatchObject({ apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas: 1 } })
    const updated = await retryOnConflict(async () => {
      const live = await deployments.get('web', { subresource: 'scale' })
      setNestedField(live, 2, 'spec', 'replicas')
      return deployments.update(live, { subresource: 'scale' })
    })
    expect(nestedInt64(updated, 'spec', 'replicas')).toBe(2)
    const condition = { type: 'Example', status: 'True', reason: 'Test', message: '' }
    const withStatus = await retryOnConflict(async () => {
      const live = await deployments.get('web', { subresource: 'status' })
      setNestedField(live, [condition], 'status', 'conditions')
      setNestedField(live, 9, 'spec', 'replicas')
      return deployments.updateStatus(live)
    })
    expect(nestedSlice(withStatus, 'status', 'conditions')).toEqual([expect.objectContaining({ type: 'Example' })])
    expect(nestedInt64(withStatus, 'spec', 'replicas')).toBe(2)

    const accounts = client
      .resource({ group: '', version: 'v1', resource: 'serviceaccounts' })
      .namespace(updated.metadata.namespace ?? '')
    await accounts.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } })
    const token = await accounts.create(
      { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: { name: 'robot' }, spec: {} },
      { subresource: 'token' },
    )
    expect(nestedString(token, 'status', 'token')).toMatch(/^ey/)
  })

  it('patch: of each kind, and of a subresource', async () => {
    const deployments = await inNamespace()
    await deployments.create(manifest('web'))
    const merged = await deployments.patch('web', mergePatch({ metadata: { labels: { a: 'b' } } }))
    expect(nestedStringMap(merged, 'metadata', 'labels')).toEqual({ app: 'web', a: 'b' })
    const stepped = await deployments.patch('web', jsonPatch([{ op: 'replace', path: '/spec/replicas', value: 4 }]))
    expect(nestedInt64(stepped, 'spec', 'replicas')).toBe(4)
    const container = { name: 'nginx', image: 'nginx:1.28' }
    const strategic = await deployments.patch(
      'web',
      strategicMergePatch({ spec: { template: { spec: { containers: [container] } } } }),
    )
    expect(nestedSlice(strategic, 'spec', 'template', 'spec', 'containers')).toHaveLength(1)
    const scaled = await deployments.patch('web', mergePatch({ spec: { replicas: 1 } }), { subresource: 'scale' })
    expect(scaled.kind).toBe('Scale')
  })

  it('what the server cannot find or apply is told with what to try', async () => {
    await expect(client.resource(deploymentsResource).get('web')).rejects.toThrow(`use .namespace('…')`)
    await expect(client.resource(deploymentsResource).deleteCollection()).rejects.toThrow(`use .namespace('…')`)
    const kind = client.resource({ ...deploymentsResource, resource: 'Deployment' })
    await expect(kind.list()).rejects.toThrow('a resource is named in the plural and in lower case')
    const deployments = await inNamespace()
    await expect(deployments.get('web')).rejects.toThrow(/"web" not found$/)
    await deployments.create(manifest('web'))
    const patched = deployments.patch('web', jsonPatch([{ op: 'remove', path: '/spec/nothing' }]))
    await expect(patched).rejects.toThrow('applyJsonPatch of kubewright/patch says which')
  })

  it('apply: owns fields, conflicts, and does not take an object that was read', async () => {
    const deployments = await inNamespace()
    const wanted = manifest('web', { replicas: 2 })
    const config = { ...wanted, metadata: { ...wanted.metadata, name: 'web' } }
    const applied = await deployments.apply(config, { fieldManager: 'first' })
    expect(applied.metadata.managedFields?.map(({ manager }) => manager)).toContain('first')
    const other = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { replicas: 3 } }
    await expect(deployments.apply(other, { fieldManager: 'second' })).rejects.toSatisfy(isConflict)
    const forced = await deployments.apply(other, { fieldManager: 'second', force: true })
    expect(nestedInt64(forced, 'spec', 'replicas')).toBe(3)
    await expect(deployments.apply(forced, { fieldManager: 'third' })).rejects.toThrow('managed fields already set')
    const condition = { type: 'Applied', status: 'True', reason: 'Test', message: '' }
    const status = await deployments.applyStatus(
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, status: { conditions: [condition] } },
      { fieldManager: 'third' },
    )
    expect(JSON.stringify(nestedSlice(status, 'status', 'conditions'))).toContain('Applied')
  })

  it('list: items have a kind, pages follow continue; watch, delete and deleteCollection', async () => {
    const namespace = await testNamespace()
    const maps = client.resource(configMaps).namespace(namespace)
    for (const name of ['a', 'b', 'c'])
      await maps.create(configMap(name, { suite: 'dynamic', keep: String(name === 'c') }))
    const first = await maps.list({ labelSelector: 'suite=dynamic', limit: 2 })
    expect(first.items.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`)).toEqual([
      'v1 ConfigMap a',
      'v1 ConfigMap b',
    ])
    const rest = await maps.list({ labelSelector: 'suite=dynamic', limit: 2, continue: first.metadata.continue })
    expect(rest.items.map(({ metadata }) => metadata.name)).toEqual(['c'])
    expect((await client.resource(configMaps).list({ labelSelector: 'suite=dynamic' })).items.length).toBeGreaterThan(2)

    const watch = await maps.watch({ resourceVersion: rest.metadata.resourceVersion, labelSelector: 'suite=dynamic' })
    await maps.delete('a')
    await maps.deleteCollection({}, { labelSelector: 'suite=dynamic,keep=false' })
    const seen: string[] = []
    for await (const event of watch) {
      if (event.type === 'BOOKMARK' || event.type === 'ERROR') continue
      seen.push(`${event.type} ${event.object.metadata.name}`)
      if (seen.length === 2) break
    }
    expect(seen).toEqual(['DELETED a', 'DELETED b'])
    const left = await maps.list({ labelSelector: 'suite=dynamic' })
    expect(left.items.map(({ metadata }) => metadata.name)).toEqual(['c'])
  })

  it('delete: Foreground leaves the object until its dependents are gone', async () => {
    const deployments = await inNamespace()
    await deployments.create(manifest('web', { replicas: 2 }))
    await deployments.delete('web', { propagationPolicy: 'Foreground' })
    await eventually(async () => isNotFound(await deployments.get('web').catch((err: unknown) => err)))
  })

  it('a built-in kind, by its descriptor, is typed as in a clientset', async () => {
    const namespace = await testNamespace()
    const deployments = client.resource(Deployment).namespace(namespace)
    const created = await deployments.create(deployment('web'))
    expect(created.spec.replicas).toBe(1)
    expect((await deployments.getScale('web')).spec.replicas).toBe(1)
    expect((await client.resource(Namespace).get(namespace)).metadata.name).toBe(namespace)
    await expect(client.resource(Deployment).get('web')).rejects.toThrow('which namespace?')
  })

  it('informers follow a resource by its name, in their namespace and as they are told to', async () => {
    const namespace = await testNamespace()
    const maps = client.resource(configMaps).namespace(namespace)
    await maps.create(configMap('one', { seen: 'yes' }))
    await maps.create(configMap('hidden'))
    await using factory = new DynamicSharedInformerFactory(client, {
      namespace,
      tweakListOptions: () => ({ labelSelector: 'seen=yes' }),
    })
    const { informer, lister } = factory.forResource(configMaps)
    const told: string[] = []
    informer.addEventHandler({
      onAdd: (obj) => told.push(`add ${metaNamespaceKeyFunc(obj)}`),
      onUpdate: (_, obj) => told.push(`update ${metaNamespaceKeyFunc(obj)} ${nestedString(obj, 'data', 'key')}`),
      onDelete: (obj) => told.push(`delete ${deletionHandlingMetaNamespaceKeyFunc(obj)}`),
    })
    factory.start({ signal: new AbortController().signal })
    expect((await factory.waitForCacheSync()).asError()).toBeUndefined()
    await maps.create(configMap('two', { seen: 'yes' }))
    await maps.patch('two', mergePatch({ data: { key: 'new' } }))
    await maps.delete('one')
    await eventually(() => told.length >= 4)
    expect(told.sort()).toEqual([
      `add ${namespace}/one`,
      `add ${namespace}/two`,
      `delete ${namespace}/one`,
      `update ${namespace}/two new`,
    ])
    expect(
      lister
        .byNamespace(namespace)
        .list()
        .map((obj) => [obj.kind, obj.metadata.name]),
    ).toEqual([['ConfigMap', 'two']])
    expect(lister.byNamespace(namespace).get('hidden')).toBeUndefined()
  })
})
