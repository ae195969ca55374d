// Short names, categories and preferred versions of servers: client-go's tables.

import { describe, expect, it } from 'vitest'
import type { APIGroup, APIResourceList, CachedDiscoveryInterface } from '../discovery/index.js'
import { GroupDiscoveryFailedError } from '../discovery/index.js'
import { group, list } from './discovered.test-support.js'
import {
  DeferredDiscoveryRESTMapper,
  DiscoveryCategoryExpander,
  getAPIGroupResources,
  newDiscoveryRESTMapper,
  type PartialResource,
  type RESTMapper,
  ShortcutExpander,
} from './index.js'

const clientOf = (resources: APIResourceList[], groups: APIGroup[] = [group('a', 'v1')]) => ({
  serverGroupsAndResources: async () => ({ groups, resources }),
})

const autoscaling = (...names: string[]): APIResourceList[] =>
  names.map((name) => list('autoscaling/v1', { name, shortNames: ['hpa'] }))
const po = list('v1', { name: 'pods', singularName: 'pod', shortNames: ['po'] })
const poddlers = (version: string) => list(`acme.com/${version}`, { name: 'poddlers', shortNames: ['po'] })
const pods = [
  list('v1', { name: 'pods', singularName: 'pod' }),
  list('acme.com/v1', { name: 'poddlers', shortNames: ['pods', 'pod'] }),
]
const hpa = (groupVersion: string, name = 'horizontalpodautoscalers') =>
  list(groupVersion, { name, shortNames: ['hpa'] })
const storage = [list('storage.k8s.io/v1', { name: 'storageclasses', shortNames: ['sc'] })]

describe('a short name', () => {
  const also = (name: string, other: string) => `short name "${name}" could also match lower priority resource ${other}`

  it.each<{
    what: string
    asked: PartialResource
    lists: APIResourceList[]
    want: PartialResource
    warnings?: string[]
  }>([
    {
      what: 'is none of an empty server',
      asked: { resource: 'storageclasses' },
      lists: [],
      want: { resource: 'storageclasses' },
    },
    {
      what: 'is the first of two in a group-version',
      asked: { resource: 'hpa' },
      lists: autoscaling('superhorizontalpodautoscalers', 'horizontalpodautoscalers'),
      want: { group: 'autoscaling', resource: 'superhorizontalpodautoscalers' },
      warnings: [also('hpa', 'horizontalpodautoscalers.autoscaling')],
    },
    {
      what: 'of one group, not of another that has the resource too',
      asked: { resource: 'dpl' },
      lists: [
        list('foo/v1', { name: 'deployments', shortNames: ['dpl'] }),
        list('extension/v1beta1', { name: 'deployments', shortNames: ['deploy'] }),
      ],
      want: { group: 'foo', resource: 'deployments' },
    },
    { what: 'is none that is a resource', asked: { resource: 'pods' }, lists: pods, want: { resource: 'pods' } },
    { what: 'is none that is a singular', asked: { resource: 'pod' }, lists: pods, want: { resource: 'pod' } },
    {
      what: 'within its group',
      asked: { group: 'storage.k8s.io', resource: 'sc' },
      lists: storage,
      want: { group: 'storage.k8s.io', resource: 'storageclasses' },
    },
    {
      what: 'without a group',
      asked: { group: '', version: '', resource: 'sc' },
      lists: storage,
      want: { group: 'storage.k8s.io', resource: 'storageclasses' },
    },
    {
      what: 'of a built-in resource and another',
      asked: { resource: 'po' },
      lists: [po, poddlers('v1')],
      want: { group: '', resource: 'pods' },
      warnings: [also('po', 'poddlers.acme.com')],
    },
    {
      what: 'of a built-in resource and two versions of another',
      asked: { resource: 'po' },
      lists: [po, poddlers('v1'), poddlers('v1beta1')],
      want: { group: '', resource: 'pods' },
      warnings: [also('po', 'poddlers.acme.com')],
    },
    {
      what: 'of one resource in two versions',
      asked: { resource: 'hpa' },
      lists: [hpa('autoscaling/v1alphav1'), hpa('autoscaling/v1')],
      want: { group: 'autoscaling', resource: 'horizontalpodautoscalers' },
    },
    {
      what: 'of three resources in several versions',
      asked: { resource: 'hpa' },
      lists: [
        hpa('autoscaling/v1alphav1'),
        hpa('autoscaling/v1'),
        hpa('foo/v1', 'foo'),
        hpa('foo/v1beta1', 'foo'),
        hpa('bar/v1', 'bar'),
      ],
      want: { group: 'autoscaling', resource: 'horizontalpodautoscalers' },
      warnings: [also('hpa', 'foo.foo'), also('hpa', 'bar.bar')],
    },
  ])('$what', async ({ asked, lists, want, warnings = [] }) => {
    const warned: string[] = []
    let given: PartialResource | undefined
    const delegate = {
      kindFor: async (resource: PartialResource) => {
        given = resource
        return { group: '', version: '', kind: '' }
      },
    } as unknown as RESTMapper
    const options = { warningHandler: (text: string) => void warned.push(text) }
    await new ShortcutExpander(delegate, clientOf(lists), options).kindFor(asked)
    expect([given, warned]).toEqual([want, warnings])
  })

  it('of a resource that was defined meanwhile is found when the mapper behind has asked again', async () => {
    let invalidated = false
    const resources = [list('a/v1', { name: 'storageclasses', shortNames: ['sc'], kind: 'StorageClass' })]
    const client = {
      serverGroupsAndResources: async () => ({ groups: [group('a', 'v1')], resources: invalidated ? resources : [] }),
      fresh: () => invalidated,
      invalidate: () => {
        invalidated = true
      },
    } as unknown as CachedDiscoveryInterface
    const expander = new ShortcutExpander(new DeferredDiscoveryRESTMapper(client), client, {
      warningHandler: (text) => expect.unreachable(text),
    })
    expect(await expander.kindFor({ group: 'a', resource: 'sc' })).toEqual({
      group: 'a',
      version: 'v1',
      kind: 'StorageClass',
    })
  })
})

