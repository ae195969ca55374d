// The cases of client-go's tests of its fakes: of dynamic and metadata clients, of their informers, and of trackers.

import { describe, expect, it } from 'vitest'
import { ConfigMap } from '../gen/api/core/v1.js'
import { DynamicSharedInformerFactory, MetadataSharedInformerFactory } from '../informers/index.js'
import {
  applyPatch,
  defineResource,
  isNotFound,
  jsonPatch,
  type KubernetesObject,
  mergePatch,
  strategicMergePatch,
} from '../meta/index.js'
import { FakeClientset, type Reaction } from './index.js'
import { ObjectTracker } from './object-tracker.js'
import { configMap, configMaps, namesOf, taken } from './tracker.test-support.js'

type TheKind = KubernetesObject & { metadata: { name: string; namespace: string }; spec?: Record<string, string> }

const kindOf = (group: string) =>
  defineResource<TheKind>({ group, version: 'version', kind: 'TheKind', plural: 'thekinds', scope: 'Namespaced' })
const TheKind = kindOf('group')
const theKinds = { group: 'group', version: 'version', resource: 'thekinds' }
const theKind = (name: string, group = 'group', more: object = {}) => ({
  apiVersion: `${group}/version`,
  kind: 'TheKind',
  metadata: { name, namespace: 'ns-foo' },
  ...more,
})

function fakeOf(...objects: object[]): FakeClientset {
  const fake = new FakeClientset({ kinds: [TheKind, kindOf('group2')] })
  for (const object of objects) fake.tracker.add(object)
  return fake
}

describe('a fake of kinds that only the test knows', () => {
  const objects = [
    theKind('name-foo'),
    theKind('name2-foo', 'group2'),
    theKind('name-bar'),
    theKind('name-baz'),
    theKind('name2-baz', 'group2'),
  ]

  it('gets an object with its type', async () => {
    const { dynamicClient } = fakeOf(theKind('name-foo'))
    expect(await dynamicClient.resource(theKinds).namespace('ns-foo').get('name-foo')).toMatchObject(
      theKind('name-foo'),
    )
  })

  it('lists those of the group, in their order', async () => {
    const { dynamicClient, metadataClient } = fakeOf(...objects)
    const expected = ['ns-foo/name-bar', 'ns-foo/name-baz', 'ns-foo/name-foo']
    const list = await dynamicClient.resource(TheKind).list()
    expect(namesOf(list)).toEqual(expected)
    expect(list).toMatchObject({ apiVersion: 'group/version', kind: 'TheKindList' })
    expect(list.items[0]).toMatchObject(theKind('name-bar'))
    expect((await metadataClient.resource(theKinds).list()).items.map((item) => item.metadata?.name)).toEqual([
      'name-bar',
      'name-baz',
      'name-foo',
    ])
  })

  it.each([0, 1, 3])('gives a list of %i objects the version that is one more', async (count) => {
    const { dynamicClient } = fakeOf(...objects.filter((o) => o.apiVersion === 'group/version').slice(0, count))
    const { metadata, items } = await dynamicClient.resource(theKinds).namespace('ns-foo').list()
    expect([items.length, metadata?.resourceVersion]).toEqual([count, String(count + 1)])
  })

  it('adds what comes as one list', async () => {
    const items = ['name-foo', 'name-bar', 'name-baz'].map((name) => theKind(name))
    const { dynamicClient } = fakeOf({ apiVersion: 'group/version', kind: 'TheKindList', items })
    const list = await dynamicClient.resource(theKinds).list()
    expect([list.items.length, list.metadata?.resourceVersion]).toEqual([3, '4'])
  })
})

