import { afterEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../../clock/fake-clock.js'
import { noLogger } from '../../rest/index.js'
import { FakeControllerSource } from '../../testing/index.js'
import { metaNamespaceKeyFunc } from '../keys.js'
import { newBytesInformer } from './bytes-informer.js'
import { kind, type Pod, pod, podClient, server } from './bytes-server.test-support.js'
import type { ObjectRef } from './object-ref.js'

let stop = async (): Promise<void> => {}
afterEach(() => stop())

function started(list: object | string, config: object = {}) {
  const fake = server(list)
  const client = podClient(fake.transport, config, 'ns')
  const clock = new FakeClock()
  const informer = newBytesInformer<Pod>(kind, client, {
    clock,
    logger: noLogger,
    useWatchList: false,
    drop: ['spec.dropped'],
    indexers: { node: (ref) => [(ref.field('spec.nodeName') as string | undefined) ?? ''] },
  })
  const controller = new AbortController()
  const told: string[] = []
  const kept: ObjectRef<Pod>[] = []
  informer.addEventHandler({
    onAdd: (ref) => told.push(`add ${ref.key}@${ref.resourceVersion}`) && kept.push(ref as ObjectRef<Pod>),
    onUpdate: (old, ref) => told.push(`update ${old.resourceVersion}->${ref.resourceVersion}`),
    onDelete: (ref) => told.push(`delete ${metaNamespaceKeyFunc(ref as ObjectRef<Pod>)}`),
  })
  const running = informer.run({ signal: controller.signal })
  stop = async () => {
    controller.abort()
    await running
    expect(clock.pendingTimers).toBe(0)
  }
  return {
    ...fake,
    informer,
    told,
    kept,
    until: async (count: number) => {
      while (told.length < count) await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

const podList = {
  kind: 'PodList',
  apiVersion: 'v1',
  metadata: { resourceVersion: '5' },
  items: [pod('a', '1', { nodeName: 'n1', dropped: 1 }), pod('b', '2')],
}

describe('an informer that keeps bytes', () => {
  it('follows a server through the client’s own connection', async () => {
    const { informer, told, kept, until, send, urls } = started(podList)
    await until(2)
    expect(urls[0]?.pathname).toBe('/api/v1/namespaces/ns/pods')
    expect(informer.indexer.getByKey('ns/a')?.decode()).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      ...pod('a', '1', { nodeName: 'n1' }),
    })

    send({ type: 'MODIFIED', object: { kind: 'Pod', apiVersion: 'v1', ...pod('a', '6', { nodeName: 'n2' }) } })
    send({ type: 'BOOKMARK', object: { kind: 'Pod', apiVersion: 'v1', metadata: { resourceVersion: '7' } } })
    send({ type: 'DELETED', object: { kind: 'Pod', apiVersion: 'v1', ...pod('b', '8') } })
    send({ type: 'ADDED', object: { kind: 'Pod', apiVersion: 'v1', ...pod('c', '9') } })
    await until(5)
    expect(told).toEqual(['add ns/a@1', 'add ns/b@2', 'update 1->6', 'delete ns/b', 'add ns/c@9'])
    expect(informer.indexer.byIndex('node', 'n2').map(({ key }) => key)).toEqual(['ns/a'])
    expect(informer.indexer.byIndex('node', 'n1')).toEqual([])
    expect(informer.lastSyncResourceVersion()).toBe('9')
    expect(kept[0]?.decode().spec).toEqual({ nodeName: 'n1' })
  })

  it('takes an empty list, and what is of another kind for nothing', async () => {
    const { informer, told, until, send } = started({ kind: 'PodList', metadata: { resourceVersion: '5' }, items: [] })
    await informer.synced
    send({ type: 'ADDED', object: { kind: 'Node', apiVersion: 'v1', metadata: { name: 'x', resourceVersion: '6' } } })
    send({ type: 'ADDED', object: { kind: 'Pod', apiVersion: 'v1', ...pod('a', '7') } })
    await until(1)
    expect(told).toEqual(['add ns/a@7'])
  })

  it('reads large integers as its Config says', async () => {
    const items = [pod('a', '1', { size: 'N' })]
    const list = JSON.stringify({ ...podList, items }).replace('"N"', '9007199254740993')
    const { informer, until } = started(list, { losslessIntegers: true })
    await until(1)
    expect(informer.indexer.getByKey('ns/a')?.decode().spec?.size).toBe(9007199254740993n)
  })

  it.each<[string, bigint | number]>([
    ['bigints', 9007199254740993n],
    ['numbers, which may be rounded', 9007199254740992],
  ])('keeps large integers of a client that decodes: %s', async (_, size) => {
    const source = new FakeControllerSource<Pod>()
    const sized = (name: string): Pod => ({ metadata: { name, namespace: 'ns' }, spec: { size } })
    source.add(sized('a'))
    const clock = new FakeClock()
    const transform = (obj: Pod): Pod => ({ ...obj, spec: { ...obj.spec, nodeName: 'n' } })
    const plain = newBytesInformer<Pod>(kind, source, { clock, logger: noLogger })
    const transformed = newBytesInformer<Pod>(kind, source, { clock, logger: noLogger, transform })
    const controller = new AbortController()
    const { signal } = controller
    const running = [plain.run({ signal }), transformed.run({ signal })]
    await clock.advance(0)
    source.add(sized('b'))
    await clock.advance(0)
    const sizesIn = ({ indexer }: typeof plain) => indexer.list().map((ref) => ref.decode().spec?.size)
    expect([sizesIn(plain), sizesIn(transformed)]).toEqual([
      [size, size],
      [size, size],
    ])
    controller.abort()
    await Promise.all(running)
    expect(clock.pendingTimers).toBe(0)
  })

  it('refuses paths that are none', () => {
    expect(() => newBytesInformer(kind, server({}) as never, { drop: ['a..b'] })).toThrow('is no path of a field')
  })
})
