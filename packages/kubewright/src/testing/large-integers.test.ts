// Integers beyond 2^53 in every place of an object, through every verb of a client that reads them as bigint.

import { expect, it } from 'vitest'
import { DynamicSharedInformerFactory } from '../informers/index.js'
import { tables } from '../kubernetes/index.js'
import { conflictsOf } from '../managedfields/index.js'
import { isBadRequest, jsonPatch, mergePatch, strategicMergePatch } from '../meta/index.js'
import { createJsonPatch, createMergePatch } from '../patch/index.js'
import { FakeClientset } from './index.js'

const large = 9007199254740993n
const widgets = { group: 'example.com', version: 'v1', resource: 'widgets' }
const integer = { type: 'integer', format: 'int64' }
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'Widget', plural: 'widgets' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
        selectableFields: [{ jsonPath: '.spec.size' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  size: integer,
                  ids: { type: 'array', 'x-kubernetes-list-type': 'set', items: integer },
                  parts: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['id'],
                    items: { type: 'object', properties: { id: integer, n: integer } },
                  },
                  any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                },
              },
            },
          },
        },
      },
    ],
  },
}
const spec = {
  size: large,
  ids: [large, large + 2n, 1],
  parts: [
    { id: large, n: 1 },
    { id: large + 2n, n: large },
  ],
  any: { list: [large, { deep: -large }], '9007199254740993': '9007199254740993' },
}
const widget = (more: object = { spec }) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w' },
  ...more,
})

function withWidgets() {
  const fake = new FakeClientset({ objects: [definition], config: { losslessIntegers: true } })
  return { fake, client: fake.dynamicClient.resource(widgets).namespace('ns') }
}

it('are what was written: read, listed, watched, in tables, after patches of each kind and a status', async () => {
  const { client } = withWidgets()
  const watch = await client.watch({ resourceVersion: '1' })
  expect((await client.create(widget()))['spec']).toEqual(spec)
  expect((await client.get('w'))['spec']).toEqual(spec)
  expect((await client.list({ fieldSelector: `spec.size=${large}` })).items.map((item) => item['spec'])).toEqual([spec])
  for await (const { object } of watch) {
    expect((object as { spec?: unknown }).spec).toEqual(spec)
    break
  }
  expect((await tables(client).list({ includeObject: 'Object' })).rows[0]?.object?.['spec']).toEqual(spec)
  const before = await client.get('w')
  const after = { ...before, spec: { ...spec, size: large + 2n, ids: [-large], any: { list: [large + 4n] } } }
  const steps = jsonPatch([{ op: 'test', path: '/spec/size', value: large }, ...createJsonPatch(before, after)])
  expect((await client.patch('w', steps))['spec']).toEqual(after.spec)
  const back = await client.patch('w', mergePatch(createMergePatch(after, before) ?? {}))
  expect(back['spec']).toEqual(spec)
  const updated = await client.updateStatus({ ...back, status: { size: large } })
  expect([updated['spec'], updated['status']]).toEqual([spec, { size: large }])
})

it('are applied, and owned by whom they are applied by', async () => {
  const { client } = withWidgets()
  const one = await client.apply(widget(), { fieldManager: 'one' })
  expect(one['spec']).toEqual(spec)
  const again = await client.apply(widget(), { fieldManager: 'one' })
  expect(again.metadata.resourceVersion).toBe(one.metadata.resourceVersion)
  const two = await client.apply(widget({ spec: { ids: [large + 4n] } }), { fieldManager: 'two' })
  expect(two['spec']).toEqual({ ...spec, ids: [...spec.ids, large + 4n] })
  const config = widget({ spec: { size: large + 1n, parts: [{ id: large + 2n, n: 2 }] } })
  const refused: unknown = await client.apply(config, { fieldManager: 'two' }).catch((err: unknown) => err)
  expect(conflictsOf(refused).map(({ field }) => field)).toEqual(['.spec.size', '.spec.parts[id=9007199254740995].n'])
  const forced = await client.apply(config, { fieldManager: 'two', force: true })
  expect(forced['spec']).toMatchObject({ size: large + 1n, ids: spec.ids })
})

it('of built-in kinds merge strategically', async () => {
  const fake = new FakeClientset({ config: { losslessIntegers: true } })
  const pods = fake.dynamicClient.resource({ group: '', version: 'v1', resource: 'pods' }).namespace('ns')
  const container = (name: string, user: unknown) => ({ name, securityContext: { runAsUser: user } })
  const containers = [container('a', large), container('b', large + 2n)]
  await pods.create({ metadata: { name: 'p' }, spec: { activeDeadlineSeconds: large, containers } })
  const patch = { spec: { containers: [container('b', large + 4n)] } }
  expect((await pods.patch('p', strategicMergePatch(patch)))['spec']).toMatchObject({
    activeDeadlineSeconds: large,
    containers: [container('a', large), container('b', large + 4n)],
  })
})

it('come out of informers', async () => {
  const { fake, client } = withWidgets()
  await client.create(widget())
  const factory = new DynamicSharedInformerFactory(fake.dynamicClient)
  const { informer } = factory.forResource(widgets)
  const controller = new AbortController()
  factory.start({ signal: controller.signal })
  await factory.waitForCacheSync({ signal: controller.signal })
  expect(informer.indexer.list().map((object) => object['spec'])).toEqual([spec])
  controller.abort()
})

it('are counted on as generations, and refused as replicas', async () => {
  const { fake, client } = withWidgets()
  fake.tracker.add({ ...widget(), metadata: { name: 'w', namespace: 'ns', generation: large } })
  const patched = await client.patch('w', mergePatch({ spec: { size: 1 } }))
  expect(patched.metadata.generation).toBe(large + 1n)
  const scale = jsonPatch([{ op: 'add', path: '/spec/replicas', value: large }])
  const refused: unknown = await client.patch('w', scale, { subresource: 'scale' }).catch((err: unknown) => err)
  expect(refused).toSatisfy(isBadRequest)
  expect(String(refused)).toContain('a whole number of 32 bits, not 9007199254740993')
})

it('without the option are rounded, and not written back', async () => {
  const fake = new FakeClientset({ objects: [definition] })
  fake.tracker.add({ ...widget(), metadata: { name: 'w', namespace: 'ns' } })
  const client = fake.dynamicClient.resource(widgets).namespace('ns')
  const read = await client.get('w')
  expect(read['spec']).toMatchObject({ size: 9007199254740992 })
  await expect(client.update(read)).rejects.toThrow('spec.size as JSON: 9007199254740992 is beyond 2^53')
})

it('in an answer without a kind do no harm to the message', async () => {
  const { fake, client } = withWidgets()
  fake.prependReactor('get', 'widgets', () => ({ hello: large }))
  await expect(client.get('w')).rejects.toThrow("Object 'Kind' is missing in the answer")
})
