import { describe, expect, it } from 'vitest'
import { FakeWatch, list, object, Script, TestLogger } from '../cache/server.test-support.js'
import { FakeClock } from '../clock/fake-clock.js'
import type { DynamicInterface } from '../dynamic/index.js'
import { Deployment } from '../gen/api/apps/v1.js'
import { Node } from '../gen/api/core/v1.js'
import { defineResource, type KubernetesObject } from '../meta/index.js'
import type { MetadataInterface } from '../metadata/index.js'
import {
  DynamicSharedInformerFactory,
  MetadataSharedInformerFactory,
  SharedInformerFactory,
  type SharedInformerFactoryOptions,
} from './index.js'

const names = { group: 'example.com', version: 'v1' }
const widgets = { ...names, resource: 'widgets' }
const Widget = defineResource<KubernetesObject>({ ...names, kind: 'Widget', plural: 'widgets', scope: 'Namespaced' })

/** A client whose resources follow one script, and which notes who was asked for. */
function clientOf(script: Script): { client: DynamicInterface & MetadataInterface; asked: string[] } {
  const asked: string[] = []
  const resource = (of: { resource?: string; plural?: string }) => {
    const name = of.resource ?? of.plural ?? ''
    asked.push(name)
    const namespace = (ns: string) => {
      asked.push(`${name} in ${ns}`)
      return script
    }
    return { list: script.list.bind(script), watch: script.watch.bind(script), namespace }
  }
  return { client: { resource } as unknown as DynamicInterface & MetadataInterface, asked }
}

const script = (): Script =>
  new Script({
    lists: [list('5', [object('web', '1'), object('db', '2')])],
    watches: [() => new Error('no streaming'), new FakeWatch()],
  })

const options = (): SharedInformerFactoryOptions & { clock: FakeClock } => ({
  clock: new FakeClock(),
  logger: new TestLogger(),
})

describe.each([
  ['DynamicSharedInformerFactory', DynamicSharedInformerFactory],
  // Their types are told apart in dynamic-factory.test-d.ts.
  ['MetadataSharedInformerFactory', MetadataSharedInformerFactory as unknown as typeof DynamicSharedInformerFactory],
])('%s', (_, Factory) => {
  it('has one informer for a resource, by name or by kind', () => {
    const { client, asked } = clientOf(script())
    const factory = new Factory(client, options())
    const first = factory.forResource(widgets)
    expect(factory.forResource({ ...widgets }).informer).toBe(first.informer)
    expect(factory.forKind(Widget).informer).toBe(first.informer)
    expect(factory.forResource({ ...widgets, version: 'v2' }).informer).not.toBe(first.informer)
    expect(asked).toEqual(['widgets', 'widgets'])
  })

  it('asks for its namespace, of what is in one', () => {
    const { client, asked } = clientOf(script())
    const factory = new Factory(client, { ...options(), namespace: 'shop' })
    factory.forResource(widgets)
    factory.forKind(Deployment)
    factory.forKind(Node)
    expect(asked).toEqual(['widgets', 'widgets in shop', 'deployments', 'deployments in shop', 'nodes'])
  })

  it('runs what was asked for, and has it listed', async () => {
    const tweaked: unknown[] = []
    const from = script()
    const given = options()
    const tweakListOptions = () => {
      tweaked.push('tweaked')
      return { labelSelector: 'a=b' }
    }
    const factory = new Factory(clientOf(from).client, { ...given, tweakListOptions })
    const { informer, lister } = factory.forResource(widgets)
    const controller = new AbortController()
    factory.start({ signal: controller.signal })
    await given.clock.advance(0)
    const result = await factory.waitForCacheSync({ signal: controller.signal })
    expect(result.synced).toEqual(new Map([['widgets.v1.example.com', true]]))
    expect(lister.byNamespace('ns').get('web')?.metadata?.name).toBe('web')
    expect(lister.byNamespace('ns').get('none')).toBeUndefined()
    expect(lister.list().length).toBe(2)
    expect(from.lists[0]).toMatchObject({ labelSelector: 'a=b' })
    expect(tweaked.length).toBeGreaterThan(1)
    await factory[Symbol.asyncDispose]()
    expect(informer.isStopped()).toBe(true)
    factory.forResource({ ...widgets, version: 'v2' })
    factory.start({ signal: new AbortController().signal })
    expect(from.lists.length).toBe(1)
  })
})

it('a SharedInformerFactory knows the built-in kinds by their descriptors, and no others', () => {
  const clientset = new Proxy({}, { get: () => () => new Proxy({}, { get: () => () => script() }) })
  const factory = new SharedInformerFactory(clientset as never, options())
  expect(factory.forKind(Deployment).informer).toBe(factory.appsV1().deployments().informer)
  expect(() => factory.forKind(Widget)).toThrow('no informer found for example.com/v1, Resource=widgets')
})
