import { describe, expect, it, vi } from 'vitest'
import { ConfigMap, Pod } from '../gen/api/core/v1.js'
import { isForbidden, isServiceUnavailable, isTooManyRequests, mergePatch, suggestsClientDelay } from '../meta/index.js'
import { retryOnConflict } from '../retry/index.js'
import { RaceFreeFakeWatcher } from '../watch/index.js'
import { deployment, pod } from './fake-clientset.test-support.js'
import { FakeClientset, newConflict, newForbidden, newTooManyRequests } from './index.js'

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
