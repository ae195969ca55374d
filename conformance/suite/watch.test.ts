// Watches that go on over connections that break, and waiting for what they bring.

import { type Clientset, retryOnConflict } from 'kubewright'
import type { Deployment } from 'kubewright/api/apps/v1'
import type { ConfigMap } from 'kubewright/api/core/v1'
import type { DeepReadonly, WatchEvent } from 'kubewright/meta'
import { noLogger } from 'kubewright/rest'
import { interrupted } from 'kubewright/wait'
import {
  newIndexerInformerWatcher,
  prepareWatchListOptionsFromListOptions,
  RetryWatcher,
  until,
  untilWithSync,
} from 'kubewright/watch'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startControlPlane } from '../control-plane/control-plane.js'
import { controlPlane, describeWithControlPlane, testNamespace } from '../control-plane/fixture.js'
import type { TcpProxy } from '../faults/tcp-proxy.js'
import { eventually } from './eventually.js'
import { clientsetFor, deployment } from './helpers.js'
import { type Proxied, proxiedClientset } from './proxied.js'

describeWithControlPlane('watches behind a connection that breaks', () => {
  let direct: Clientset
  let proxied: Clientset
  let proxy: TcpProxy
  let behind: Proxied
  beforeAll(async () => {
    direct = await clientsetFor()
    behind = await proxiedClientset()
    proxied = behind.clientset
    proxy = behind.proxy
  })
  afterAll(async () => {
    await behind.close()
    await direct.close()
  })

  it('a RetryWatcher brings every change once and in order, though its connection is cut ten times', async () => {
    const namespace = await testNamespace()
    const configMaps = direct.coreV1().configMaps(namespace)
    const { resourceVersion } = (await configMaps.list()).metadata
    const watch = new RetryWatcher<ConfigMap>(resourceVersion, proxied.coreV1().configMaps(namespace), {
      labelSelector: 'suite=watch',
      minRestartDelay: 20,
    })
    const seen: string[] = []
    const reading = (async () => {
      for await (const event of watch) {
        if (event.type === 'ERROR' || event.type === 'BOOKMARK') throw new Error(`unexpected ${event.type}`)
        seen.push(`${event.type} ${event.object.metadata.name} ${event.object.metadata.resourceVersion}`)
      }
    })()

    const expected: string[] = []
    for (let i = 0; i < 100; i++) {
      const name = `cm-${i}`
      const labels = { suite: 'watch' }
      const created = await configMaps.create({ metadata: { name, labels } })
      if (i % 10 === 5) await eventually(() => proxy.cut() > 0)
      const updated = await configMaps.update({ ...created, data: { round: '1' } })
      expected.push(`ADDED ${name} ${created.metadata.resourceVersion}`)
      expected.push(`MODIFIED ${name} ${updated.metadata.resourceVersion}`)
      if (i % 2 === 0) {
        await configMaps.delete(name)
        expected.push(`DELETED ${name}`)
      }
    }
    await eventually(() => seen.length >= expected.length)
    expect(seen.map((line) => line.replace(/^(DELETED \S+) .*/, '$1'))).toEqual(expected)
    expect(proxy.accepted).toBeGreaterThanOrEqual(10)
    watch.stop()
    await reading
    await watch.done
  })

  const eventsUntilEnd = async (clientset: Clientset, version: string): Promise<WatchEvent<ConfigMap>[]> => {
    const all: WatchEvent<ConfigMap>[] = []
    const configMaps = clientset.coreV1().configMaps('kube-system')
    for await (const event of new RetryWatcher(version, configMaps, { logger: noLogger })) all.push(event)
    return all
  }

  it('a RetryWatcher ends with the ERROR event of a version that is gone', async () => {
    // A young server still has its first versions; one that starts over a compacted history has not.
    await using server = await startControlPlane({ controllers: false })
    await using clientset = await clientsetFor(server.kubeconfigPath)
    const configMaps = clientset.coreV1().configMaps('kube-system')
    const { metadata } = await configMaps.create({ metadata: { name: 'old' } })
    await configMaps.create({ metadata: { name: 'new' } })
    await server.compact()
    await server.restartApiServer()
    expect(await eventsUntilEnd(clientset, metadata.resourceVersion)).toMatchObject([
      { type: 'ERROR', object: { code: 410, reason: 'Expired' } },
    ])
  })

  it('a RetryWatcher ends with the ERROR event of one that may not watch', async () => {
    await using limited = await clientsetFor(`${controlPlane().kubeconfigPath.replace(/[^/]*$/, '')}limited.kubeconfig`)
    expect(await eventsUntilEnd(limited, '5')).toMatchObject([
      { type: 'ERROR', object: { code: 403, reason: 'Forbidden' } },
    ])
  })

  it('until sees the steps of an object, one condition after the other', async () => {
    const namespace = await testNamespace()
    const configMaps = direct.coreV1().configMaps(namespace)
    const { resourceVersion } = (await configMaps.list()).metadata
    const isStep =
      (step: string) =>
      ({ object }: WatchEvent<ConfigMap>): boolean =>
        'data' in object && object.data?.['step'] === step
    const waiting = until(resourceVersion, configMaps, [isStep('1'), isStep('2'), ({ type }) => type === 'DELETED'], {
      fieldSelector: 'metadata.name=steps',
      timeout: 30_000,
    })
    const created = await configMaps.create({ metadata: { name: 'steps' }, data: { step: '1' } })
    await configMaps.update({ ...created, data: { step: '2' } })
    await configMaps.delete('steps')
    expect(await waiting).toMatchObject({ type: 'DELETED', object: { metadata: { name: 'steps' } } })
    const never = until(resourceVersion, configMaps, () => false, { timeout: 50 }).catch((err: unknown) => err)
    expect(interrupted(await never)).toBe(true)
  })

  it('untilWithSync waits for a rollout, over cuts', async () => {
    const namespace = await testNamespace()
    const deployments = direct.appsV1().deployments(namespace)
    const isRolledOut = ({ object }: WatchEvent<DeepReadonly<Deployment>>): boolean =>
      'spec' in object &&
      object.status?.observedGeneration === object.metadata.generation &&
      object.status?.updatedReplicas === 3
    const waiting = untilWithSync<Deployment>(proxied.appsV1().deployments(namespace), isRolledOut, { timeout: 50_000 })
    await deployments.create(deployment('web', { replicas: 1 }))
    await eventually(async () => (await deployments.get('web')).status.observedGeneration === 1)
    proxy.cut()
    await retryOnConflict(async () => {
      const live = await deployments.get('web')
      live.spec.replicas = 3
      await deployments.update(live)
    })
    expect(await waiting).toMatchObject({ object: { metadata: { name: 'web' }, status: { updatedReplicas: 3 } } })

    const precondition = await untilWithSync<Deployment>(deployments, () => false, {
      precondition: (indexer) => indexer.getByKey(`${namespace}/web`) !== undefined,
      timeout: 30_000,
    })
    expect(precondition).toBeUndefined()
  })

  it('a watch made of an informer begins with what there is', async () => {
    const namespace = await testNamespace()
    const configMaps = direct.coreV1().configMaps(namespace)
    await configMaps.create({ metadata: { name: 'first' } })
    const { watch, done } = newIndexerInformerWatcher(configMaps)
    const seen: string[] = []
    for await (const { type, object } of watch) {
      const name = object.metadata && 'name' in object.metadata ? object.metadata.name : undefined
      if (name !== 'first') continue
      seen.push(type)
      if (type === 'ADDED') await configMaps.delete('first')
      if (type === 'DELETED') break
    }
    await done
    expect(seen).toEqual(['ADDED', 'DELETED'])
  })

  it('a list made into a stream brings the same objects', async () => {
    const namespace = await testNamespace()
    const configMaps = direct.coreV1().configMaps(namespace)
    for (const name of ['a', 'b', 'c']) await configMaps.create({ metadata: { name, labels: { suite: 'watch' } } })
    const options = prepareWatchListOptionsFromListOptions({ labelSelector: 'suite=watch' })
    const names: string[] = []
    for await (const event of await configMaps.watch(options)) {
      if (event.type === 'BOOKMARK') break
      if (event.type !== 'ERROR') names.push(event.object.metadata.name)
    }
    expect(names.sort()).toEqual(['a', 'b', 'c'])
  })
})
