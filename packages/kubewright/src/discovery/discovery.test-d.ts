// What is incomplete shows in the types, and every client can be used for any other.
import { assertType, expectTypeOf, it } from 'vitest'
import {
  type AggregatedDiscoveryInterface,
  CachedDiscoveryClient,
  type CachedDiscoveryInterface,
  type DiscoveryClient,
  type DiscoveryInterface,
  type GroupDiscoveryFailedError,
  MemCacheClient,
  type ServerGroupsAndResources,
  throwIfFailed,
} from './index.js'

it('types what may be missing', () => {
  expectTypeOf<ServerGroupsAndResources['failed']>().toEqualTypeOf<GroupDiscoveryFailedError | undefined>()
  const answer = {} as ServerGroupsAndResources
  expectTypeOf(throwIfFailed(answer)).toEqualTypeOf<ServerGroupsAndResources>()
})

it('lets clients be put behind caches, and caches behind caches', () => {
  const client = {} as DiscoveryClient
  assertType<AggregatedDiscoveryInterface>(client)
  assertType<CachedDiscoveryInterface>(new MemCacheClient(client))
  assertType<CachedDiscoveryInterface>(new CachedDiscoveryClient(new MemCacheClient(client), { cacheDirectory: '' }))
  assertType<DiscoveryInterface>(client.withLegacy())
  // @ts-expect-error a client that does not remember has nothing to invalidate
  assertType<CachedDiscoveryInterface>(client)
})
