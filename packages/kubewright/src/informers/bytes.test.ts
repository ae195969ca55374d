// Caches of bytes from the factories, through real requests.

import { afterEach, describe, expect, it } from 'vitest'
import { pod, server } from '../cache/bytes/bytes-server.test-support.js'
import { DynamicClient } from '../dynamic/index.js'
import { Node, Pod } from '../gen/api/core/v1.js'
import { Clientset } from '../kubernetes/index.js'
import type { KubernetesObject } from '../meta/index.js'
import { MetadataClient } from '../metadata/index.js'
import { Config, noLogger } from '../rest/index.js'
import {
  DynamicSharedInformerFactory,
  MetadataSharedInformerFactory,
  SharedInformerFactory,
  type SharedInformerFactoryOptions,
} from './index.js'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const pods = { group: '', version: 'v1', resource: 'pods' }
const managed = { managedFields: [{ manager: 'kubelet' }] }
const item = (name: string) => {
  const { metadata, ...rest } = pod(name, '1', { nodeName: 'n1' })
  return { metadata: { ...metadata, ...managed }, ...rest }
}
const podList = {
  kind: 'PodList',
  apiVersion: 'v1',
  metadata: { resourceVersion: '5' },
  items: [item('a'), item('b')],
}

/** A server that lists the same for whatever it is asked, and a Config of it. It streams nothing. */
function cluster(list: object | string = podList) {
  const fake = server(list)
  const roundTrip: typeof fake.transport.roundTrip = async (request) => {
    if (request.url.searchParams.has('sendInitialEvents')) throw new Error('no streaming')
    return fake.transport.roundTrip(request)
  }
  const transport = { ...fake.transport, roundTrip }
  const config = new Config({ host: 'http://localhost', qps: -1, logger: noLogger, transport })
  return { ...fake, config }
}

/** Starts what was asked for, and waits until it is synced. */
async function synced(factory: SharedInformerFactory | DynamicSharedInformerFactory | MetadataSharedInformerFactory) {
  const controller = new AbortController()
  factory.start({ signal: controller.signal })
  stops.push(async () => {
    controller.abort()
    await factory.shutdown()
  })
  return (await factory.waitForCacheSync()).synced
}

const options: SharedInformerFactoryOptions = { logger: noLogger }

describe('a factory of built-in resources', () => {
  it('keeps a kind as bytes where that is wished for, and decodes a copy for each reader', async () => {
    const factory = new SharedInformerFactory(new Clientset(cluster().config), options)
    const { informer, lister } = factory.forKind(Pod, { store: 'bytes', drop: ['metadata.managedFields'] })
    informer.addIndexers({ node: (ref) => [String(ref.field('spec.nodeName'))] })
    expect(await synced(factory)).toEqual(new Map([['pods.v1 as bytes', true]]))

    const [first, second] = [lister.byNamespace('ns').get('a'), lister.byNamespace('ns').get('a')]
    expect(first).toEqual({ apiVersion: 'v1', kind: 'Pod', ...pod('a', '1', { nodeName: 'n1' }) })
    if (first) first.spec.nodeName = 'changed'
    expect(second?.spec.nodeName).toBe('n1')
    expect(lister.list('app=b').map(({ metadata }) => metadata.name)).toEqual(['b'])
    expect(lister.byNamespace('other').list()).toEqual([])
    expect([lister.get('a'), lister.byNamespace('ns').get('c')]).toEqual([undefined, undefined])
    expect(informer.indexer.byIndex('node', 'n1').map(({ key }) => key)).toEqual(['ns/a', 'ns/b'])
  })

  it('decodes nothing for handlers that need keys only, nor for what a selector does not let through', async () => {
    // No JSON behind the names: whoever decoded an object would fail.
    const broken = JSON.stringify({ ...podList, items: podList.items.map((one) => ({ ...one, spec: 'broken' })) })
    const { config, send } = cluster(broken.replaceAll('"broken"', '{]'))
    const factory = new SharedInformerFactory(new Clientset(config), options)
    const { informer, lister } = factory.forResource(pods, { store: 'bytes' })
    const keys: string[] = []
    informer.addEventHandler({ onAdd: ({ key }) => keys.push(key) })
    await synced(factory)
    send({ type: 'ADDED', object: { kind: 'Pod', apiVersion: 'v1', ...pod('c', '6') } })
    while (keys.length < 3) await new Promise((resolve) => setImmediate(resolve))
    expect(keys).toEqual(['ns/a', 'ns/b', 'ns/c'])
    expect(lister.list('app=none')).toEqual([])
    expect(lister.list('app=c').map((one) => one.metadata?.name)).toEqual(['c'])
    expect(() => lister.list('app=a')).toThrow(SyntaxError)
  })

  it('has a cache of bytes and one of objects, each of them once', async () => {
    const { config, urls } = cluster()
    const factory = new SharedInformerFactory(new Clientset(config), { ...options, freeze: true })
    const bytes = factory.forKind(Pod, { store: 'bytes' })
    const objects = factory.coreV1().pods()
    expect(factory.forKind(Pod).informer).toBe(objects.informer)
    expect(factory.forResource(pods, { store: 'bytes' }).informer).toBe(bytes.informer)
    expect(factory.forKind(Node, { store: 'bytes' }).informer).not.toBe(bytes.informer)
    expect(() => factory.forKind(Pod, { store: 'bytes', drop: ['spec'] })).toThrow(
      'the informer of pods.v1 as bytes keeps other fields than are asked for',
    )
    await synced(factory)
    expect(
      urls.filter(({ pathname, searchParams }) => pathname.endsWith('pods') && !searchParams.has('watch')).length,
    ).toBe(2)
    expect(Object.isFrozen(objects.lister.pods('ns').get('a')?.metadata)).toBe(true)
    expect(bytes.lister.byNamespace('ns').get('b')?.metadata.name).toBe('b')
  })

  it('applies its transform to what it keeps as bytes, and adds its list options', async () => {
    const { config, urls } = cluster()
    const transform = (obj: KubernetesObject): KubernetesObject =>
      ({ ...obj, spec: { nodeName: 'redacted' } }) as KubernetesObject
    const tweakListOptions = () => ({ labelSelector: 'app=a' })
    const factory = new SharedInformerFactory(new Clientset(config), { ...options, transform, tweakListOptions })
    const { lister } = factory.forKind(Pod, { store: 'bytes' })
    await synced(factory)
    expect(lister.list().map(({ spec }) => spec.nodeName)).toEqual(['redacted', 'redacted'])
    expect(new Set(urls.map(({ searchParams }) => searchParams.get('labelSelector')))).toEqual(new Set(['app=a']))
  })
})

