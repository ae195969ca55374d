import { expectTypeOf, it } from 'vitest'
import type { Pod } from '../gen/api/core/v1.js'
import type { Clientset } from '../kubernetes/index.js'
import type { DeepReadonly, WatchEvent } from '../meta/index.js'
import { RetryWatcher, until, untilWithSync } from './index.js'

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
