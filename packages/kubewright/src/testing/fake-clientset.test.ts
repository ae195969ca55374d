import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import { MemCacheClient } from '../discovery/index.js'
import { Deployment } from '../gen/api/apps/v1.js'
import { Pod } from '../gen/api/core/v1.js'
import { Clientset, tables } from '../kubernetes/index.js'
import { conflictsOf } from '../managedfields/index.js'
import type { ApiError } from '../meta/index.js'
import { isConflict, isMethodNotSupported, isNotFound, mergePatch } from '../meta/index.js'
import { pager } from '../pager/index.js'
import { copyConfig } from '../rest/index.js'
import { DeferredDiscoveryRESTMapper } from '../restmapper/index.js'
import { retryOnConflict } from '../retry/index.js'
import { deployment, pod, Widget } from './fake-clientset.test-support.js'
import { FakeClientset } from './index.js'

describe('all clients', () => {
  it('see the same objects', async () => {
    const fake = new FakeClientset({ objects: [deployment('web')], kinds: [Widget] })
    const deployments = fake.appsV1().deployments('ns')
    expect((await deployments.get('web')).spec.replicas).toBe(1)
    await fake.dynamicClient
      .resource(Deployment)
      .namespace('ns')
      .patch('web', mergePatch({ spec: { replicas: 4 } }))
    const { items } = await fake.metadataClient.resource(Deployment).list()
    expect(items.map(({ kind, metadata }) => [kind, metadata.name, metadata.generation])).toEqual([
      ['PartialObjectMetadata', 'web', 2],
    ])
    expect(items[0]).not.toHaveProperty('spec')
    const scales = fake.scaleClient.scales('ns')
    const scale = await scales.get({ group: 'apps', resource: 'deployments' }, 'web')
    expect(scale).toMatchObject({ spec: { replicas: 4 }, status: { replicas: 0, selector: 'app=web' } })
    scale.spec.replicas = 5
    await scales.update({ group: 'apps', resource: 'deployments' }, scale)
    await expect(scales.update({ group: 'apps', resource: 'deployments' }, scale)).rejects.toSatisfy(isConflict)
    expect(fake.tracker.get(Deployment, 'ns', 'web').spec.replicas).toBe(5)
    const table = await tables(deployments).list({ includeObject: 'None' })
    expect(table.rows.map(({ cells }) => cells[0])).toEqual(['web'])
  })

  it('of its Config too, and of copies', async () => {
    const fake = new FakeClientset({ objects: [pod('a')] })
    const other = new Clientset(copyConfig(fake.config, { userAgent: 'other/1' }))
    await other
      .coreV1()
      .pods('ns')
      .patch('a', mergePatch({ metadata: { labels: { a: 'b' } } }))
    const [action] = fake.actions()
    expect(action?.userAgent).toBe('other/1')
    expect(fake.tracker.get(Pod, 'ns', 'a').metadata.managedFields).toMatchObject([{ manager: 'other' }])
  })

  it('have custom resources, with the subresources that they are said to have', async () => {
    const fake = new FakeClientset({ kinds: [Widget] })
    const widgets = fake.dynamicClient.resource(Widget).namespace('ns')
    const created = await widgets.create({ metadata: { name: 'w' }, spec: { size: 1 } })
    const updated = await widgets.updateStatus({ ...created, spec: { size: 2 }, status: { ready: true } })
    expect([updated.spec, updated.status]).toEqual([{ size: 1 }, { ready: true }])
    await expect(fake.dynamicClient.resource({ group: 'none', version: 'v1', resource: 'x' }).list()).rejects.toSatisfy(
      isNotFound,
    )
  })

  it('keep integers beyond 2^53 where they are asked to', async () => {
    const fake = new FakeClientset({ kinds: [Widget], config: { losslessIntegers: true } })
    const widgets = fake.dynamicClient.resource(Widget).namespace('ns')
    await widgets.create({ metadata: { name: 'w' }, spec: { size: 9007199254740993n as never } })
    expect((await widgets.get('w')).spec.size).toBe(9007199254740993n)
  })

  it('end with the fake', async () => {
    const fake = new FakeClientset()
    const watch = await fake.coreV1().pods().watch()
    const ended = (async () => {
      for await (const _ of watch);
    })()
    await fake.close()
    await ended
    await expect(fake.coreV1().pods().list()).rejects.toThrow('the fake is closed')
  })
})

