import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import type { ListerWatcher } from '../cache/index.js'
import { FakeWatch, list, object, Script, TestLogger, type TestObject } from '../cache/server.test-support.js'
import { FakeClock } from '../clock/fake-clock.js'
import type { ClientsetInterface } from '../gen/clientset.js'
import type { KubernetesObject } from '../meta/object.js'
import { Config } from '../rest/index.js'
import { SharedInformerFactory } from './factory.js'
import type { SharedInformerFactoryOptions } from './informer-factory.js'

/** A clientset whose clients follow scripts, and which notes who was asked for. */
function clientsetOf(scripts: Record<string, Script>): { clientset: ClientsetInterface; asked: string[] } {
  const asked: string[] = []
  const groupVersion = (accessor: string): object =>
    new Proxy(
      {},
      {
        get: (_, method: string) => (namespace?: string) => {
          asked.push(`${accessor}.${method}(${namespace === undefined ? '' : `'${namespace}'`})`)
          return scripts[`${accessor}.${method}`] ?? new Script({})
        },
      },
    )
  const clientset = new Proxy({}, { get: (_, accessor: string) => () => groupVersion(accessor) })
  return { clientset: clientset as ClientsetInterface, asked }
}

function fixture(
  scripts: Record<string, Script>,
  options: SharedInformerFactoryOptions = {},
): {
  factory: SharedInformerFactory
  clock: FakeClock
  controller: AbortController
  asked: string[]
  logger: TestLogger
} {
  const clock = new FakeClock()
  const logger = new TestLogger()
  const { clientset, asked } = clientsetOf(scripts)
  const factory = new SharedInformerFactory(clientset, { clock, logger, ...options })
  return { factory, clock, controller: new AbortController(), asked, logger }
}

const refusing = () => ({ watches: [() => new Error('no streaming'), new FakeWatch()] })

const deployments = (): Script =>
  new Script({ lists: [list('5', [object('web', '1'), object('db', '2')])], ...refusing() })
const nodes = (): Script => new Script({ lists: [list('5', [{ metadata: { name: 'node-1' } }])], ...refusing() })

describe('accessors', () => {
  it('give the same informer each time', () => {
    const { factory, asked } = fixture({})
    const first = factory.appsV1().deployments()
    expect(factory.appsV1().deployments()).toBe(first)
    expect(factory.forResource({ group: 'apps', version: 'v1', resource: 'deployments' }).informer).toBe(first.informer)
    expect(factory.appsV1().statefulSets().informer).not.toBe(first.informer)
    expect(asked).toEqual(["appsV1.deployments('')", "appsV1.statefulSets('')"])
  })

  it('ask for one namespace, where the resource has any', () => {
    const { factory, asked } = fixture({}, { namespace: 'prod' })
    factory.appsV1().deployments()
    factory.coreV1().nodes()
    expect(asked).toEqual(["appsV1.deployments('prod')", 'coreV1.nodes()'])
  })

  it('are those of resources that can be listed and watched', () => {
    const { factory } = fixture({})
    const authorization = (factory as unknown as Record<string, () => object>).authorizationV1?.()
    expect(Object.keys(authorization ?? {})).toEqual([])
    expect(Object.keys(factory.coreV1())).toEqual(expect.arrayContaining(['pods', 'configMaps', 'namespaces']))
  })

  it('have names for resources that are only known at run time', () => {
    const { factory } = fixture({})
    const unknown = { group: 'apps', version: 'v1', resource: 'things' }
    expect(() => factory.forResource(unknown)).toThrow('no informer found for apps/v1, Resource=things')
    expect(() => factory.forResource({ group: '', version: 'v1', resource: 'bindings' })).toThrow(
      'no informer found for v1, Resource=bindings',
    )
  })
})

