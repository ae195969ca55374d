// What is found in discovery documents of either form: client-go's tables.

import { describe, expect, it } from 'vitest'
import { noLogger } from '../rest/index.js'
import { contentTypeIsGVK } from './content-type.js'
import { DiscoveryClient, filteredBy, MemCacheClient, serverSupportsVersion } from './index.js'
import { type Answers, aggregatedType, failure, server } from './server.test-support.js'
import type { APIResource, APIResourceList } from './types.js'

interface Version {
  version: string
  freshness?: string
  resources: object[]
}

const gvk = (group: string, version: string, kind: string) => ({ group, version, kind })
const resource = (group: string, version: string, name: string, kind: string, more: object = {}): object => ({
  resource: name,
  responseKind: gvk(group, version, kind),
  scope: 'Namespaced',
  ...more,
})
const document = (...groups: [name: string, ...versions: Version[]][]) => ({
  items: groups.map(([name, ...versions]) => ({ metadata: name === '' ? {} : { name }, versions })),
})
const pod = resource('', 'v1', 'pods', 'Pod')
const service = resource('', 'v1', 'services', 'Service')
const deployment = (version: string, more: object = {}) => resource('apps', version, 'deployments', 'Deployment', more)
const statefulSet = resource('apps', 'v1', 'statefulsets', 'StatefulSet')
const externalMetric = (parent: object) => ({
  resource: '*',
  scope: 'Namespaced',
  singularResource: '',
  ...parent,
  subresources: [{ subresource: 'other-external-metric', responseKind: { kind: 'MetricValueList' }, verbs: ['get'] }],
})
const verbs = ['get', 'patch', 'update']
const subresource = (name: string) => ({ subresource: name, responseKind: gvk('apps', 'v1', 'Deployment'), verbs })

const inShort = ({ name, namespaced, group, version, kind, verbs: can }: APIResource): string =>
  `${name} ${group}/${version} ${kind}${namespaced ? '' : ', of no namespace'}${can.length > 0 ? `: ${can.join(' ')}` : ''}`