describe('errors', () => {
  it('are the server’s, with the request’s method and URL', async () => {
    const fake = new FakeClientset({ objects: [deployment('web')] })
    const deployments = fake.appsV1().deployments('ns')
    const missing = await deployments.get('none').catch((err: unknown) => err)
    expect(missing).toSatisfy(isNotFound)
    expect((missing as ApiError).message).toBe(
      'GET http://fake/apis/apps/v1/namespaces/ns/deployments/none: deployments.apps "none" not found',
    )
    expect((missing as ApiError).status.details).toEqual({ name: 'none', group: 'apps', kind: 'deployments' })
  })

  it('of applying name the fields', async () => {
    const fake = new FakeClientset()
    const deployments = fake.appsV1().deployments('ns')
    const config = (replicas: number) => ({ metadata: { name: 'web' }, spec: { replicas } })
    await deployments.apply(config(1), { fieldManager: 'one' })
    const refused = await deployments.apply(config(2), { fieldManager: 'two' }).catch((err: unknown) => err)
    expect(refused).toSatisfy(isConflict)
    expect(conflictsOf(refused)).toMatchObject([{ manager: 'one' }])
  })

  it('of verbs that there are not', async () => {
    const fake = new FakeClientset()
    const all = fake.dynamicClient.resource({ group: '', version: 'v1', resource: 'namespaces' })
    await expect(all.deleteCollection()).rejects.toSatisfy(isMethodNotSupported)
  })

  it('let retryOnConflict do its work', async () => {
    const fake = new FakeClientset({ objects: [deployment('web')] })
    const deployments = fake.appsV1().deployments('ns')
    let tries = 0
    await retryOnConflict(async () => {
      const live = await deployments.get('web')
      if (tries++ === 0) fake.tracker.patch(Deployment, 'ns', 'web', mergePatch({ metadata: { labels: { a: 'b' } } }))
      live.spec.replicas = 2
      await deployments.update(live)
    })
    expect(tries).toBe(2)
    expect(fake.tracker.get(Deployment, 'ns', 'web')).toMatchObject({
      spec: { replicas: 2 },
      metadata: { labels: { a: 'b' } },
    })
  })
})

describe('discovery', () => {
  it('knows what is served, and custom kinds', async () => {
    const fake = new FakeClientset({ kinds: [Widget], serverVersion: { gitVersion: 'v1.30.1', minor: '30' } })
    expect((await fake.discovery().serverVersion()).gitVersion).toBe('v1.30.1')
    fake.serverVersion = { ...fake.serverVersion, gitVersion: 'v1.31.0' }
    expect((await fake.discovery().serverVersion()).gitVersion).toBe('v1.31.0')
    const { groups } = await fake.discovery().serverGroups()
    expect(groups.find(({ name }) => name === 'autoscaling')?.preferredVersion?.version).toBe('v2')
    const { resources } = await fake.discovery().serverResourcesForGroupVersion('example.com/v1')
    expect(resources.map(({ name }) => name)).toEqual(['widgets', 'widgets/status', 'widgets/scale'])
    await expect(fake.discovery().serverResourcesForGroupVersion('apps/v1beta1')).rejects.toSatisfy(isNotFound)
    expect((await fake.discovery().serverGroups()).groups.map(({ name }) => name)).toContain('example.com')
    await expect(fake.discovery().openAPISchema()).rejects.toSatisfy(isNotFound)
    const mapper = new DeferredDiscoveryRESTMapper(new MemCacheClient(fake.discovery()))
    expect(await mapper.kindFor({ resource: 'widget' })).toMatchObject({ kind: 'Widget' })
    expect(await mapper.resourceFor({ resource: 'deployments' })).toMatchObject({ group: 'apps', version: 'v1' })
  })

  it('is seen by reactors, as client-go’s', async () => {
    const fake = new FakeClientset()
    await fake.discovery().serverVersion()
    await fake.discovery().serverGroups()
    await fake.discovery().serverResourcesForGroupVersion('v1')
    expect(fake.actions().map(({ verb, resource }) => `${verb} ${resource.resource}`)).toEqual([
      'get version',
      'get group',
      'get resource',
    ])
    fake.prependReactor('get', 'group', () => {
      throw new Error('no groups')
    })
    await expect(fake.discovery().serverGroups()).rejects.toThrow('no groups')
  })
})

it('lists come in pages', async () => {
  const fake = new FakeClientset({ objects: ['a', 'b', 'c', 'd', 'e'].map((name) => pod(name)) })
  const names = []
  for await (const { metadata } of pager(fake.coreV1().pods('ns')).items({ limit: 2 })) names.push(metadata.name)
  expect(names).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(fake.actions()).toHaveLength(3)
})

it('a watch ends after its seconds, and with its signal', async () => {
  const clock = new FakeClock()
  const fake = new FakeClientset({ clock })
  const watch = await fake.coreV1().pods().watch({ timeoutSeconds: 5 })
  const ended = (async () => {
    for await (const _ of watch);
    return 'ended'
  })()
  await clock.advance(5000)
  expect(await ended).toBe('ended')
  const controller = new AbortController()
  const aborted = await fake.coreV1().pods().watch({ signal: controller.signal })
  const next = aborted[Symbol.asyncIterator]().next()
  controller.abort(new Error('enough'))
  await expect(next).rejects.toThrow('enough')
})
