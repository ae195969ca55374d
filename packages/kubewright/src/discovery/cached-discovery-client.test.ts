// Files: their places, forms and modes, who may use them and for how long.

import { chmod, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import { noLogger } from '../rest/index.js'
import { CachedDiscoveryClient, computeDiscoverCacheDir, DiscoveryClient, MemCacheClient } from './index.js'
import { type Answers, aggregatedAnswers, failure, legacyAnswers, server } from './server.test-support.js'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'discovery-'))
})
afterEach(() => rm(directory, { recursive: true }))

function clientOf(cacheDirectory: string, answers: Answers = aggregatedAnswers(), ttl?: number) {
  const { config, ...rest } = server(answers, { logger: noLogger })
  const clock = new FakeClock(Date.now())
  const live = new MemCacheClient(new DiscoveryClient(config))
  return { client: new CachedDiscoveryClient(live, { cacheDirectory, ttl, clock }), clock, ...rest }
}

it('writes kubectl’s files', async () => {
  const cacheDirectory = join(directory, 'new', 'server_6443')
  const { client } = clientOf(cacheDirectory)
  const found = await client.serverGroupsAndResources()
  expect(found.resources.map(({ groupVersion }) => groupVersion)).toEqual(['v1', 'apps/v1'])
  expect((await readdir(cacheDirectory, { recursive: true })).sort()).toEqual([
    'apps',
    'apps/v1',
    'apps/v1/serverresources.json',
    'servergroups.json',
    'v1',
    'v1/serverresources.json',
  ])
  const file = join(cacheDirectory, 'apps/v1/serverresources.json')
  const text = await readFile(file, 'utf8')
  expect(text).toMatch(
    /^\{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"apps\/v1","resources":\[.*\]\}\n$/,
  )
  expect(((await stat(file)).mode & 0o777).toString(8)).toBe('660')
  expect(((await stat(cacheDirectory)).mode & 0o027).toString(8)).toBe((0o027 & ~process.umask() & 0o750).toString(8))
})

it('uses what another client wrote, says so, and asks when told to', async () => {
  await clientOf(directory).client.serverGroupsAndResources()
  const { client, requests } = clientOf(directory)
  expect(client.fresh()).toBe(true)
  expect((await client.serverPreferredResources()).resources).toHaveLength(2)
  expect(requests).toHaveLength(0)
  expect(client.fresh()).toBe(false)
  client.invalidate()
  expect(client.fresh()).toBe(true)
  await client.serverGroups()
  expect(requests).toHaveLength(2)
  // Its own files count.
  await client.serverGroups()
  expect(client.fresh()).toBe(true)
})

it('does not use files that are too old', async () => {
  await clientOf(directory).client.serverGroups()
  const { client, clock, requests } = clientOf(directory)
  await clock.advance(6 * 3600_000 - 1000)
  await client.serverGroups()
  expect(requests).toHaveLength(0)
  await clock.advance(2000)
  await client.serverGroups()
  expect(requests).toHaveLength(2)
  await utimes(join(directory, 'servergroups.json'), 0, 0)
  const impatient = clientOf(directory, aggregatedAnswers(), 1000)
  await impatient.client.serverGroups()
  expect(impatient.requests).toHaveLength(2)
})

it.each([
  ['nonsense'],
  ['{"kind":"Pod","apiVersion":"v1"}'],
  ['{"kind":"APIGroupList","apiVersion":"v1","groups":7}'],
  ['null'],
])('does not use a file with %j in it', async (text) => {
  await writeFile(join(directory, 'servergroups.json'), text)
  const { client } = clientOf(directory)
  expect((await client.serverGroups()).groups).toHaveLength(2)
  expect(client.fresh()).toBe(true)
  expect(await readFile(join(directory, 'servergroups.json'), 'utf8')).toContain('"apps"')
})

it('does not keep failures and empty answers', async () => {
  const { client, answers } = clientOf(directory, {
    ...legacyAnswers(),
    '/apis/apps/v1': failure(503),
    '/apis/apps/v1beta1': { body: { resources: [] } },
    '/apis/metrics/v1': failure(403),
  })
  const { failed } = await client.serverGroupsAndResources()
  expect([...(failed?.groups.keys() ?? [])].sort()).toEqual(['apps/v1', 'apps/v1beta1', 'metrics/v1'])
  expect((await readdir(directory, { recursive: true })).sort()).toEqual([
    'servergroups.json',
    'v1',
    'v1/serverresources.json',
  ])
  Object.assign(answers, legacyAnswers())
  client.invalidate()
  expect((await client.serverGroupsAndResources()).failed).toBeUndefined()
})

it('works without a directory that it can write', async () => {
  const file = join(directory, 'a-file')
  await writeFile(file, '')
  await chmod(directory, 0o500)
  const { client, requests } = clientOf(file)
  expect((await client.serverGroupsAndResources()).resources).toHaveLength(2)
  expect(requests).toHaveLength(2)
  await chmod(directory, 0o700)
})

it('lets a server lead no file out of its directory', async () => {
  const evil = '../../evil'
  const { client, requests } = clientOf(join(directory, 'a', 'b'), {
    '/apis': { body: { groups: [] } },
  })
  await expect(client.serverResourcesForGroupVersion(evil)).rejects.toThrow()
  await expect(client.serverResourcesForGroupVersion('a/\0')).rejects.toThrow()
  expect(requests.map(({ path }) => path)).toContain('/apis')
  expect(await readdir(directory)).toEqual([])
})

it('asks once for all who ask at the same time', async () => {
  const { client, requests } = clientOf(directory)
  await Promise.all([client.serverGroups(), client.serverGroupsAndResources(), client.serverPreferredResources()])
  expect(requests).toHaveLength(2)
  expect(await readdir(join(directory, 'v1'))).toEqual(['serverresources.json'])
})

it('finds the directory that kubectl has for a server', () => {
  const dir = (host: string) => computeDiscoverCacheDir('/cache', host)
  expect(dir('https://10.0.0.1:6443')).toBe('/cache/10.0.0.1_6443')
  expect(dir('http://[::1]:8080/a/b-c(d)')).toBe('/cache/___1__8080/a/b_c(d)')
  expect(dir('localhost')).toBe('/cache/localhost')
  expect(dir('https://user:secret@h:1')).toBe('/cache/h_1')
})

it('finds no directory outside of the parent', () => {
  expect(computeDiscoverCacheDir('/cache', 'https://../../etc')).toBe('/cache/_/_/etc')
  expect(computeDiscoverCacheDir('/cache', 'a/..')).toBe('/cache/a/_')
})

it.each([undefined, null, '', 5])('keeps nothing in the directory %j', (given) => {
  expect(() => clientOf(given as never)).toThrow('a CachedDiscoveryClient needs a cacheDirectory')
})

it.each([Number.NaN, -1])('keeps nothing for %d milliseconds', (ttl) => {
  expect(() => clientOf(directory, aggregatedAnswers(), ttl)).toThrow(RangeError)
})
