// Files: their places, forms and modes, who may use them and for how long.

import { chmod, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import { noLogger } from '../rest/index.js'
import { CachedDiscoveryClient, computeDiscoverCacheDir, DiscoveryClient, MemCacheClient } from './index.js'
import { type Answer, type Answers, aggregatedAnswers, failure, legacyAnswers, server } from './server.test-support.js'

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

const groupsOf = (...names: string[]): Answer => ({
  body: {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: names.map((name) => ({ name, versions: [], preferredVersion: { groupVersion: '', version: '' } })),
  },
})
const namesOf = async (client: CachedDiscoveryClient): Promise<string[]> =>
  (await client.serverGroups()).groups.map(({ name }) => name).filter((name) => name !== '')

/** One that a test is told of, and answers. */
function question() {
  let ask!: () => void
  let answer!: (answer: Answer) => void
  const asked = new Promise<void>((resolve) => {
    ask = resolve
  })
  const answered = new Promise<Answer>((resolve) => {
    answer = resolve
  })
  return { asked, answer, ask: () => (ask(), answered) }
}

it('uses no answer to a question from before an invalidation', async () => {
  const [first, second] = [question(), question()]
  const questions = [first, second]
  const { client, requests } = clientOf(directory, {
    ...legacyAnswers(),
    '/apis': () => questions.shift()?.ask() ?? failure(500),
  })
  const before = namesOf(client)
  await first.asked
  client.invalidate()
  const after = namesOf(client)
  await second.asked
  second.answer(groupsOf('new'))
  expect(await after).toEqual(['new'])
  first.answer(groupsOf('old'))
  expect(await before).toEqual(['old'])
  const asked = requests.length
  expect(await namesOf(client)).toEqual(['new'])
  expect([client.fresh(), requests.length]).toEqual([true, asked])
})

it('asks again after an invalidation where another program has written meanwhile', async () => {
  const here = clientOf(directory, { ...legacyAnswers(), '/apis': groupsOf('new') })
  here.client.invalidate()
  expect(await namesOf(here.client)).toEqual(['new'])
  const there = clientOf(directory, { ...legacyAnswers(), '/apis': groupsOf('old') })
  there.client.invalidate()
  expect(await namesOf(there.client)).toEqual(['old'])
  expect(await namesOf(here.client)).toEqual(['new'])
  expect(here.client.fresh()).toBe(true)
})

it('shares its directory with programs that write, break and remove files at the same time', async () => {
  const path = join(directory, 'server', 'servergroups.json')
  const breakings = [
    () => truncate(path, 100),
    () => writeFile(path, '{"kind":"APIGroupList","apiVersion":"v1","groups":null}'),
    () => rm(join(directory, 'server'), { recursive: true }),
    () => writeFile(path, new Uint8Array(1000)),
  ]
  const end = new AbortController()
  const program = async (no: number): Promise<void> => {
    for (let i = 0; i < 15; i++) {
      const names = Array.from({ length: 1 + ((no * 37 + i * 11) % 200) }, (_, k) => `g${k}`)
      const { client } = clientOf(join(directory, 'server'), { ...legacyAnswers(), '/apis': groupsOf(...names) })
      if ((no + i) % 3 === 0) client.invalidate()
      const found = await namesOf(client)
      expect(found).toEqual(found.map((_, k) => `g${k}`))
      if ((no + i) % 3 === 0) expect(found).toHaveLength(names.length)
    }
  }
  const breaker = (async () => {
    for (let i = 0; !end.signal.aborted; i++) await breakings[i % breakings.length]?.().catch(() => {})
  })()
  await Promise.all([0, 1, 2, 3].map(program))
  end.abort()
  await breaker
  await clientOf(join(directory, 'server')).client.serverGroupsAndResources()
  const left = await readdir(join(directory, 'server'), { recursive: true, withFileTypes: true })
  const files = left.filter((entry) => entry.isFile()).map(({ name }) => name)
  expect(files.filter((name) => !/^server(groups|resources)\.json$/.test(name))).toEqual([])
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