describe('start', () => {
  it('runs what was asked for; after that, what was asked for since', async () => {
    const scripts = { 'appsV1.deployments': deployments(), 'coreV1.nodes': nodes(), 'coreV1.pods': new Script({}) }
    const { factory, clock, controller } = fixture(scripts)
    const informer = factory.appsV1().deployments()
    const { signal } = controller
    factory.start({ signal })
    const cluster = factory.coreV1().nodes()
    await clock.advance(0)
    expect((await factory.waitForCacheSync({ signal })).synced).toEqual(new Map([['deployments.v1.apps', true]]))
    expect(scripts['coreV1.nodes'].calls).toEqual([])
    expect(informer.lister.deployments('ns').get('web')?.metadata.name).toBe('web')
    expect(informer.lister.list().length).toBe(2)

    factory.start({ signal })
    await clock.advance(0)
    expect((await factory.waitForCacheSync({ signal })).synced).toEqual(
      new Map([
        ['deployments.v1.apps', true],
        ['nodes.v1', true],
      ]),
    )
    expect(cluster.lister.get('node-1')?.metadata.name).toBe('node-1')
    expect(factory.forResource({ group: '', version: 'v1', resource: 'nodes' }).lister.get('node-1')).toBeDefined()
    expect(scripts['appsV1.deployments'].lists.length).toBe(1)
    expect(scripts['coreV1.pods'].calls).toEqual([])
    controller.abort()
    await factory.shutdown()
    expect(clock.pendingTimers).toBe(0)
  })

  it('does nothing after shutdown', async () => {
    const script = deployments()
    const { factory, clock, controller } = fixture({ 'appsV1.deployments': script })
    factory.appsV1().deployments()
    await factory.shutdown()
    await factory.shutdown()
    factory.start({ signal: controller.signal })
    await clock.advance(0)
    expect(script.calls).toEqual([])
  })

  it('does nothing with a signal that is aborted', async () => {
    const script = deployments()
    const { factory, clock } = fixture({ 'appsV1.deployments': script })
    const { informer } = factory.appsV1().deployments()
    factory.start({ signal: AbortSignal.abort(new Error('over')) })
    await clock.advance(0)
    expect([informer.isStopped(), script.calls]).toEqual([true, []])
  })

  it('runs any number of informers by one signal, without a warning of a leak', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const { factory, clock, controller } = fixture({})
    const core = factory.coreV1() as unknown as Record<string, () => unknown>
    for (const resource of Object.keys(core)) core[resource]?.()
    factory.start({ signal: controller.signal })
    await clock.advance(0)
    expect(getEventListeners(controller.signal, 'abort').length).toBeGreaterThan(10)
    controller.abort()
    await factory.shutdown()
    expect(warned).not.toHaveBeenCalled()
    warned.mockRestore()
  })

  it('is undone by disposing of the factory', async () => {
    const { factory, clock, controller } = fixture({ 'appsV1.deployments': deployments() })
    const { informer } = factory.appsV1().deployments()
    factory.start({ signal: controller.signal })
    await clock.advance(0)
    await factory[Symbol.asyncDispose]()
    expect([informer.isStopped(), clock.pendingTimers]).toEqual([true, 0])
  })
})

describe('waitForCacheSync', () => {
  it('says which resources are not synced, and why', async () => {
    const never = new Script({ lists: [new Error('down')], ...refusing() })
    const scripts = { 'appsV1.deployments': deployments(), 'coreV1.nodes': never, 'coreV1.pods': never }
    const { factory, clock, controller } = fixture(scripts)
    factory.appsV1().deployments()
    factory.coreV1().pods()
    factory.coreV1().nodes()
    factory.start({ signal: controller.signal })
    const waiting = factory.waitForCacheSync({ signal: controller.signal })
    await clock.advance(0)
    controller.abort(new Error('enough'))
    const result = await waiting
    expect([...result.synced]).toEqual([
      ['deployments.v1.apps', true],
      ['pods.v1', false],
      ['nodes.v1', false],
    ])
    expect(result.asError()?.message).toBe('failed to sync all caches: nodes.v1, pods.v1: enough')
    await factory.shutdown()
  })

  it('has nothing to say where all is well, or nothing started', async () => {
    const { factory } = fixture({})
    factory.coreV1().pods()
    const result = await factory.waitForCacheSync()
    expect([result.synced.size, result.err, result.asError()]).toEqual([0, undefined, undefined])
  })
})

