// What is remembered, what is asked again, and who waits for whom.

import { describe, expect, it, vi } from 'vitest'
import { noLogger } from '../rest/index.js'
import { CacheNotFoundError, DiscoveryClient, EmptyResponseError, MemCacheClient } from './index.js'
import { type Answers, aggregatedAnswers, failure, legacyAnswers, server } from './server.test-support.js'

function cacheOf(answers: Answers) {
  const { config, ...rest } = server(answers, { logger: noLogger })
  return { cache: new MemCacheClient(new DiscoveryClient(config)), ...rest }
}

describe.each([
  ['aggregated', aggregatedAnswers, 2],
  ['legacy', legacyAnswers, 6],
])('a memory of %s discovery', (_, answers, requests) => {
  it('asks once, for all who ask at the same time and later', async () => {
    const { cache, paths } = cacheOf(answers())
    expect(cache.fresh()).toBe(false)
    await Promise.all([
      cache.serverGroups(),
      cache.serverResourcesForGroupVersion('apps/v1'),
      cache.serverPreferredResources(),
    ])
    expect(cache.fresh()).toBe(true)
    const { resources } = await cache.serverGroupsAndResources()
    expect(await cache.serverResourcesForGroupVersion('v1')).toBe(resources[0])
    await cache.serverPreferredNamespacedResources()
    expect(paths()).toHaveLength(requests)
  })

  it('asks again when it is invalidated', async () => {
    const { cache, paths } = cacheOf(answers())
    await cache.serverGroups()
    cache.invalidate()
    expect(cache.fresh()).toBe(false)
    await cache.serverGroups()
    expect(paths()).toHaveLength(2 * requests)
  })

  it('knows what it does not know', async () => {
    const { cache } = cacheOf(answers())
    const failed = await cache.serverResourcesForGroupVersion('none/v1').catch((err: unknown) => err)
    expect(failed).toBeInstanceOf(CacheNotFoundError)
    expect(String(failed)).toContain('"none/v1" was not found')
  })
})

it('does not remember what was asked for before it was invalidated', async () => {
  const { cache, answers, paths } = cacheOf(aggregatedAnswers())
  const groups = answers['/apis']
  answers['/apis'] = () => {
    cache.invalidate()
    return typeof groups === 'function' ? groups() : (groups ?? failure(500))
  }
  await cache.serverGroups()
  expect(cache.fresh()).toBe(false)
  answers['/apis'] = groups ?? failure(500)
  await cache.serverGroups()
  expect(cache.fresh()).toBe(true)
  expect(paths()).toHaveLength(4)
})

it('does not remember that the groups could not be had, or that there were none', async () => {
  const { cache, answers } = cacheOf({ '/apis': failure(403, 'Forbidden') })
  await expect(cache.serverGroups()).rejects.toThrow('said 403')
  answers['/apis'] = { body: { groups: [] } }
  expect(await cache.serverGroups()).toMatchObject({ groups: [] })
  expect(cache.fresh()).toBe(false)
  Object.assign(answers, aggregatedAnswers())
  expect((await cache.serverGroups()).groups).toHaveLength(2)
})

it('asks again for what failed in a way that passes, and for nothing else', async () => {
  const { cache, answers, requests } = cacheOf({
    ...legacyAnswers(),
    '/apis/metrics/v1': failure(503),
    '/apis/apps/v1': failure(403, 'Forbidden'),
    '/apis/apps/v1beta1': { body: { resources: [] } },
  })
  const first = await cache.serverGroupsAndResources()
  expect([...(first.failed?.groups.keys() ?? [])].sort()).toEqual(['apps/v1', 'apps/v1beta1', 'metrics/v1'])
  Object.assign(answers, legacyAnswers())
  requests.length = 0
  const twice = [cache.serverResourcesForGroupVersion('metrics/v1'), cache.serverResourcesForGroupVersion('metrics/v1')]
  expect(await Promise.all(twice)).toMatchObject([{ groupVersion: 'metrics/v1' }, { groupVersion: 'metrics/v1' }])
  await cache.serverResourcesForGroupVersion('metrics/v1')
  await expect(cache.serverResourcesForGroupVersion('apps/v1')).rejects.toThrow('said 403')
  await expect(cache.serverResourcesForGroupVersion('apps/v1beta1')).rejects.toThrow(EmptyResponseError)
  expect(requests.map(({ path }) => path)).toEqual(['/apis/metrics/v1'])
})

it('goes on for the others when one who waits gives up', async () => {
  const { cache, answers } = cacheOf(aggregatedAnswers())
  const groups = answers['/apis']
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  answers['/apis'] = async () => {
    await held
    return typeof groups === 'function' ? groups() : (groups ?? failure(500))
  }
  const controller = new AbortController()
  const givenUp = cache.serverGroups({ signal: controller.signal })
  const waiting = cache.serverGroups()
  controller.abort(new Error('enough'))
  await expect(givenUp).rejects.toThrow('enough')
  release()
  expect((await waiting).groups).toHaveLength(2)
})

it('passes on what it does not remember, and remembers OpenAPI paths', async () => {
  const url = '/openapi/v3/apis/apps/v1?hash=ABC'
  const { cache, requests } = cacheOf({
    '/version': { body: { gitVersion: 'v1' } },
    '/openapi/v2': { body: { swagger: '2.0' } },
    '/openapi/v3': { body: { paths: { 'apis/apps/v1': { serverRelativeURL: url } } } },
    '/openapi/v3/apis/apps/v1': { body: { openapi: '3.0.0' } },
  })
  expect(await cache.serverVersion()).toEqual({ gitVersion: 'v1' })
  expect(await cache.openAPISchema()).toEqual({ swagger: '2.0' })
  for (let i = 0; i < 2; i++) {
    const document = (await cache.openAPIV3().paths()).get('apis/apps/v1')
    expect(document?.serverRelativeURL()).toBe(url)
    expect(new TextDecoder().decode(await document?.schema('application/json'))).toBe('{"openapi":"3.0.0"}')
  }
  expect(requests.map(({ path }) => path)).toEqual([
    '/version',
    '/openapi/v2',
    '/openapi/v3',
    '/openapi/v3/apis/apps/v1',
  ])
  expect(requests.at(-1)).toMatchObject({ query: '?hash=ABC&timeout=32s', accept: 'application/json' })
  cache.invalidate()
  await cache.openAPIV3().paths()
  expect(requests).toHaveLength(5)
})

it('invalidates the cache behind it, and is its own legacy client', async () => {
  const behind = cacheOf(aggregatedAnswers()).cache
  const cache = new MemCacheClient(behind)
  const invalidate = vi.spyOn(behind, 'invalidate')
  cache.invalidate()
  expect(invalidate).toHaveBeenCalledOnce()
  expect(cache.withLegacy()).toBe(cache)
})
