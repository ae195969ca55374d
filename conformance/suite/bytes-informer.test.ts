// An informer that keeps objects as bytes, on a real server: what it holds and tells is what the server has, also after
// its connection was cut and a relist.

import type { Clientset } from 'kubewright'
import { ConfigMap } from 'kubewright/api/core/v1'
import { newBytesInformer, type ObjectRef } from 'kubewright/cache'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithControlPlane, testNamespace } from '../control-plane/fixture.js'
import { eventually } from './eventually.js'
import { clientsetFor } from './helpers.js'
import { type Proxied, proxiedClientset } from './proxied.js'

describeWithControlPlane('an informer of bytes', () => {
  let direct: Clientset
  let behind: Proxied
  beforeAll(async () => {
    direct = await clientsetFor()
    behind = await proxiedClientset()
  })
  afterAll(async () => {
    await behind.close()
    await direct.close()
  })

  it.each([
    ['streamed', true],
    ['listed', false],
  ])(
    'initial objects %s: adds, updates, deletes and a cut',
    async (_, useWatchList) => {
      const namespace = await testNamespace()
      const client = direct.coreV1().configMaps(namespace)
      const create = (name: string) =>
        client.create({ metadata: { name, labels: { app: name } }, data: { text: 'Größe "1"\n' } })
      await create('a')
      await create('b')

      const informer = newBytesInformer(ConfigMap, behind.clientset.coreV1().configMaps(namespace), {
        useWatchList,
        drop: ['metadata.managedFields'],
      })
      const told: string[] = []
      // Each namespace gets a ConfigMap of the control plane's own, at its own time.
      const isOurs = (ref: { readonly name: string }): boolean => ref.name.length === 1
      const tell = (ref: { readonly key: string }, text: string): void => {
        if (/\/.$/.test(ref.key)) told.push(text)
      }
      informer.addEventHandler({
        onAdd: (ref, isInInitialList) => tell(ref, `add ${ref.key} ${isInInitialList}`),
        onUpdate: (old, ref) => tell(ref, `update ${ref.key} ${old.labels['round']} ${ref.labels['round']}`),
        onDelete: (ref) => tell(ref, `delete ${ref.key}`),
      })
      const stop = new AbortController()
      const running = informer.run({ signal: stop.signal })
      await informer.synced
      await eventually(() => told.length === 2)
      expect(told.sort()).toEqual([`add ${namespace}/a true`, `add ${namespace}/b true`])

      const cached = (name: string): ObjectRef<ConfigMap> | undefined =>
        informer.indexer.getByKey(`${namespace}/${name}`) as ObjectRef<ConfigMap> | undefined
      const server = await client.get('a')
      const { managedFields, ...metadata } = server.metadata
      expect(managedFields).not.toHaveLength(0)
      expect(cached('a')?.decode()).toEqual({ ...server, metadata })
      expect(cached('a')).toMatchObject({
        kind: 'ConfigMap',
        apiVersion: 'v1',
        name: 'a',
        namespace,
        labels: { app: 'a' },
      })
      expect(cached('a')?.uid).toBe(server.metadata.uid)
      const first = cached('a')

      const relabel = async (name: string, round: string): Promise<void> => {
        const live = await client.get(name)
        await client.update({ ...live, metadata: { ...live.metadata, labels: { ...live.metadata.labels, round } } })
      }
      await relabel('a', '2')
      await eventually(() => cached('a')?.labels['round'] === '2')
      // What a handler has kept stays what it was.
      expect(first?.labels).toEqual({ app: 'a' })
      await client.delete('b')
      await eventually(() => cached('b') === undefined)

      expect(behind.proxy.cut()).toBeGreaterThan(0)
      await create('c')
      await relabel('a', '3')
      await eventually(() => cached('a')?.labels['round'] === '3' && cached('c') !== undefined)
      await eventually(() => told.length === 6)
      expect(told.slice(2)).toEqual([
        `update ${namespace}/a undefined 2`,
        `delete ${namespace}/b`,
        `add ${namespace}/c false`,
        `update ${namespace}/a 2 3`,
      ])
      expect(
        informer.indexer
          .list()
          .filter(isOurs)
          .map(({ key }) => key)
          .sort(),
      ).toEqual([`${namespace}/a`, `${namespace}/c`])

      stop.abort()
      await running
    },
    120_000,
  )
})
