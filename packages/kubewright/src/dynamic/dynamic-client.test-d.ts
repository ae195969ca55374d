// Which verbs a kind's client has, and what may be written with it. Checked by the compiler; nothing here runs.

import { describe, expectTypeOf, it } from 'vitest'
import type { ListerWatcher } from '../cache/index.js'
import { Deployment } from '../gen/api/apps/v1.js'
import type { Scale } from '../gen/api/autoscaling/v1.js'
import { ConfigMap } from '../gen/api/core/v1.js'
import type { NamespacedObjectMeta } from '../gen/api/meta/v1.js'
import { type CreatesWithoutStatus, tables } from '../kubernetes/index.js'
import { defineResource, type Kind, mergePatch, type StoredList, type Unstructured } from '../meta/index.js'
import type { DynamicInterface } from './index.js'

interface Widget {
  apiVersion: 'example.com/v1'
  kind: 'Widget'
  metadata: NamespacedObjectMeta
  spec: { size: number; colour?: string }
  status?: { ready: boolean }
}
const names = { group: 'example.com', version: 'v1', kind: 'Widget', plural: 'widgets', scope: 'Namespaced' } as const
const Plain = defineResource<Widget>(names)
const WithStatus = defineResource<Widget>({ ...names, subresources: { status: {} } })
const WithBoth = defineResource<Widget>({
  ...names,
  subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
})

declare const client: DynamicInterface
declare const widget: Widget

describe('the client of a defined kind', () => {
  it('has the verbs of its subresources, and no others', () => {
    void client.resource(WithStatus).namespace('a').updateStatus(widget)
    expectTypeOf(client.resource(WithBoth).namespace('a').getScale('w')).resolves.toEqualTypeOf<Scale>()
    const scaled = client.resource(WithBoth).namespace('a').patch('w', mergePatch({}), { subresource: 'scale' })
    expectTypeOf(scaled).resolves.toEqualTypeOf<Scale>()
    const patched = client.resource(WithBoth).namespace('a').patch('w', mergePatch({}), { subresource: 'status' })
    expectTypeOf(patched).resolves.toEqualTypeOf<Widget>()
    void client
      .resource(WithBoth)
      .namespace('a')
      .applyStatus({ metadata: { name: 'w' }, status: { ready: true } }, { fieldManager: 'me' })
    // @ts-expect-error it has no status subresource
    void client.resource(Plain).namespace('a').updateStatus(widget)
    // @ts-expect-error it has no scale
    void client.resource(WithStatus).namespace('a').getScale('w')
    expectTypeOf(WithStatus).toExtend<Kind<Widget, object>>()
    expectTypeOf(WithStatus).toExtend<Kind>()
  })

  it('reads its type, and writes what a user has to say', () => {
    const widgets = client.resource(WithStatus).namespace('a')
    expectTypeOf(widgets.get('w')).resolves.toEqualTypeOf<Widget>()
    expectTypeOf(widgets.list()).resolves.toEqualTypeOf<StoredList<Widget>>()
    expectTypeOf(widgets).toExtend<ListerWatcher<Widget>>()
    void widgets.create({ metadata: { generateName: 'w-' }, spec: { size: 1 } })
    void widgets.create({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } })
    void widgets.create(widget)
    void widgets.update(widget)
    void widgets.apply({ metadata: { name: 'w' }, spec: { colour: 'red' } }, { fieldManager: 'me' })
    // @ts-expect-error spec is the user's to give
    void widgets.create({ metadata: { name: 'w' } })
    // @ts-expect-error size is a number
    void widgets.create({ spec: { size: '1' } })
    // @ts-expect-error there is no such field
    void widgets.create({ spec: { size: 1, shape: 'round' } })
    // @ts-expect-error another kind
    void widgets.create({ kind: 'Gadget', spec: { size: 1 } })
    // @ts-expect-error a status is written by updateStatus
    void widgets.create({ spec: { size: 1 }, status: { ready: true } })
    // @ts-expect-error which object?
    void widgets.apply({ metadata: {}, spec: { size: 1 } }, { fieldManager: 'me' })
    // Without the subresource, create is what writes a status.
    void client
      .resource(Plain)
      .namespace('a')
      .create({ spec: { size: 1 }, status: { ready: true } })
  })

  it('takes a type of its own for what is written', () => {
    const Own = defineResource<Widget, { metadata?: { name?: string }; spec: { size: 1 | 2 } }>(names)
    void client
      .resource(Own)
      .namespace('a')
      .create({ spec: { size: 1 } })
    const own = client.resource(Own).namespace('a')
    expectTypeOf(own.get('w')).resolves.toEqualTypeOf<Widget>()
    // @ts-expect-error no such size
    void own.create({ spec: { size: 3 } })
  })

  it('is only for what is a resource', () => {
    expectTypeOf(defineResource<Widget>(names)).toEqualTypeOf(Plain)
    // @ts-expect-error a scope is one of two
    defineResource<Widget>({ ...names, scope: 'Everywhere' })
    // @ts-expect-error the resource's name is not derived from the kind
    defineResource<Widget>({ group: 'example.com', version: 'v1', kind: 'Widget', scope: 'Cluster' })
  })
})

describe('the client of a built-in kind', () => {
  it('is typed as that of a clientset', () => {
    const deployments = client.resource(Deployment).namespace('a')
    expectTypeOf(deployments.get('w')).resolves.toEqualTypeOf<Deployment>()
    expectTypeOf(deployments.getScale('w')).resolves.toEqualTypeOf<Scale>()
    expectTypeOf(deployments).toExtend<CreatesWithoutStatus<Deployment, Parameters<typeof deployments.update>[0]>>()
    // @ts-expect-error ConfigMaps have no status
    void client.resource(ConfigMap).namespace('a').updateStatus
  })
})

describe('the client of a resource by its name', () => {
  it('reads and writes objects of any kind', async () => {
    const widgets = client.resource({ group: 'example.com', version: 'v1', resource: 'widgets' }).namespace('a')
    const live = await widgets.get('w', { subresource: 'scale' })
    expectTypeOf(live).toEqualTypeOf<Unstructured>()
    expectTypeOf(live.metadata.name).toEqualTypeOf<string>()
    expectTypeOf(live['spec']).toEqualTypeOf<unknown>()
    expectTypeOf(widgets).toExtend<ListerWatcher<Unstructured>>()
    void widgets.create({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } })
    void widgets.update(live)
    // @ts-expect-error which object?
    void widgets.apply({ spec: {} }, { fieldManager: 'me' })
  })
})

it('tables carry what was asked for', async () => {
  const deployments = tables(client.resource(Deployment).namespace('a'))
  for (const { object } of (await deployments.list({ includeObject: 'Object' })).rows) {
    expectTypeOf(object).toEqualTypeOf<Deployment>()
  }
  for (const { object } of (await deployments.list()).rows) expectTypeOf(object.metadata.name).toEqualTypeOf<string>()
  for (const { object } of (await deployments.list({ includeObject: 'None' })).rows) {
    expectTypeOf(object).toEqualTypeOf<null>()
  }
})
