import { expectTypeOf, it } from 'vitest'
import type { Deployment } from '../gen/api/apps/v1.js'
import type { Pod } from '../gen/api/core/v1.js'
import type { Clientset } from '../kubernetes/index.js'
import { type DeepReadonly, isStatusConditionTrue, type WatchEvent } from '../meta/index.js'
import { type ConditionFunc, RetryWatcher, until, untilWithSync } from './index.js'

declare const clientset: Clientset

it('takes typed clients as they are', async () => {
  const pods = clientset.coreV1().pods('default')
  for await (const event of new RetryWatcher('1', pods)) {
    if (event.type === 'ADDED') expectTypeOf(event.object).toEqualTypeOf<Pod>()
  }
  const event = await until('1', pods, ({ type }) => type === 'ADDED', { labelSelector: 'a=b', timeout: 1000 })
  expectTypeOf(event).toEqualTypeOf<WatchEvent<Pod> | undefined>()
  const synced = await untilWithSync(pods, [({ type }) => type === 'ADDED'], {
    precondition: (indexer) => indexer.list().length > 0,
  })
  expectTypeOf(synced).toEqualTypeOf<WatchEvent<DeepReadonly<Pod>> | undefined>()
})

it('one condition serves both ways to wait, and knows the object of a change', async () => {
  const deployments = clientset.appsV1().deployments('default')
  const isAvailable: ConditionFunc<Deployment> = ({ type, object }) =>
    type !== 'ERROR' && type !== 'BOOKMARK' && isStatusConditionTrue(object.status.conditions, 'Available')
  const { metadata } = await deployments.list()
  await until(metadata.resourceVersion, deployments, isAvailable)
  expectTypeOf(await untilWithSync(deployments, isAvailable)).toEqualTypeOf<
    WatchEvent<DeepReadonly<Deployment>> | undefined
  >()
  await untilWithSync(deployments, ({ type, object }) => type === 'MODIFIED' && object.status.readyReplicas === 3)
  await until('1', deployments, ({ type, object }) => type === 'ADDED' && object.status.readyReplicas === 3)

  const ofMutable = (event: WatchEvent<Deployment>): boolean => event.type === 'DELETED'
  await until('1', deployments, ofMutable)
  await untilWithSync(deployments, [ofMutable, isAvailable])
  const ofReadonly = (event: WatchEvent<DeepReadonly<Deployment>>): boolean => event.type === 'DELETED'
  await until('1', deployments, [ofReadonly, ofMutable])
  await untilWithSync(deployments, ofReadonly)

  // @ts-expect-error an event of another kind
  await until('1', deployments, (event: WatchEvent<Pod>) => event.type === 'ADDED')
  // @ts-expect-error an error has no metadata.name, and a bookmark no status
  await until('1', deployments, ({ object }) => object.status.readyReplicas === 3)
})
