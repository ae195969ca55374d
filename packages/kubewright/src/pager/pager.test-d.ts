import { expectTypeOf, it } from 'vitest'
import type { ListerWatcher } from '../cache/index.js'
import type { Pod, PodList } from '../gen/api/core/v1.js'
import type { Clientset } from '../kubernetes/index.js'
import type { KubernetesObject } from '../meta/index.js'
import { pager } from './index.js'

declare const clientset: Clientset
declare const listerWatcher: ListerWatcher

it('knows what a client lists', async () => {
  const pods = pager(clientset.coreV1().pods('default'))
  for await (const pod of pods.items({ labelSelector: 'a=b' })) expectTypeOf(pod).toEqualTypeOf<Pod>()
  for await (const page of pods.pages()) expectTypeOf(page).toEqualTypeOf<PodList>()
  expectTypeOf((await pods.list()).list).toEqualTypeOf<PodList>()
  await pods.eachListItem({}, (pod) => {
    expectTypeOf(pod).toEqualTypeOf<Pod>()
  })
  for await (const obj of pager(listerWatcher).items()) expectTypeOf(obj).toEqualTypeOf<KubernetesObject>()
})
