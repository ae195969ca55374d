// Integers of more than 53 bits, of a custom resource: read and written digit by digit where that was asked for, and
// never written where they may have been rounded.

import { Clientset, DynamicClient, getConfig } from 'kubewright'
import { conflictsOf, FieldSet, formatPath, makePath, valueElement } from 'kubewright/managedfields'
import { copyConfig, type RESTClient, restClientFor, transportFor } from 'kubewright/rest'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { controlPlane, describeWithControlPlane, kubectl, testNamespace } from '../control-plane/fixture.js'
import { eventually } from './eventually.js'

const group = 'integers.kubewright.example'

interface Counter {
  apiVersion: string
  kind: string
  metadata: { name: string; resourceVersion?: string; annotations?: Record<string, string> }
  spec: { size: bigint | number; ratio?: number }
}

const counter = (name: string, size: bigint | number): Counter => ({
  apiVersion: `${group}/v1`,
  kind: 'Counter',
  metadata: { name },
  spec: { size },
})

describeWithControlPlane('integers of more than 53 bits', () => {
  let clientset: Clientset
  let rounding: RESTClient
  let lossless: RESTClient

  beforeAll(async () => {
    const config = copyConfig(await getConfig({ kubeconfig: controlPlane().kubeconfigPath }), { qps: -1 })
    clientset = new Clientset(config)
    rounding = restClientFor(config, { group, version: 'v1' })
    lossless = restClientFor(copyConfig(config, { losslessIntegers: true }), { group, version: 'v1' })
    const integer = { type: 'integer', format: 'int64' }
    const spec = {
      type: 'object' as const,
      properties: {
        size: integer,
        ratio: { type: 'number' },
        ids: { type: 'array', 'x-kubernetes-list-type': 'set', items: integer },
        parts: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['id'],
          items: { type: 'object', required: ['id'], properties: { id: integer, n: integer } },
        },
      },
    }
    await clientset
      .apiextensionsV1()
      .customResourceDefinitions()
      .create({
        metadata: { name: `counters.${group}` },
        spec: {
          group,
          scope: 'Namespaced',
          names: { plural: 'counters', singular: 'counter', kind: 'Counter', listKind: 'CounterList' },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
            },
          ],
        },
      })
    await eventually(async () => {
      const answer = await lossless
        .get()
        .resource('counters')
        .do()
        .catch(() => undefined)
      return answer !== undefined
    })
  })
  afterAll(async () => {
    await clientset.apiextensionsV1().customResourceDefinitions().delete(`counters.${group}`)
    await Promise.all([rounding, lossless].map((client) => transportFor(client.config).close()))
    await clientset.close()
  })

  const create = async (client: RESTClient, namespace: string, object: Counter): Promise<Counter> =>
    (await client.post().namespace(namespace).resource('counters').body(object).do<Counter>()).object
  const get = async (client: RESTClient, namespace: string, name: string): Promise<Counter> =>
    (await client.get().namespace(namespace).resource('counters').name(name).do<Counter>()).object
  const put = async (client: RESTClient, namespace: string, object: Counter): Promise<Counter> => {
    const request = client.put().namespace(namespace).resource('counters').name(object.metadata.name)
    return (await request.body(object).do<Counter>()).object
  }
  const stored = async (namespace: string, name: string): Promise<string> =>
    (await kubectl(['get', `counters.${group}`, name, '-n', namespace, '-o', 'json'])).stdout

  it.each([2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n)])(
    '%d is read, and written back unchanged, where losslessIntegers is set',
    async (size) => {
      const namespace = await testNamespace()
      expect((await create(lossless, namespace, counter('a', size))).spec.size).toBe(size)
      const read = await get(lossless, namespace, 'a')
      expect(read.spec.size).toBe(size)
      read.metadata.annotations = { changed: 'yes' }
      const { metadata, spec } = await put(lossless, namespace, read)
      expect([metadata.annotations?.changed, spec.size]).toEqual(['yes', size])
      expect(await stored(namespace, 'a')).toContain(`"size": ${size}`)
    },
  )

  it('is read in lists and watches too, beside numbers', async () => {
    const namespace = await testNamespace()
    const sizes = [1, 2 ** 53 - 1, 2n ** 53n, 2n ** 53n + 1n]
    for (const [i, size] of sizes.entries()) await create(lossless, namespace, counter(`c${i}`, size))
    const list = await lossless.get().namespace(namespace).resource('counters').do<{ items: Counter[] }>()
    expect(list.object.items.map((item) => item.spec.size)).toEqual(sizes)
    const request = lossless.get().namespace(namespace).resource('counters').param('watch', 'true')
    const seen: unknown[] = []
    for await (const event of await request.watch<Counter>()) {
      if (event.type !== 'ADDED') continue
      seen.push(event.object.spec.size)
      if (seen.length === sizes.length) break
    }
    expect(new Set(seen)).toEqual(new Set(sizes))
  })

  it('a patch carries it, and takes no bigint of more than 64 bits', async () => {
    const namespace = await testNamespace()
    await create(lossless, namespace, counter('a', 1))
    const patch = (size: bigint) =>
      lossless
        .patch('application/merge-patch+json')
        .namespace(namespace)
        .resource('counters')
        .name('a')
        .body({ spec: { size } })
        .do<Counter>()
    expect((await patch(2n ** 60n + 1n)).object.spec.size).toBe(2n ** 60n + 1n)
    await expect(patch(2n ** 63n)).rejects.toThrow('spec.size as JSON: 9223372036854775808 has more than the 64 bits')
  })

  it('is refused by name on its way back where it was rounded', async () => {
    const namespace = await testNamespace()
    await create(lossless, namespace, counter('a', 2n ** 53n + 1n))
    const read = await get(rounding, namespace, 'a')
    expect(read.spec.size).toBe(2 ** 53)
    read.metadata.annotations = { changed: 'yes' }
    await expect(put(rounding, namespace, read)).rejects.toThrow(
      'PUT counters: cannot encode spec.size as JSON: 9007199254740992 is beyond 2^53',
    )
    expect(await stored(namespace, 'a')).toContain('"size": 9007199254740993')
  })

  it('a bigint can be written without losslessIntegers', async () => {
    const namespace = await testNamespace()
    await create(rounding, namespace, counter('a', 2n ** 53n + 1n))
    expect(await stored(namespace, 'a')).toContain('"size": 9007199254740993')
  })

  it('is applied and owned digit by digit, as the value of an item and as its key', async () => {
    const counters = new DynamicClient(lossless.config)
      .resource({ group, version: 'v1', resource: 'counters' })
      .namespace(await testNamespace())
    const config = (spec: object) => ({ apiVersion: `${group}/v1`, kind: 'Counter', metadata: { name: 'a' }, spec })
    const [large, larger] = [2n ** 53n + 1n, 2n ** 53n + 3n]
    const applied = {
      size: large,
      ids: [large, larger],
      parts: [
        { id: large, n: 1 },
        { id: larger, n: large },
      ],
    }
    const one = await counters.apply(config(applied), { fieldManager: 'one' })
    expect(one['spec']).toEqual(applied)
    const owned = FieldSet.fromFieldsV1(one.metadata.managedFields?.[0]?.fieldsV1)
    expect(Array.from(owned, formatPath)).toContain(`.spec.parts[id=${larger}].n`)
    expect(owned.has(makePath('spec', 'ids', valueElement(larger)))).toBe(true)
    const refused: unknown = await counters
      .apply(config({ size: large + 1n, parts: [{ id: larger, n: 1 }] }), { fieldManager: 'two' })
      .catch((err: unknown) => err)
    // The server reads keys out of managed fields as floating-point numbers, and says so.
    expect(conflictsOf(refused).map(({ field }) => field)).toEqual([
      '.spec.size',
      '.spec.parts[id=9.007199254740996e+15].n',
    ])
    const less = await counters.apply(config({ ids: [larger], parts: [{ id: large, n: 1 }] }), { fieldManager: 'one' })
    expect(less['spec']).toEqual({ ids: [larger], parts: [{ id: large, n: 1 }] })
  })

  it('floating-point numbers stay numbers', async () => {
    const namespace = await testNamespace()
    const object = counter('a', 1)
    object.spec.ratio = 2 ** 70
    await create(lossless, namespace, object)
    const read = await get(lossless, namespace, 'a')
    expect(read.spec.ratio).toBe(2 ** 70)
    expect((await put(lossless, namespace, read)).spec.ratio).toBe(2 ** 70)
  })
})