describe.each(['v2', 'v2beta1'])('an aggregated document of %s', (form) => {
  it.each<{ what: string; body: object; groups: string[]; resources: Record<string, string[]>; failed?: string[] }>([
    {
      what: 'a group and a resource',
      body: document(['', { version: 'v1', resources: [pod] }]),
      groups: ['v1'],
      resources: { v1: ['pods /v1 Pod'] },
    },
    {
      what: 'two versions of a group, the first preferred',
      body: document([
        'apps',
        { version: 'v2', resources: [deployment('v2')] },
        { version: 'v1', resources: [deployment('v1')] },
      ]),
      groups: ['apps/v2 apps/v1'],
      resources: { 'apps/v2': ['deployments apps/v2 Deployment'], 'apps/v1': ['deployments apps/v1 Deployment'] },
    },
    {
      what: 'several resources of a version',
      body: document(
        ['', { version: 'v1', resources: [pod, service] }],
        ['apps', { version: 'v1', resources: [deployment('v1'), statefulSet] }],
      ),
      groups: ['v1', 'apps/v1'],
      resources: {
        v1: ['pods /v1 Pod', 'services /v1 Service'],
        'apps/v1': ['deployments apps/v1 Deployment', 'statefulsets apps/v1 StatefulSet'],
      },
    },
    {
      what: 'groups with resources of the cluster',
      body: document(
        [
          'apps',
          { version: 'v1', resources: [resource('apps', 'v1', 'deployments', 'Deployment', { scope: 'Cluster' })] },
        ],
        [
          'batch',
          { version: 'v1', resources: [resource('batch', 'v1', 'jobs', 'Job', { scope: 'Cluster' })] },
          { version: 'v1beta1', resources: [resource('batch', 'v1beta1', 'cronjobs', 'CronJob')] },
        ],
      ),
      groups: ['apps/v1', 'batch/v1 batch/v1beta1'],
      resources: {
        'apps/v1': ['deployments apps/v1 Deployment, of no namespace'],
        'batch/v1': ['jobs batch/v1 Job, of no namespace'],
        'batch/v1beta1': ['cronjobs batch/v1beta1 CronJob'],
      },
    },
    {
      what: 'a subresource',
      body: document([
        'apps',
        {
          version: 'v1',
          resources: [deployment('v1', { verbs: ['list', 'watch'], subresources: [subresource('scale')] })],
        },
      ]),
      groups: ['apps/v1'],
      resources: {
        'apps/v1': [
          'deployments apps/v1 Deployment: list watch',
          'deployments/scale apps/v1 Deployment: get patch update',
        ],
      },
    },
    ...[{}, { responseKind: {} }].map((parent) => ({
      what: `a subresource of a resource without a kind (${JSON.stringify(parent)})`,
      body: document(['external.metrics.k8s.io', { version: 'v1beta1', resources: [externalMetric(parent)] }]),
      groups: ['external.metrics.k8s.io/v1beta1'],
      resources: { 'external.metrics.k8s.io/v1beta1': ['*/other-external-metric / MetricValueList: get'] },
    })),
    {
      what: 'several subresources',
      body: document([
        'apps',
        { version: 'v1', resources: [deployment('v1', { subresources: ['scale', 'status'].map(subresource) })] },
      ]),
      groups: ['apps/v1'],
      resources: {
        'apps/v1': [
          'deployments apps/v1 Deployment',
          'deployments/scale apps/v1 Deployment: get patch update',
          'deployments/status apps/v1 Deployment: get patch update',
        ],
      },
    },
    {
      what: 'the core group, of which nothing new is known',
      body: document(['', { version: 'v1', freshness: 'Stale', resources: [pod, service] }]),
      groups: [''],
      resources: {},
      failed: ['v1'],
    },
    {
      what: 'a group of which nothing new is known',
      body: document(['apps', { version: 'v1', freshness: 'Stale', resources: [deployment('v1'), statefulSet] }]),
      groups: ['apps without versions'],
      resources: {},
      failed: ['apps/v1'],
    },
    {
      what: 'a version of which nothing new is known',
      body: document([
        'apps',
        { version: 'v2', freshness: 'Stale', resources: [resource('apps', 'v2', 'daemonsets', 'DaemonSet')] },
        { version: 'v1', resources: [deployment('v1')] },
      ]),
      groups: ['apps/v1'],
      resources: { 'apps/v1': ['deployments apps/v1 Deployment'] },
      failed: ['apps/v2'],
    },
  ])('has $what', async ({ body, groups, resources, failed = [] }) => {
    const contentType = aggregatedType.replace('v=v2', `v=${form}`)
    const core = body as { items: { metadata: { name?: string } }[] }
    const [own, others] = [true, false].map((isCore) => ({
      contentType,
      body: { items: core.items.filter(({ metadata }) => (metadata.name === undefined) === isCore) },
    }))
    if (!own || !others) throw new Error('there are two')
    const { config } = server({ '/api': own, '/apis': others })
    const found = await new DiscoveryClient(config).serverGroupsAndResources()
    const versions = found.groups.map(({ name, versions: all, preferredVersion }) => {
      expect(preferredVersion?.groupVersion).toBe(all[0]?.groupVersion)
      return all.map(({ groupVersion }) => groupVersion).join(' ') || (name && `${name} without versions`)
    })
    expect(versions).toEqual(groups)
    expect(
      Object.fromEntries(found.resources.map(({ groupVersion, resources: all }) => [groupVersion, all.map(inShort)])),
    ).toEqual(resources)
    expect([...(found.failed?.groups.keys() ?? [])]).toEqual(failed)
  })
})

const apiResource = (name: string, kind: string, namespaced = true) => ({ name, namespaced, kind, verbs: [] })
const stable = {
  body: {
    groupVersion: 'v1',
    resources: [
      apiResource('pods', 'Pod'),
      apiResource('services', 'Service'),
      apiResource('namespaces', 'Namespace', false),
    ],
  },
}
const group = (name: string, preferred: { groupVersion: string; version: string }, ...versions: string[]) => ({
  name,
  versions: versions.map((version) => ({ groupVersion: `${name}/${version}`, version })),
  preferredVersion: preferred,
})