it.each([
  { what: 'it has a resource of', category: 'all', categories: ['all'], want: [{ group: 'batch', resource: 'jobs' }] },
  { what: 'it has none of', category: 'all', categories: undefined, want: undefined },
  { what: 'nobody knows', category: 'targaryens', categories: ['all'], want: undefined },
])('a server expands a category that $what', async ({ category, categories, want }) => {
  const jobs = list('batch/v1', { name: 'jobs', shortNames: ['jz'], ...(categories && { categories }) })
  expect(await new DiscoveryCategoryExpander(clientOf([jobs])).expand(category)).toEqual(want)
})

describe('of what a server has', () => {
  const vegetables = [
    { name: 'broccoli', kind: 'Broccoli' },
    { name: 'peas', kind: 'Pea' },
  ]
  const mapper = async (): Promise<RESTMapper> =>
    newDiscoveryRESTMapper(
      await getAPIGroupResources(
        clientOf(
          [
            list('extensions/v1beta', { name: 'jobs', kind: 'Job' }, { name: 'pods', kind: 'Pod' }),
            list('v1', { name: 'pods', kind: 'Pod' }),
            list('v2', { name: 'pods', kind: 'Pod' }),
            list('unpreferred/v1', { name: 'broccoli', kind: 'Broccoli' }),
            list('unpreferred/v2beta1', ...vegetables),
            list('unpreferred/v2alpha1', ...vegetables),
          ],
          [group('extensions', 'v1beta'), group('', 'v1', 'v2'), group('unpreferred', 'v1', 'v2beta1', 'v2alpha1')],
        ),
      ),
    )

  it.each<[PartialResource, string]>([
    [{ resource: 'pods' }, '/v1 Pod'],
    [{ version: 'v1', resource: 'pods' }, '/v1 Pod'],
    [{ version: 'v2', resource: 'pods' }, '/v2 Pod'],
    [{ resource: 'jobs' }, 'extensions/v1beta Job'],
    [{ resource: 'peas' }, 'unpreferred/v2beta1 Pea'],
  ])('%j is of the kind %s', async (resource, want) => {
    const { group: of, version, kind } = await (await mapper()).kindFor(resource)
    expect(`${of}/${version} ${kind}`).toBe(want)
  })

  it.each<[PartialResource, string]>([
    [{ resource: 'pods' }, '/v1 pods'],
    [{ version: 'v1', resource: 'pods' }, '/v1 pods'],
    [{ version: 'v2', resource: 'pods' }, '/v2 pods'],
    [{ resource: 'jobs' }, 'extensions/v1beta jobs'],
  ])('%j is the resource %s', async (resource, want) => {
    const { group: of, version, resource: found } = await (await mapper()).resourceFor(resource)
    expect(`${of}/${version} ${found}`).toBe(want)
  })
})

describe('of what a server could not say', () => {
  const groups = [group('a', 'v1'), group('b', 'v1')]
  const foo = list('a/v1', { name: 'foo', kind: 'Foo' })
  const bar = list('b/v1', { name: 'bar', kind: 'Bar' })

  it.each<{ what: string; groups: APIGroup[]; lists: APIResourceList[]; failed?: string; want: object }>([
    { what: 'nothing is there', groups: [], lists: [], want: {} },
    { what: 'all is there', groups, lists: [foo, bar], want: { a: { v1: ['foo'] }, b: { v1: ['bar'] } } },
    {
      what: 'a group is missing',
      groups: groups.slice(0, 1),
      lists: [foo, bar],
      want: { a: { v1: ['foo'] } },
    },
    { what: 'a group-version failed', groups, lists: [bar], failed: 'a/v1', want: { a: {}, b: { v1: ['bar'] } } },
    {
      what: 'a group-version failed of which something is known',
      groups,
      lists: [foo, bar],
      failed: 'a/v1',
      want: { a: { v1: ['foo'] }, b: { v1: ['bar'] } },
    },
  ])('the rest is kept: $what', async ({ groups: given, lists: resources, failed, want }) => {
    const errors = new Map(failed === undefined ? [] : [[failed, new Error(`${failed} failed`)]])
    const client = {
      serverGroupsAndResources: async () => ({
        groups: given,
        resources,
        failed: failed === undefined ? undefined : new GroupDiscoveryFailedError(errors),
      }),
    }
    const found = (await getAPIGroupResources(client)).map(({ group: { name }, versionedResources }) => [
      name,
      Object.fromEntries([...versionedResources].map(([version, all]) => [version, all.map((each) => each.name)])),
    ])
    expect(Object.fromEntries(found)).toEqual(want)
  })
})