describe('a factory of any resource', () => {
  it('keeps bytes of a kind, and of a resource of which only the name is known', async () => {
    const factory = new DynamicSharedInformerFactory(new DynamicClient(cluster().config), {
      ...options,
      namespace: 'ns',
    })
    const typed = factory.forKind(Pod, { store: 'bytes', pick: ['spec'] })
    expect(factory.forResource(pods, { store: 'bytes', pick: ['spec'] }).informer).toBe(typed.informer)
    await synced(factory)
    expect(typed.lister.byNamespace('ns').get('a')?.metadata.managedFields).toBeUndefined()

    const named = new DynamicSharedInformerFactory(new DynamicClient(cluster().config), options)
    const { informer, lister } = named.forResource(pods, { store: 'bytes' })
    await synced(named)
    expect(informer.indexer.getByKey('ns/a')?.kind).toBe('Pod')
    expect(lister.byNamespace('ns').get('a')).toEqual({ apiVersion: 'v1', kind: 'Pod', ...item('a') })
  })
})

describe('a factory of metadata', () => {
  const partial = (name: string) => ({
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: item(name).metadata,
  })

  it.each([
    [
      'what a server sends of it',
      { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', items: [partial('a')] },
    ],
    ['no more, where a server sends whole objects', { kind: 'PodList', apiVersion: 'v1', items: [item('a')] }],
  ])('keeps as bytes %s', async (_, list) => {
    const fake = cluster({ metadata: { resourceVersion: '5' }, ...list })
    const factory = new MetadataSharedInformerFactory(new MetadataClient(fake.config), options)
    const { informer, lister } = factory.forResource(pods, { store: 'bytes' })
    await synced(factory)
    expect(fake.urls.length).toBeGreaterThan(0)
    const { metadata, ...rest } = lister.byNamespace('ns').get('a') ?? { metadata: undefined }
    expect(metadata).toEqual(item('a').metadata)
    expect(Object.keys(rest).sort()).toEqual(['apiVersion', 'kind'])

    const whole = { kind: 'Pod', apiVersion: 'v1', ...item('b') }
    fake.send({ type: 'ADDED', object: list.kind === 'PodList' ? whole : partial('b') })
    while (informer.indexer.listKeys().length < 2) await new Promise((resolve) => setImmediate(resolve))
    expect(Object.keys(lister.byNamespace('ns').get('b') ?? {}).sort()).toEqual(['apiVersion', 'kind', 'metadata'])
  })
})

/** What caches of bytes give out is typed as the kind, and the reader's own. */
export function types(factory: SharedInformerFactory): void {
  const { informer, lister } = factory.forKind(Pod, { store: 'bytes' })
  informer.addEventHandler({ onAdd: (ref) => void ref.decode().spec.nodeName })
  for (const one of lister.list()) one.spec.nodeName = 'mine'
  // @ts-expect-error what to leave out is for bytes only
  factory.forKind(Pod, { drop: ['metadata.managedFields'] })
}