describe('a fake patches', () => {
  const labels = (of: Record<string, string>) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'ns', labels: of },
  })
  const path = '/metadata/labels'

  it.each<[what: string, before: Record<string, string>, patch: Parameters<typeof jsonPatch>[0], after: object]>([
    ['nothing, when there are no operations', { foo: 'bar' }, [], { foo: 'bar' }],
    ['a change', { foo: 'bar' }, [{ op: 'replace', path: `${path}/foo`, value: 'foobar' }], { foo: 'foobar' }],
    ['an addition', { foo: 'bar' }, [{ op: 'add', path: `${path}/new`, value: 'd' }], { foo: 'bar', new: 'd' }],
    ['a removal', { foo: 'bar', old: 'x' }, [{ op: 'remove', path: `${path}/old` }], { foo: 'bar' }],
  ])('%s', async (_, before, patch, after) => {
    const fake = new FakeClientset({ objects: [labels(before)] })
    const dynamic = await fake.dynamicClient.resource(configMaps).namespace('ns').patch('a', jsonPatch(patch))
    expect(dynamic['metadata']?.labels).toEqual(after)

    const other = new FakeClientset({ objects: [labels(before)] })
    const metadata = await other.metadataClient.resource(configMaps).namespace('ns').patch('a', jsonPatch(patch))
    expect(metadata.metadata?.labels).toEqual(after)
  })

  it('by a merge', async () => {
    const fake = new FakeClientset({ objects: [labels({ foo: 'bar' })] })
    const patched = await fake.metadataClient
      .resource(configMaps)
      .namespace('ns')
      .patch('a', mergePatch({ metadata: { labels: { foo: 'baz' } } }))
    expect(patched.metadata?.labels).toEqual({ foo: 'baz' })
  })

  it.each([[[]], [[{ op: 'add', path: '/data/x', value: 'dummy' }]]])(
    'not by the operations %j, when they are said to be a strategic merge',
    async (operations) => {
      const fake = new FakeClientset({ objects: [labels({ foo: 'bar' })] })
      const wrong = { ...strategicMergePatch({}), body: operations }
      for (const client of [fake.dynamicClient, fake.metadataClient]) {
        await expect(client.resource(configMaps).namespace('ns').patch('a', wrong)).rejects.toThrow(/patch|JSON/i)
      }
      expect(fake.tracker.get(ConfigMap, 'ns', 'a').metadata.labels).toEqual({ foo: 'bar' })
    },
  )

  it('not what is not there', async () => {
    const nodes = new FakeClientset().coreV1().nodes()
    await expect(nodes.patch('node-1', strategicMergePatch({}))).rejects.toThrow('nodes "node-1" not found')
  })
})

describe('informers of a fake', () => {
  const deployments = { group: 'apps', version: 'v1', resource: 'deployments' }
  const deployment = (name: string, labels: Record<string, string> = {}) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'ns-foo', labels },
    spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } } } },
  })
  const factories = [
    [
      'dynamic',
      (fake: FakeClientset, options: object) => new DynamicSharedInformerFactory(fake.dynamicClient, options),
    ],
    [
      'metadata',
      (fake: FakeClientset, options: object) => new MetadataSharedInformerFactory(fake.metadataClient, options),
    ],
  ] as const

  type Told = { metadata?: { name?: string; labels?: { [key: string]: string } } }

  describe.each(factories)('of %s clients', (_, make) => {
    // What comes after what is not heard of, and is.
    type Case = [what: string, namespace: string, selected: object, after?: object]
    const elsewhere = { ...deployment('last'), metadata: { name: 'last', namespace: 'ns-bar' } }
    it.each<Case>([
      ['hear of what is in their namespace', 'ns-foo', {}],
      ['hear nothing of another namespace', 'ns-bar', {}, elsewhere],
      ['hear of what a field selector selects', 'ns-foo', { fieldSelector: 'metadata.name=name-foo' }],
      [
        'hear nothing of what a field selector does not',
        'ns-foo',
        { fieldSelector: 'metadata.name=last' },
        deployment('last'),
      ],
      ['hear of what a label selector selects', 'ns-foo', { labelSelector: 'environment=test' }],
      [
        'hear nothing of what a label selector does not',
        'ns-foo',
        { labelSelector: 'environment=production' },
        deployment('last', { environment: 'production' }),
      ],
    ])('%s', async (_what, namespace, selected, after) => {
      const fake = new FakeClientset()
      const factory = make(fake, { namespace, tweakListOptions: () => selected })
      const { informer } = factory.forResource(deployments)
      const first = new Promise<string | undefined>((resolve) => {
        informer.addEventHandler({ onAdd: (object: Told) => resolve(object.metadata?.name) })
      })
      const controller = new AbortController()
      factory.start({ signal: controller.signal })
      await factory.waitForCacheSync({ signal: controller.signal })
      fake.tracker.add(deployment('name-foo', { environment: 'test' }))
      if (after) fake.tracker.add(after)
      expect(await first).toBe(after ? 'last' : 'name-foo')
      controller.abort()
    })

    it('hear of additions, updates and deletions', async () => {
      const fake = new FakeClientset()
      const factory = make(fake, { namespace: 'ns-foo' })
      const events: string[] = []
      let told!: () => void
      const deleted = new Promise<void>((resolve) => {
        told = resolve
      })
      factory.forResource(deployments).informer.addEventHandler({
        onAdd: (object: Told) => void events.push(`add ${object.metadata?.labels?.['n']}`),
        onUpdate: (_old: Told, object: Told) => void events.push(`update ${object.metadata?.labels?.['n']}`),
        onDelete: () => {
          events.push('delete')
          told()
        },
      })
      const controller = new AbortController()
      factory.start({ signal: controller.signal })
      const synced = await factory.waitForCacheSync({ signal: controller.signal })
      expect([...synced.synced.values()]).toEqual([true])
      fake.tracker.add(deployment('a', { n: '1' }))
      fake.tracker.update(deployments, deployment('a', { n: '2' }), 'ns-foo')
      fake.tracker.delete(deployments, 'ns-foo', 'a')
      await deleted
      expect(events).toEqual(['add 1', 'update 2', 'delete'])
      // A fake does not stream its lists, so an informer lists and then watches.
      expect(fake.actions().map(({ verb }) => verb)).toEqual(['list', 'watch'])
      controller.abort()
    })
  })
})

