import { expect, it } from 'vitest'
import {
  type APIResourceList,
  DiscoveryClient,
  filteredBy,
  groupVersionResources,
  isResourceEnabled,
  matchesServerVersion,
  OpenAPIGroupVersionNotFoundError,
  OpenAPIRoot,
  serverSupportsVersion,
  supportsAllVerbs,
} from './index.js'
import { aggregatedAnswers, failure, legacyAnswers, server } from './server.test-support.js'

const list = (groupVersion: string, verbs: Record<string, string[]>): APIResourceList => ({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion,
  resources: Object.entries(verbs).map(([name, v]) => ({
    name,
    singularName: '',
    namespaced: true,
    kind: '',
    verbs: v,
  })),
})

it('filters resources, and lists of which nothing is left', () => {
  const lists = [list('v1', { pods: ['get', 'list'], secrets: ['get'] }), list('a/v1', { x: [] })]
  expect(filteredBy(supportsAllVerbs(['list', 'get']), lists)).toEqual([list('v1', { pods: ['get', 'list'] })])
  expect(filteredBy(supportsAllVerbs([]), lists)).toEqual(lists)
  expect(filteredBy((groupVersion) => groupVersion === 'a/v1', lists)).toEqual([lists[1]])
})

it('names every resource once', () => {
  expect(
    groupVersionResources([
      list('v1', { pods: [], constructor: [] }),
      list('a/v1', { x: [] }),
      list('v1', { pods: [] }),
    ]),
  ).toEqual([
    { group: '', version: 'v1', resource: 'pods' },
    { group: '', version: 'v1', resource: 'constructor' },
    { group: 'a', version: 'v1', resource: 'x' },
  ])
  expect(() => groupVersionResources([list('a/b/c', {})])).toThrow('unexpected GroupVersion string: a/b/c')
})

it('tells whether a resource is there', async () => {
  const client = new DiscoveryClient(server({ ...legacyAnswers(), '/apis/x/v1': failure(403, 'Forbidden') }).config)
  const enabled = (group: string, resource: string) => isResourceEnabled(client, { group, version: 'v1', resource })
  expect(await enabled('apps', 'deployments')).toBe(true)
  expect(await enabled('apps', 'deployments/scale')).toBe(true)
  expect(await enabled('apps', 'none')).toBe(false)
  expect(await enabled('none', 'deployments')).toBe(false)
  await expect(enabled('x', 'y')).rejects.toThrow('said 403')
})

it('tells whether a version is there', async () => {
  const client = new DiscoveryClient(server(aggregatedAnswers()).config)
  await serverSupportsVersion(client, { group: 'apps', version: 'v1' })
  await expect(serverSupportsVersion(client, { group: 'apps', version: 'v2' })).rejects.toThrow(
    'server does not support API version "apps/v2"',
  )
  await serverSupportsVersion(new DiscoveryClient(server({ '/apis': { body: {} } }).config), {
    group: 'a',
    version: 'b',
  })
})

it('compares versions', async () => {
  const version = { gitVersion: 'v1', gitCommit: 'c', gitTreeState: 'clean' }
  const client = new DiscoveryClient(server({ '/version': { body: version } }).config)
  await matchesServerVersion(version, client)
  await expect(matchesServerVersion({ ...version, gitCommit: 'd' }, client)).rejects.toThrow(
    /^server version \(.*\) differs from client version/,
  )
  await expect(matchesServerVersion(version, new DiscoveryClient(server({}).config))).rejects.toThrow(
    /^couldn't read version from server: /,
  )
})

it.each<[paths: string[], groupVersions: string[]]>([
  [[], []],
  [['apis/apps/v1'], ['apps/v1']],
  [
    ['apis/apps/v1', 'api/v1', 'apis/batch/v1beta1'],
    ['apps/v1', 'batch/v1beta1', '/v1'],
  ],
  [
    [
      'apis/batch/v1beta1',
      'api/v1',
      'foo/apps/v1',
      'apis/networking.k8s.io/v1alpha1',
      'api',
      'apis/apps',
      'apis/apps/v1',
    ],
    ['apps/v1', 'batch/v1beta1', 'networking.k8s.io/v1alpha1', '/v1'],
  ],
])('finds in the paths %j the group-versions %j', async (paths, groupVersions) => {
  const body = { paths: Object.fromEntries(paths.map((path) => [path, { serverRelativeURL: `/openapi/v3/${path}` }])) }
  const root = new OpenAPIRoot(new DiscoveryClient(server({ '/openapi/v3': { body } }).config).openAPIV3())
  expect((await root.groupVersions()).map(({ group, version }) => `${group}/${version}`)).toEqual(groupVersions)
})

it('reads OpenAPI v3 documents, whichever prefix their URLs have', async () => {
  const document = { openapi: '3.0.0', info: { title: 'K', version: '1' } }
  const { config, requests } = server(
    {
      '/pre/openapi/v3': {
        contentType: 'text/plain; charset=utf-8',
        body: {
          paths: {
            'apis/b/v1': { serverRelativeURL: '/pre/openapi/v3/apis/b/v1?hash=1' },
            'api/v1': { serverRelativeURL: '/openapi/v3/api/v1?hash=2' },
            'apis/a/v1': { serverRelativeURL: '/elsewhere?a=b&a=c' },
            apis: { serverRelativeURL: '/openapi/v3/apis' },
            'apis/b': {},
            'foo/apps/v1': {},
            api: {},
            version: {},
          },
        },
      },
      '/pre/openapi/v3/apis/b/v1': { body: document },
      '/pre/elsewhere': { body: 'nonsense' },
    },
    { host: 'http://server/pre' },
  )
  const root = new OpenAPIRoot(new DiscoveryClient(config).openAPIV3())
  expect(await root.groupVersions()).toEqual([
    { group: 'a', version: 'v1' },
    { group: 'b', version: 'v1' },
    { group: '', version: 'v1' },
  ])
  expect(await root.gvSpec({ group: 'b', version: 'v1' })).toEqual(document)
  expect(requests.at(-1)?.query).toBe('?hash=1&timeout=32s')
  await expect(root.gvSpec({ group: 'a', version: 'v1' })).rejects.toThrow('the OpenAPI v3 document of a/v1 is no JSON')
  expect(requests.at(-1)?.query).toBe('?a=b&a=c&timeout=32s')
  const missing = root.gvSpec({ group: 'c', version: 'v1' })
  await expect(missing).rejects.toThrow(OpenAPIGroupVersionNotFoundError)
  await expect(missing).rejects.toThrow('GroupVersion (c/v1) not found as OpenAPI V3 path')
  const { config: other, answers } = server({ '/openapi/v3': { body: {} } })
  await expect(new DiscoveryClient(other).openAPIV3().paths()).rejects.toThrow('has no paths of OpenAPI v3 documents')
  answers['/openapi/v3'] = { body: '<html>' }
  await expect(new DiscoveryClient(other).openAPIV3().paths()).rejects.toThrow('GET /openapi/v3: the answer is no JSON')
})
