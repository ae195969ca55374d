// A custom resource with status and scale, through the typed client that its kind's descriptor gives.

import {
  DynamicSharedInformerFactory,
  deletionHandlingMetaNamespaceKeyFunc,
  isConflict,
  isInvalid,
  isNotFound,
  mergePatch,
  retryOnConflict,
  strategicMergePatch,
  tables,
} from 'kubewright'
import { isUnsupportedMediaType } from 'kubewright/meta'
import { expect, it } from 'vitest'
import { describeWithControlPlane, testNamespace } from '../control-plane/fixture.js'
import { eventually } from './eventually.js'
import { suiteWidgets } from './widgets.js'

describeWithControlPlane('a custom resource', () => {
  const { kind: Widget, client } = suiteWidgets('custom-resources.suite.kubewright.dev')
  const inNamespace = async () =>
    client()
      .resource(Widget)
      .namespace(await testNamespace())

  it('create, get, update, delete', async () => {
    const widgets = await inNamespace()
    const created = await widgets.create({ metadata: { generateName: 'w-' }, spec: { size: 1 } })
    expect(created).toMatchObject({ apiVersion: Widget.apiVersion, kind: 'Widget', spec: { size: 1 } })
    const { name } = created.metadata
    const updated = await retryOnConflict(async () => {
      const live = await widgets.get(name)
      live.spec.colour = 'red'
      return widgets.update(live)
    })
    expect(updated.spec).toEqual({ size: 1, colour: 'red' })
    created.spec.size = 5
    await expect(widgets.update(created)).rejects.toSatisfy(isConflict)
    await widgets.delete(name)
    await expect(widgets.get(name)).rejects.toSatisfy(isNotFound)
  })

  it('what its schema does not allow is invalid', async () => {
    const widgets = await inNamespace()
    const wrong = { metadata: { name: 'w' }, spec: { size: 'big' as unknown as number } }
    await expect(widgets.create(wrong)).rejects.toSatisfy(isInvalid)
    const unknown = { metadata: { name: 'w' }, spec: { size: 1, shape: 'round' } }
    await expect(widgets.create(unknown, { fieldValidation: 'Strict' })).rejects.toThrow(/unknown field "spec.shape"/)
  })

  it('its status is written by updateStatus, applyStatus and a patch, and by nothing else', async () => {
    const widgets = await inNamespace()
    const created = await widgets.create({ metadata: { name: 'w' }, spec: { size: 1 } })
    created.status = { size: 7 }
    expect((await widgets.update(created)).status).toBeUndefined()
    const live = await widgets.get('w')
    live.status = { size: 7 }
    live.spec.size = 9
    expect(await widgets.updateStatus(live)).toMatchObject({ spec: { size: 1 }, status: { size: 7 } })
    const config = { metadata: { name: 'w' }, status: { phase: 'Ready' } }
    expect((await widgets.applyStatus(config, { fieldManager: 'suite' })).status).toEqual({ size: 7, phase: 'Ready' })
    const patched = await widgets.patch('w', mergePatch({ status: { size: 8 } }), { subresource: 'status' })
    expect(patched.status?.size).toBe(8)
  })

  it('its scale stands for spec.size and status.size', async () => {
    const widgets = await inNamespace()
    await widgets.create({ metadata: { name: 'w' }, spec: { size: 1 } })
    const scale = await widgets.getScale('w')
    expect(scale.spec.replicas).toBe(1)
    scale.spec.replicas = 4
    expect((await widgets.updateScale('w', scale)).spec.replicas).toBe(4)
    await widgets.patch('w', mergePatch({ spec: { replicas: 5 } }), { subresource: 'scale' })
    expect((await widgets.get('w')).spec.size).toBe(5)
  })

  it('apply and patch; a strategic merge patch is not for custom resources', async () => {
    const widgets = await inNamespace()
    await widgets.apply({ metadata: { name: 'w' }, spec: { size: 1, colour: 'red' } }, { fieldManager: 'suite' })
    const applied = await widgets.apply({ metadata: { name: 'w' }, spec: { size: 2 } }, { fieldManager: 'suite' })
    expect(applied.spec).toEqual({ size: 2 })
    expect((await widgets.patch('w', mergePatch({ spec: { colour: 'blue' } }))).spec.colour).toBe('blue')
    await expect(widgets.patch('w', strategicMergePatch({ spec: { size: 3 } }))).rejects.toSatisfy(
      isUnsupportedMediaType,
    )
  })

  it('list, watch, deleteCollection, and tables with the columns of its definition', async () => {
    const widgets = await inNamespace()
    for (const [i, name] of ['a', 'b', 'c'].entries()) {
      await widgets.create({ metadata: { name, labels: { even: String(i % 2 === 0) } }, spec: { size: i } })
    }
    const list = await widgets.list({ labelSelector: 'even=true' })
    expect(list.items.map(({ kind, metadata, spec }) => [kind, metadata.name, spec.size])).toEqual([
      ['Widget', 'a', 0],
      ['Widget', 'c', 2],
    ])
    const table = await tables(widgets).list({ includeObject: 'Object' })
    expect(table.columnDefinitions.map(({ name }) => name)).toEqual(['Name', 'Size'])
    expect(table.rows.map(({ cells, object }) => [...cells, object.spec.size])).toEqual([
      ['a', 0, 0],
      ['b', 1, 1],
      ['c', 2, 2],
    ])
    const watch = await widgets.watch({ resourceVersion: list.metadata.resourceVersion })
    await widgets.deleteCollection({}, { labelSelector: 'even=true' })
    const deleted: string[] = []
    for await (const event of watch) {
      if (event.type === 'DELETED') deleted.push(event.object.metadata.name)
      if (deleted.length === 2) break
    }
    expect(deleted.sort()).toEqual(['a', 'c'])
    expect((await widgets.list()).items.map(({ metadata }) => metadata.name)).toEqual(['b'])
  })

  it('an informer of its kind knows its type', async () => {
    const namespace = await testNamespace()
    const widgets = client().resource(Widget).namespace(namespace)
    await widgets.create({ metadata: { name: 'first' }, spec: { size: 1 } })
    await using factory = new DynamicSharedInformerFactory(client(), { namespace })
    const { informer, lister } = factory.forKind(Widget)
    expect(factory.forResource({ group: Widget.group, version: 'v1', resource: 'widgets' }).informer).toBe(informer)
    const sizes = new Map<string, number | undefined>()
    informer.addEventHandler({
      onAdd: (widget) => sizes.set(widget.metadata.name, widget.spec.size),
      onUpdate: (_, widget) => sizes.set(widget.metadata.name, widget.spec.size),
      onDelete: (widget) => sizes.delete(deletionHandlingMetaNamespaceKeyFunc(widget).split('/')[1] ?? ''),
    })
    factory.start({ signal: new AbortController().signal })
    expect((await factory.waitForCacheSync()).asError()).toBeUndefined()
    await widgets.create({ metadata: { name: 'second' }, spec: { size: 2 } })
    await widgets.patch('second', mergePatch({ spec: { size: 3 } }))
    await widgets.delete('first')
    await eventually(() => sizes.size === 1 && sizes.get('second') === 3)
    expect(lister.byNamespace(namespace).get('second')?.spec.size).toBe(3)
    expect(lister.list().length).toBe(1)
  })
})