describe('watches of a tracker', () => {
  const changed = (name: string, namespace?: string) => ({ ...configMap(name, namespace), data: { k: 'v' } })

  it('of a namespace and of all namespaces have the same events', async () => {
    const tracker = new ObjectTracker()
    const watches = [tracker.watch(ConfigMap, 'ns'), tracker.watch(ConfigMap, '')]
    tracker.create(configMaps, configMap('a'), 'ns')
    tracker.update(configMaps, changed('a'), 'ns')
    tracker.delete(configMaps, 'ns', 'a')
    for (const watch of watches) {
      const events = await taken(watch, 3)
      expect(events.map(({ type, object }) => [type, 'metadata' in object && object.metadata])).toMatchObject([
        ['ADDED', { name: 'a', namespace: 'ns' }],
        ['MODIFIED', { name: 'a', namespace: 'ns' }],
        ['DELETED', { name: 'a', namespace: 'ns' }],
      ])
    }
  })

  it('are any number at once, each with the events that are its own', async () => {
    const tracker = new ObjectTracker()
    const watched = ['', '', 'ns', 'ns'].map((namespace) => ({ namespace, watch: tracker.watch(ConfigMap, namespace) }))
    const operations = [
      ['ADDED', 'foo', 'ns'],
      ['ADDED', 'bar', 'ns'],
      ['ADDED', 'baz', 'other'],
      ['MODIFIED', 'bar', 'ns'],
      ['MODIFIED', 'baz', 'other'],
      ['DELETED', 'foo', 'ns'],
      ['DELETED', 'bar', 'ns'],
      ['DELETED', 'baz', 'other'],
    ] as const
    for (const [operation, name, namespace] of operations) {
      if (operation === 'ADDED') tracker.create(configMaps, configMap(name, namespace), namespace)
      else if (operation === 'MODIFIED') tracker.update(configMaps, changed(name, namespace), namespace)
      else tracker.delete(configMaps, namespace, name)
    }
    for (const { namespace, watch } of watched) {
      const expected = operations.filter(([, , of]) => namespace === '' || of === namespace)
      const events = await taken(watch, expected.length)
      expect(
        events.map(({ type, object }) => [
          type,
          (object as ConfigMap).metadata.name,
          (object as ConfigMap).metadata.namespace,
        ]),
      ).toEqual(expected)
    }
  })

  it('that are stopped hear of nothing more', async () => {
    const tracker = new ObjectTracker()
    const watch = tracker.watch(ConfigMap, 'ns')
    watch.stop()
    tracker.create(configMaps, configMap('a'), 'ns')
    expect(await taken(watch, 1)).toEqual([])
  })
})