describe('preferred resources', () => {
  const jobs = apiResource('jobs', 'Job')
  const cronJobs = apiResource('cronjobs', 'CronJob')
  const batch: Answers = {
    '/apis/batch/v1': { body: { groupVersion: 'batch/v1', resources: [jobs] } },
    '/apis/batch/v2alpha1': { body: { groupVersion: 'batch/v2alpha1', resources: [jobs, cronJobs] } },
    '/apis/batch/v3alpha1': { body: { groupVersion: 'batch/v3alpha1', resources: [jobs, cronJobs] } },
  }

  it.each<{ what: string; answers: Answers; want: string[] }>([
    {
      what: 'of the core group and another',
      answers: {
        '/api': { body: { versions: ['v1'] } },
        '/api/v1': stable,
        '/apis': { body: { groups: [group('batch', { groupVersion: 'batch/v1', version: 'v1' }, 'v1')] } },
      },
      want: ['v1 pods', 'v1 services', 'batch/v1 jobs'],
    },
    {
      what: 'of a server without a core group: of the preferred version, else of the first that has it',
      answers: {
        '/apis': {
          body: {
            groups: [group('batch', { groupVersion: 'batch/v1', version: 'v1' }, 'v1', 'v2alpha1', 'v3alpha1')],
          },
        },
      },
      want: ['batch/v1 jobs', 'batch/v2alpha1 cronjobs'],
    },
    {
      what: 'of a preferred version that is named by its version, whatever its group-version says',
      answers: {
        '/apis': {
          body: {
            groups: [
              group('batch', { groupVersion: 'batch/v2alpha', version: 'v2alpha1' }, 'v1', 'v2alpha1', 'v3alpha1'),
            ],
          },
        },
      },
      want: ['batch/v2alpha1 cronjobs', 'batch/v2alpha1 jobs'],
    },
  ])('are found $what', async ({ answers, want }) => {
    const { config } = server({ ...batch, ...answers })
    const { resources } = await new DiscoveryClient(config).serverPreferredNamespacedResources()
    const found = resources.flatMap(({ groupVersion, resources: all }) =>
      all.map(({ name }) => `${groupVersion} ${name}`),
    )
    expect(found.sort()).toEqual([...want].sort())
  })

  it.each([
    { failures: 1, lists: ['v1', 'extensions/v1beta1'], failed: [] },
    { failures: 2, lists: ['v1'], failed: ['extensions/v1beta1'] },
  ])('are asked for twice: $failures failures leave $lists', async ({ failures, lists, failed }) => {
    let failing = failures
    const beta = { body: { resources: [apiResource('deployments', 'Deployment')] } }
    const preferred = { groupVersion: 'extensions/v1beta1', version: 'v1beta1' }
    const { config } = server({
      '/api': { body: { versions: ['v1'] } },
      '/api/v1': stable,
      '/apis': { body: { groups: [group('extensions', preferred, 'v1beta1')] } },
      '/apis/extensions/v1beta1': () => (failing-- > 0 ? failure(500) : beta),
    })
    const found = await new DiscoveryClient(config).serverPreferredResources()
    expect(found.resources.map(({ groupVersion }) => groupVersion)).toEqual(lists)
    expect([...(found.failed?.groups.keys() ?? [])]).toEqual(failed)
  })
})

it('many group-versions come in the server’s order, each asked for once', async () => {
  const betas = Array.from({ length: 10 }, (_, i) => `v1beta${i + 1}`)
  const deployments = apiResource('deployments', 'Deployment')
  const lists = ['apps', 'extensions'].flatMap((name) =>
    betas.map((version): [string, object] => [`${name}/${version}`, { resources: [deployments] }]),
  )
  const first = (name: string) => ({ groupVersion: `${name}/v1beta1`, version: 'v1beta1' })
  const { config, paths } = server({
    '/api': { body: { versions: ['v1'] } },
    '/api/v1': stable,
    '/apis': { body: { groups: ['apps', 'extensions'].map((name) => group(name, first(name), ...betas)) } },
    ...Object.fromEntries(lists.map(([groupVersion, body]) => [`/apis/${groupVersion}`, { body }])),
  })
  const client = new DiscoveryClient(config)
  const { resources } = await client.serverGroupsAndResources()
  expect(resources.map(({ groupVersion }) => groupVersion)).toEqual(['v1', ...lists.map(([name]) => name)])
  expect(paths()).toHaveLength(2 + 1 + lists.length)
  expect((await client.serverResourcesForGroupVersion('v1')).resources.map(({ name }) => name)).toEqual([
    'pods',
    'services',
    'namespaces',
  ])
  await expect(client.serverResourcesForGroupVersion('foobar')).rejects.toThrow('said 404')
})

