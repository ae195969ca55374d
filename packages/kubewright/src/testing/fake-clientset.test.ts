import { describe, expect, it, vi } from 'vitest'
import { metaNamespaceKeyFunc } from '../cache/index.js'
import { FakeClock } from '../clock/index.js'
import { MemCacheClient } from '../discovery/index.js'
import { Deployment } from '../gen/api/apps/v1.js'
import { ConfigMap, Pod } from '../gen/api/core/v1.js'
import type { NamespacedObjectMeta } from '../gen/api/meta/v1.js'
import { DynamicSharedInformerFactory, SharedInformerFactory } from '../informers/index.js'
import { Clientset, tables } from '../kubernetes/index.js'
import { conflictsOf } from '../managedfields/index.js'
import type { ApiError } from '../meta/index.js'
import {
  defineResource,
  isConflict,
  isForbidden,
  isMethodNotSupported,
  isNotFound,
  isServiceUnavailable,
  isTooManyRequests,
  mergePatch,
  suggestsClientDelay,
} from '../meta/index.js'
import { pager } from '../pager/index.js'
import { copyConfig } from '../rest/index.js'
import { DeferredDiscoveryRESTMapper } from '../restmapper/index.js'
import { retryOnConflict } from '../retry/index.js'
import { RaceFreeFakeWatcher } from '../watch/index.js'
import { FakeClientset, newConflict, newForbidden, newTooManyRequests } from './index.js'

interface Widget {
  apiVersion: 'example.com/v1'
  kind: 'Widget'
  metadata: NamespacedObjectMeta
  spec: { size: number }
  status?: { ready: boolean }
}
const Widget = defineResource<Widget>({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
  subresources: { status: {}, scale: {} },
})

const deployment = (name: string, replicas = 1) => ({
  apiVersion: 'apps/v1' as const,
  kind: 'Deployment' as const,
  metadata: { name, namespace: 'ns' },
  spec: { replicas, selector: { matchLabels: { app: name } }, template: { metadata: { labels: { app: name } } } },
})
const pod = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'ns' },
  ...more,
})

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