it('a tracker finds an object in its own namespace only', () => {
  const tracker = new ObjectTracker()
  const nodes = { group: '', version: 'v1', resource: 'nodes' }
  tracker.add({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node' } }, configMap('cm', 'default'))
  expect(tracker.get(nodes, '', 'node')).toMatchObject({ kind: 'Node' })
  expect(() => tracker.get(nodes, 'ns', 'node')).toThrow('nodes "node" not found')
  expect(tracker.get(configMaps, 'default', 'cm')).toMatchObject({ kind: 'ConfigMap' })
  expect(() => tracker.get(configMaps, '', 'cm')).toThrow(expect.toSatisfy(isNotFound))
})

describe('what is applied to a tracker', () => {
  const config = (data: Record<string, string>) => ({ apiVersion: 'v1', kind: 'ConfigMap', data })

  it('creates the object of the request, which the patch need not name', () => {
    const tracker = new ObjectTracker()
    const patched = tracker.patch(ConfigMap, 'default', 'cm-1', applyPatch(config({ k: 'v' })), { fieldManager: 'm' })
    expect([patched.metadata.name, patched.data]).toEqual(['cm-1', { k: 'v' }])
  })

  it('is shared by those who apply, each owner of what is its own', () => {
    const tracker = new ObjectTracker()
    tracker.create(configMaps, { ...configMap('cm-1', 'default'), data: { k0: 'v0' } }, 'default')
    const apply = (fieldManager: string, data: Record<string, string>, force?: true) =>
      tracker.patch(ConfigMap, 'default', 'cm-1', applyPatch(config(data)), { fieldManager, ...(force && { force }) })
        .data

    expect(apply('one', { k1: 'v1' })).toEqual({ k0: 'v0', k1: 'v1' })
    expect(() => apply('two', { k1: 'xyz' })).toThrow('Apply failed with 1 conflict: conflict with "one": .data.k1')
    expect(apply('two', { k2: 'v2' })).toEqual({ k0: 'v0', k1: 'v1', k2: 'v2' })
    expect(apply('one', { k1: 'v101' })).toEqual({ k0: 'v0', k1: 'v101', k2: 'v2' })
    expect(apply('two', { k1: 'v202' }, true)).toEqual({ k0: 'v0', k1: 'v202' })
    const replaced = { ...configMap('cm-1', 'default'), data: { k99: 'v99' } }
    expect(tracker.update(configMaps, replaced, 'default', { fieldManager: 'one' })['data']).toEqual({ k99: 'v99' })
  })
})

describe('discovery of a fake', () => {
  it.each<[call: (client: ReturnType<FakeClientset['discovery']>) => Promise<unknown>, resource: string]>([
    [(client) => client.serverVersion(), 'version'],
    [(client) => client.serverResourcesForGroupVersion('dummy.group.io/v1beta2'), 'resource'],
    [(client) => client.serverGroups(), 'group'],
    [(client) => client.serverGroupsAndResources(), 'group'],
  ])('fails with what a reactor throws, for %s', async (call, resource) => {
    for (const [verb, of] of [
      ['*', '*'],
      ['get', resource],
    ] as const) {
      const fake = new FakeClientset()
      fake.prependReactor(verb, of, () => {
        throw new Error('an error occurred')
      })
      await expect(call(fake.discovery())).rejects.toThrow('an error occurred')
    }
  })
})

describe('logs of a fake', () => {
  const logsOf = async (reaction?: Reaction) => {
    const foo = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'foo', namespace: 'default' } }
    const fake = new FakeClientset({ objects: [foo] })
    if (reaction) fake.prependReactor('get', 'pods/log', reaction)
    const lines: string[] = []
    for await (const line of fake.coreV1().pods('default').streamLogs('foo', { container: 'ctr' })) lines.push(line)
    return lines
  }

  it('are there', async () => {
    expect(await logsOf()).not.toEqual([])
    expect(await logsOf(() => 'reactor logs')).toEqual(['reactor logs'])
  })

  it('fail with what a reactor throws, which sees their options', async () => {
    const failing = logsOf((action) => {
      expect(action).toMatchObject({ options: { container: 'ctr' } })
      throw new Error('reactor get logs failure')
    })
    await expect(failing).rejects.toThrow('reactor get logs failure')
  })
})