it.each([
  ['', [['extensions', 'v1beta1']]],
  [
    'two groups',
    [
      ['apps', 'v1'],
      ['extensions', 'v1beta1'],
    ],
  ],
  [
    'two versions',
    [
      ['batch', 'v1', 'v1beta1'],
      ['extensions', 'v1beta1', 'v1alpha1'],
    ],
  ],
] as const)('a memory has the groups of the older form: %s', async (_, given) => {
  const groups = given.map(([name, first, ...more]) =>
    group(name, { groupVersion: `${name}/${first}`, version: first }, first, ...more),
  )
  const answers = { '/api': { body: { versions: ['v1'] } }, '/apis': { body: { groups } } }
  const { config } = server(answers, { logger: noLogger })
  const cache = new MemCacheClient(new DiscoveryClient(config))
  for (let round = 0; round < 2; round++) {
    expect(cache.fresh()).toBe(false)
    const found = await cache.serverGroups()
    expect(cache.fresh()).toBe(true)
    expect(found.groups.map(({ name }) => name)).toEqual(['', ...given.map(([name]) => name)])
    expect(found.groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => groupVersion))).toEqual([
      'v1',
      ...given.flatMap(([name, ...versions]) => versions.map((version) => `${name}/${version}`)),
    ])
    cache.invalidate()
  }
})

it.each([
  ['application/json; g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList', true],
  ['application/json; v=v2;as=APIGroupDiscoveryList;g=apidiscovery.k8s.io', true],
  ['application/json; as=APIGroupDiscoveryList;g=apidiscovery.k8s.io;v=v2', true],
  ['application/json; g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList;charset=utf-8', true],
  ['application/json', false],
  ['application/json; charset=UTF-8', false],
  ['text/json', false],
  ['text/html', false],
  ['', false],
])('the content type %j is aggregated discovery: %s', (contentType, is) => {
  expect(contentTypeIsGVK(contentType, gvk('apidiscovery.k8s.io', 'v2', 'APIGroupDiscoveryList'))).toBe(is)
})

it.each<{ what: string; answers: Answers; problem?: string }>([
  { what: 'it has', answers: { '/api': { body: { versions: ['/version1', 'v1'] } } } },
  {
    what: 'it has not',
    answers: { '/api': { body: { versions: ['version1'] } } },
    problem: 'server does not support API version "v1"',
  },
  {
    what: 'it does not say, being forbidden to',
    answers: { '/api': failure(403, 'Forbidden'), '/apis': failure(403, 'Forbidden') },
    problem: 'said 403',
  },
  {
    what: 'it does not say, as it has no discovery',
    answers: { '/api': failure(404, 'NotFound'), '/apis': failure(404, 'NotFound') },
    problem: 'said 404',
  },
])('a server supports the version $what', async ({ answers, problem }) => {
  const { config } = server({ '/apis': { body: { groups: [] } }, ...answers })
  const supports = serverSupportsVersion(new DiscoveryClient(config), { group: '', version: 'v1' })
  if (problem === undefined) await expect(supports).resolves.toBeUndefined()
  else await expect(supports).rejects.toThrow(problem)
})

it.each<{ what: string; empty?: true; keep: (groupVersion: string, kind: string) => boolean; want: string[] }>([
  { what: 'nothing of nothing', empty: true, keep: () => true, want: [] },
  {
    what: 'everything',
    keep: () => true,
    want: ['foo/v1.bar', 'foo/v1.test', 'foo/v2.bar', 'foo/v2.test'],
  },
  { what: 'a version', keep: (groupVersion) => groupVersion.endsWith('/v2'), want: ['foo/v2.bar', 'foo/v2.test'] },
  { what: 'a kind', keep: (_, kind) => kind === 'Bar', want: ['foo/v1.bar', 'foo/v2.bar'] },
  { what: 'nothing', keep: () => false, want: [] },
])('a filter keeps $what', ({ empty, keep, want }) => {
  const list = (groupVersion: string, ...resources: ReturnType<typeof apiResource>[]): APIResourceList => ({
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion,
    resources: resources.map((each) => ({ singularName: '', ...each })),
  })
  const both = [apiResource('bar', 'Bar'), apiResource('test', 'Test')]
  const lists = empty ? [list('foo/v1')] : [list('foo/v1', ...both), list('foo/v2', ...both), list('foo/v3')]
  const kept = filteredBy((groupVersion, { kind }) => keep(groupVersion, kind), lists)
  expect(kept.flatMap(({ groupVersion, resources }) => resources.map(({ name }) => `${groupVersion}.${name}`))).toEqual(
    want,
  )
})