describe('actions', () => {
  it('say what was asked, in client-go’s terms', async () => {
    const fake = new FakeClientset({ objects: [deployment('web'), pod('a')] })
    const deployments = fake.appsV1().deployments('ns')
    await deployments.get('web', { resourceVersion: '0' })
    await deployments.list({ labelSelector: 'app=web', limit: 5 })
    await deployments.create({ metadata: { name: 'new' } }, { fieldManager: 'me', dryRun: ['All'] })
    await deployments.updateStatus({ metadata: { name: 'web' }, status: { replicas: 1 } })
    await deployments.patch('web', mergePatch({ spec: { replicas: 2 } }))
    await deployments.delete('web', { propagationPolicy: 'Background', gracePeriodSeconds: 0 })
    await deployments.deleteCollection({ dryRun: ['All'] }, { labelSelector: 'a=b' })
    const watch = await fake.coreV1().pods().watch({ timeoutSeconds: 5 })
    watch.stop()
    const resource = { group: 'apps', version: 'v1', resource: 'deployments' }
    const base = { resource, namespace: 'ns', subresource: '' }
    expect(fake.actions()).toMatchObject([
      { verb: 'get', ...base, name: 'web', options: { resourceVersion: '0' } },
      {
        verb: 'list',
        ...base,
        kind: { group: 'apps', version: 'v1', kind: 'Deployment' },
        options: { labelSelector: 'app=web', limit: 5 },
      },
      {
        verb: 'create',
        ...base,
        object: { metadata: { name: 'new' } },
        options: { fieldManager: 'me', dryRun: ['All'] },
      },
      { verb: 'update', ...base, subresource: 'status', name: 'web', object: { status: { replicas: 1 } } },
      {
        verb: 'patch',
        ...base,
        name: 'web',
        patchType: 'application/merge-patch+json',
        patch: new TextEncoder().encode('{"spec":{"replicas":2}}'),
        body: { spec: { replicas: 2 } },
      },
      { verb: 'delete', ...base, name: 'web', options: { propagationPolicy: 'Background', gracePeriodSeconds: 0 } },
      { verb: 'delete-collection', ...base, options: { dryRun: ['All'] }, listOptions: { labelSelector: 'a=b' } },
      { verb: 'watch', resource: { resource: 'pods' }, namespace: '', options: { timeoutSeconds: 5 } },
    ])
    const list = fake.actions()[1]
    if (list?.verb !== 'list') throw new Error('no list')
    expect(list.listRestrictions().labels.matches({ app: 'web' })).toBe(true)
    fake.clearActions()
    expect(fake.actions()).toEqual([])
  })

  it('of namespaces and their subresources are in none', async () => {
    const fake = new FakeClientset({ objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns' } }] })
    await fake.coreV1().namespaces().get('ns')
    await fake
      .coreV1()
      .namespaces()
      .finalize({ metadata: { name: 'ns' }, spec: { finalizers: [] } })
    expect(fake.actions()).toMatchObject([
      { verb: 'get', namespace: '', name: 'ns', subresource: '' },
      { verb: 'update', namespace: '', name: 'ns', subresource: 'finalize' },
    ])
  })

  it.each([
    ['update', 'deployments', true],
    ['UPDATE', 'Deployments', true],
    ['update', 'deployments/status', true],
    ['update', 'deployments/scale', false],
    ['get', 'deployments', false],
    ['update', 'pods', false],
  ])('match %s %s: %s', async (verb, resource, expected) => {
    const fake = new FakeClientset({ objects: [deployment('web')] })
    await fake
      .appsV1()
      .deployments('ns')
      .updateStatus({ metadata: { name: 'web' } })
    expect(fake.actions()[0]?.matches(verb, resource)).toBe(expected)
  })
})

describe('reactors', () => {
  it('answer before the tracker, the last prepended first', async () => {
    const fake = new FakeClientset({ objects: [pod('a')] })
    const seen: string[] = []
    fake.prependReactor('*', '*', () => void seen.push('first'))
    fake.prependReactor('get', 'pods', () => {
      seen.push('second')
      return pod('made-up')
    })
    expect((await fake.coreV1().pods('ns').get('a')).metadata.name).toBe('made-up')
    expect(seen).toEqual(['second'])
    await fake.coreV1().pods('ns').list()
    expect(seen).toEqual(['second', 'first'])
  })

  it('are asked for what they are for', async () => {
    const fake = new FakeClientset({ objects: [deployment('web')] })
    const seen: string[] = []
    for (const [verb, resource] of [
      ['update', 'deployments'],
      ['update', 'deployments/status'],
      ['update', 'deployments/scale'],
      ['*', 'deployments'],
      ['update', '*'],
      ['get', '*'],
      ['update', 'pods'],
    ] as const) {
      fake.prependReactor(verb, resource, () => void seen.unshift(`${verb} ${resource}`))
    }
    await fake
      .appsV1()
      .deployments('ns')
      .updateStatus({ metadata: { name: 'web' } })
    expect(seen).toEqual(['update deployments', 'update deployments/status', '* deployments', 'update *'])
  })

  it('fail calls with errors of the API, and with any other', async () => {
    const fake = new FakeClientset({ objects: [deployment('web')] })
    const deployments = fake.appsV1().deployments('ns')
    fake.prependReactor('get', 'deployments', ({ resource }) => {
      throw newForbidden(resource, 'web', 'not today')
    })
    const refused = await deployments.get('web').catch((err: unknown) => err)
    expect(refused).toSatisfy(isForbidden)
    expect((refused as Error).message).toMatch(/^GET http:.*: deployments.apps "web" is forbidden: not today$/)
    const broken = new Error('the cable is out')
    fake.prependReactor('get', 'deployments', async () => {
      throw broken
    })
    await expect(deployments.get('web')).rejects.toBe(broken)
    fake.prependReactor('get', 'deployments', () => {
      throw newTooManyRequests('slow down', 7)
    })
    const slowed = await deployments.get('web').catch((err: unknown) => err)
    expect([isTooManyRequests(slowed), suggestsClientDelay(slowed)]).toEqual([true, 7])
    expect(fake.actions()).toHaveLength(3)
  })

  it('may fail once, and leave the rest to the tracker', async () => {
    const fake = new FakeClientset({ objects: [deployment('web')] })
    const fail = vi.fn().mockImplementationOnce(({ resource }) => {
      throw newConflict(resource, 'web', 'somebody was faster')
    })
    fake.prependReactor('update', 'deployments', fail)
    const deployments = fake.appsV1().deployments('ns')
    await retryOnConflict(async () => {
      const live = await deployments.get('web')
      live.spec.replicas = 3
      await deployments.update(live)
    })
    expect(fake.actions().map(({ verb }) => verb)).toEqual(['get', 'update', 'get', 'update'])
  })

  it('may change what those after them see, not what is recorded', async () => {
    const fake = new FakeClientset()
    fake.prependReactor('create', 'configmaps', (action) => {
      if (action.verb === 'create') (action.object as { data?: object }).data = { injected: 'yes' }
      return undefined
    })
    const created = await fake
      .coreV1()
      .configMaps('ns')
      .create({ metadata: { name: 'a' } })
    expect(created.data).toEqual({ injected: 'yes' })
    const [action] = fake.actions()
    expect(action?.verb === 'create' && action.object).not.toHaveProperty('data')
  })

  it('may call the clients', async () => {
    const fake = new FakeClientset({ objects: [pod('a')] })
    fake.prependReactor('delete', 'pods', async () => {
      await fake
        .coreV1()
        .configMaps('ns')
        .create({ metadata: { name: 'epitaph' } })
      return undefined
    })
    await fake.coreV1().pods('ns').delete('a')
    expect(fake.tracker.get(ConfigMap, 'ns', 'epitaph').metadata.name).toBe('epitaph')
  })

  it('may have nothing to tell', async () => {
    const fake = new FakeClientset({ objects: [pod('a')] })
    fake.prependReactor('delete', 'pods', () => null)
    expect(await fake.coreV1().pods('ns').delete('a')).toMatchObject({ kind: 'Status', status: 'Success' })
    expect(fake.tracker.list(Pod, '').items).toHaveLength(1)
  })

  it('that are added answer what nobody knows', async () => {
    const fake = new FakeClientset()
    fake.addReactor('list', 'gadgets', () => ({ apiVersion: 'x/v1', kind: 'GadgetList', metadata: {}, items: [] }))
    fake.addReactor('*', '*', () => {
      throw new Error('never')
    })
    const gadgets = fake.dynamicClient.resource({ group: 'x', version: 'v1', resource: 'gadgets' })
    expect((await gadgets.list()).kind).toBe('GadgetList')
    expect((await fake.coreV1().pods().list()).items).toEqual([])
  })

  it('of watches bring what a test sends', async () => {
    const fake = new FakeClientset()
    const watcher = new RaceFreeFakeWatcher<Pod>()
    fake.prependWatchReactor('pods', () => watcher)
    const watch = await fake.coreV1().pods('ns').watch()
    watcher.add(pod('a') as Pod)
    watcher.error({ apiVersion: 'v1', kind: 'Status', metadata: {}, code: 410, reason: 'Expired' })
    watcher.stop()
    const events = []
    for await (const event of watch) events.push(event)
    expect(events).toMatchObject([
      { type: 'ADDED', object: { metadata: { name: 'a' } } },
      { type: 'ERROR', object: { code: 410 } },
    ])
  })

  it('of watches may refuse, and are added to the end', async () => {
    const fake = new FakeClientset()
    fake.addWatchReactor('*', () => {
      throw new Error('never')
    })
    ;(await fake.coreV1().pods().watch()).stop()
    fake.prependWatchReactor('*', ({ resource }) => {
      throw newForbidden(resource, '', 'no watching')
    })
    await expect(fake.coreV1().pods().watch()).rejects.toThrow('pods is forbidden: no watching')
  })

  it('of proxies answer for what Pods and Services serve', async () => {
    const fake = new FakeClientset()
    const services = fake.coreV1().services('ns')
    await expect(services.proxyGet('web')).rejects.toSatisfy(isServiceUnavailable)
    fake.addProxyReactor('services', ({ name, port, path, params }) => `${name} ${port} ${path} ${params['q']}`)
    fake.prependProxyReactor('pods', () => 'never')
    const bytes = await services.proxyGet('web', { scheme: 'http', port: '80', path: 'healthz/x', params: { q: '1' } })
    expect(new TextDecoder().decode(bytes)).toBe('web 80 healthz/x 1')
    expect(fake.actions().at(-1)).toMatchObject({ verb: 'get', subresource: 'proxy', scheme: 'http', name: 'web' })
  })
})

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

describe('informers', () => {
  it('list and watch, and miss nothing', async () => {
    const fake = new FakeClientset({ objects: [pod('a')] })
    const factory = new SharedInformerFactory(fake)
    const pods = factory.coreV1().pods()
    const events: string[] = []
    const { promise: done, resolve } = withResolvers()
    pods.informer.addEventHandler({
      onAdd: (object) => void events.push(`add ${metaNamespaceKeyFunc(object)}`),
      onUpdate: (_, object) => void events.push(`update ${object.metadata.labels?.['a']}`),
      onDelete: () => {
        events.push('delete')
        resolve(undefined)
      },
    })
    // Whatever happens between the list and the watch.
    fake.prependWatchReactor('pods', () => {
      fake.tracker.add(pod('between'))
      return undefined
    })
    const controller = new AbortController()
    factory.start({ signal: controller.signal })
    await factory.waitForCacheSync({ signal: controller.signal })
    const client = fake.coreV1().pods('ns')
    await client.patch('a', mergePatch({ metadata: { labels: { a: 'b' } } }))
    await client.delete('a')
    await done
    expect(events.sort()).toEqual(['add ns/a', 'add ns/between', 'delete', 'update b'])
    controller.abort()
    expect(
      fake
        .actions()
        .slice(0, 2)
        .map(({ verb }) => verb),
    ).toEqual(['list', 'watch'])
  })

  it('of custom resources do too', async () => {
    const fake = new FakeClientset({ kinds: [Widget] })
    fake.tracker.add({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w', namespace: 'ns' },
      spec: { size: 1 },
    })
    const factory = new DynamicSharedInformerFactory(fake.dynamicClient)
    const { informer } = factory.forKind(Widget)
    const controller = new AbortController()
    factory.start({ signal: controller.signal })
    await factory.waitForCacheSync({ signal: controller.signal })
    expect(informer.indexer.list().map(({ spec }) => spec.size)).toEqual([1])
    controller.abort()
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

function withResolvers(): { promise: Promise<unknown>; resolve: (value: unknown) => void } {
  let resolve!: (value: unknown) => void
  const promise = new Promise((done) => {
    resolve = done
  })
  return { promise, resolve }
}
