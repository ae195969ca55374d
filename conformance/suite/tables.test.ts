// Tables: what the server makes of objects for people to read.

import { type Clientset, DynamicClient, isNotFound, mergePatch, tables } from 'kubewright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithControlPlane, testNamespace } from '../control-plane/fixture.js'
import { clientsetFor, deployment } from './helpers.js'

describeWithControlPlane('tables', () => {
  let clientset: Clientset
  beforeAll(async () => {
    clientset = await clientsetFor()
  })
  afterAll(() => clientset.close())

  it('of a typed client: columns, rows and what each row carries', async () => {
    const deployments = clientset.appsV1().deployments(await testNamespace())
    for (const name of ['a', 'b']) await deployments.create(deployment(name))
    const metadata = await tables(deployments).list()
    expect(metadata.columnDefinitions.map(({ name }) => name)).toEqual(expect.arrayContaining(['Name', 'Ready', 'Age']))
    expect(metadata.columnDefinitions.find(({ name }) => name === 'Containers')?.priority).toBe(1)
    expect(metadata.rows.map(({ cells }) => cells[0])).toEqual(['a', 'b'])
    expect(metadata.rows.map(({ object }) => `${object.kind} ${object.metadata.name}`)).toEqual([
      'PartialObjectMetadata a',
      'PartialObjectMetadata b',
    ])
    const none = await tables(deployments).list({ includeObject: 'None', labelSelector: 'app=b' })
    expect(none.rows.map(({ cells }) => cells[0])).toEqual(['b'])
    expect(none.rows[0]?.object).toBeNull()
    const one = await tables(deployments).get('a', { includeObject: 'Object' })
    expect(one.rows.map(({ object }) => object.spec.replicas)).toEqual([1])
    await expect(tables(deployments).get('nowhere')).rejects.toSatisfy(isNotFound)
  })

  it('of a dynamic client: pages and a watch, each event with its columns', async () => {
    const maps = new DynamicClient(clientset.config)
      .resource({ group: '', version: 'v1', resource: 'configmaps' })
      .namespace(await testNamespace())
    const create = (name: string) =>
      maps.create({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name, labels: { suite: 'tables' } },
        data: { a: 'b' },
      })
    for (const name of ['a', 'b', 'c']) await create(name)
    const page = await tables(maps).list({ limit: 2, labelSelector: 'suite=tables' })
    expect(page.rows.map(({ cells }) => [cells[0], cells[1]])).toEqual([
      ['a', 1],
      ['b', 1],
    ])
    expect(page.metadata.continue).toBeTruthy()
    const watch = await tables(maps).watch({
      resourceVersion: page.metadata.resourceVersion,
      labelSelector: 'suite=tables',
    })
    await create('d')
    await maps.patch('d', mergePatch({ data: { c: 'd' } }))
    await maps.delete('d')
    const seen: unknown[] = []
    for await (const event of watch) {
      if (event.type === 'BOOKMARK' || event.type === 'ERROR') continue
      const { columnDefinitions, rows } = event.object
      seen.push([event.type, columnDefinitions[1]?.name, rows[0]?.cells.slice(0, 2), rows[0]?.object.metadata.name])
      if (event.type === 'DELETED') break
    }
    expect(seen).toEqual([
      ['ADDED', 'Data', ['d', 1], 'd'],
      ['MODIFIED', 'Data', ['d', 2], 'd'],
      ['DELETED', 'Data', ['d', 2], 'd'],
    ])
  })
})