describe('options', () => {
  it.each<[string, NonNullable<SharedInformerFactoryOptions['tweakListOptions']>]>([
    ['changed', (options) => void (options.labelSelector = 'app=web')],
    ['replaced', (options) => ({ ...options, labelSelector: 'app=web' })],
    ['added to', () => ({ labelSelector: 'app=web' })],
  ])('of lists and watches can be %s', async (_, tweakListOptions) => {
    const script = deployments()
    const { factory, clock, controller } = fixture({ 'appsV1.deployments': script }, { tweakListOptions })
    factory.appsV1().deployments()
    factory.start({ signal: controller.signal })
    await clock.advance(0)
    expect(
      script.calls.map(({ call, labelSelector, resourceVersion, limit }) => [
        call,
        labelSelector,
        resourceVersion,
        limit,
      ]),
    ).toEqual([
      ['watch', 'app=web', undefined, undefined],
      ['list', 'app=web', '0', 500],
      ['watch', 'app=web', '5', undefined],
    ])
    controller.abort()
    await factory.shutdown()
  })

  it("default to the logger of the clientset's Config", async () => {
    const script = new Script({ lists: [new Error('refused')], ...refusing() })
    const { clientset } = clientsetOf({ 'coreV1.nodes': script })
    const logger = new TestLogger()
    const configured = new Proxy(clientset, {
      get: (target, name) => (name === 'config' ? new Config({ logger }) : Reflect.get(target, name)),
    })
    const clock = new FakeClock()
    const controller = new AbortController()
    const factory = new SharedInformerFactory(configured, { clock })
    factory.coreV1().nodes()
    factory.start(controller)
    await clock.advance(0)
    expect(logger.of('error')).toEqual(['failed to watch'])
    controller.abort()
    await factory.shutdown()
  })

  it('include a transform, handlers’ errors and resync periods by kind', async () => {
    const errors: unknown[] = []
    const scripts = { 'appsV1.deployments': deployments(), 'coreV1.nodes': nodes() }
    const { factory, clock, controller } = fixture(scripts, {
      resyncPeriod: 10_000,
      customResync: [[{ group: '', version: 'v1', kind: 'Node' }, 2000]],
      transform: (obj) => ({ ...obj, metadata: { ...obj.metadata, labels: { seen: 'yes' } } }),
      onHandlerError: (err) => errors.push(String(err)),
    })
    const told = { deployments: 0, nodes: 0 }
    const { informer, lister } = factory.appsV1().deployments()
    informer.addEventHandler({
      onAdd: (obj) => {
        if (obj.metadata.name === 'web') throw new Error('oops')
      },
      onUpdate: () => told.deployments++,
    })
    factory
      .coreV1()
      .nodes()
      .informer.addEventHandler({ onUpdate: () => told.nodes++ })
    factory.start({ signal: controller.signal })
    await clock.advance(10_000)
    expect([lister.list('seen=yes').length, errors, told]).toEqual([2, ['Error: oops'], { deployments: 2, nodes: 5 }])
    controller.abort()
    await factory.shutdown()
  })

  it('skip objects of another kind', async () => {
    const pod = object('a', '6', { apiVersion: 'v1', kind: 'Pod' })
    const other = object('b', '7', { apiVersion: 'v1', kind: 'Node' })
    const watch = new FakeWatch([
      { type: 'ADDED', object: pod },
      { type: 'ADDED', object: other },
    ])
    const script = new Script({ watches: [new Error('no streaming'), watch] })
    const { factory, clock, controller, logger } = fixture({ 'coreV1.pods': script })
    const { lister } = factory.coreV1().pods()
    factory.start({ signal: controller.signal })
    await clock.advance(0)
    expect(lister.list().map((obj) => obj.metadata.name)).toEqual(['a'])
    expect(logger.lines.at(-1)?.fields.reflector).toBe('pods.v1')
    controller.abort()
    await factory.shutdown()
  })

  it('pass on that a client cannot stream', async () => {
    const script: ListerWatcher<TestObject> & Script = Object.assign(new Script({}), {
      isWatchListSemanticsUnSupported: () => true,
    })
    const { factory, clock, controller } = fixture({ 'coreV1.pods': script }, { tweakListOptions: () => {} })
    factory.coreV1().pods()
    factory.start({ signal: controller.signal })
    await clock.advance(0)
    expect(script.calls[0]?.call).toBe('list')
    controller.abort()
    await factory.shutdown()
  })

  it('need a clientset with a client for the resource', () => {
    const factory = new SharedInformerFactory({} as ClientsetInterface)
    expect(() => factory.appsV1().deployments()).toThrow(
      'the clientset has no client appsV1().deployments(): its informer needs one',
    )
  })
})

/** What is given out is typed, and readonly in depth. */
export function types(factory: SharedInformerFactory): void {
  const { informer, lister } = factory.appsV1().deployments()
  informer.addEventHandler({
    // @ts-expect-error objects of a cache are not to be changed
    onAdd: (d) => (d.spec.replicas = 2),
  })
  const replicas: number | undefined = lister.deployments('ns').get('web')?.spec.replicas
  const untyped: readonly KubernetesObject[] = factory.coreV1().nodes().lister.list()
  // @ts-expect-error nodes have no namespace
  factory.coreV1().nodes().lister.nodes('ns')
  void [replicas, untyped]
}
