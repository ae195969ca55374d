// What the client asks, in either form of discovery, and what it makes of the answers.

import { describe, expect, it } from 'vitest'
import { isForbidden, isNotFound } from '../meta/index.js'
import { contentTypeIsGVK } from './content-type.js'
import {
  DiscoveryClient,
  type GroupDiscoveryFailedError,
  groupDiscoveryFailedErrorGroups,
  throwIfFailed,
} from './index.js'
import {
  type Answer,
  aggregatedAnswers,
  aggregatedType,
  failure,
  legacyAnswers,
  server,
} from './server.test-support.js'

const names = ({ resources }: { resources: { groupVersion: string; resources: { name: string }[] }[] }) =>
  Object.fromEntries(resources.map((list) => [list.groupVersion, list.resources.map(({ name }) => name)]))

it('asks for the version below the path prefix of the host', async () => {
  const version = { major: '1', minor: '36', gitVersion: 'v1.36.3' }
  const { config, requests } = server({ '/prefix/version': { body: version } }, { host: 'https://h/prefix' })
  const client = new DiscoveryClient(config)
  expect(await client.serverVersion({ timeout: 5000 })).toEqual(version)
  await client.serverVersion()
  expect(requests.map(({ query }) => query)).toEqual(['?timeout=5s', '?timeout=32s'])
})

it('takes the timeout of the Config when that has one', async () => {
  const { config, requests } = server({ '/version': { body: {} } }, { timeout: 7000 })
  await new DiscoveryClient(config).serverVersion()
  expect(requests[0]?.query).toBe('?timeout=7s')
})

it('lets 300 requests through at once', () => {
  const limiter = (burst?: number) => new DiscoveryClient({ host: 'h', burst }).restClient.rateLimiter
  expect(limiter()).toMatchObject({ qps: 5, burst: 300 })
  expect(limiter(7)).toMatchObject({ qps: 5, burst: 7 })
})

describe('aggregated', () => {
  it('learns everything with two requests', async () => {
    const { config, requests } = server(aggregatedAnswers())
    const found = await new DiscoveryClient(config).serverGroupsAndResources()
    expect(found.failed).toBeUndefined()
    expect(found.groups.map(({ name, preferredVersion }) => [name, preferredVersion?.groupVersion])).toEqual([
      ['', 'v1'],
      ['apps', 'apps/v1'],
    ])
    expect(found.resources[0]?.resources).toEqual([
      {
        name: 'pods',
        singularName: 'pod',
        namespaced: true,
        group: '',
        version: 'v1',
        kind: 'Pod',
        verbs: ['get', 'list'],
        shortNames: ['po'],
        categories: ['all'],
      },
      {
        name: 'pods/log',
        singularName: 'pod',
        namespaced: true,
        group: '',
        version: 'v1',
        kind: 'Pod',
        verbs: ['get'],
      },
    ])
    expect(requests.map(({ path }) => path)).toEqual(['/api', '/apis'])
    expect(requests[0]?.accept).toBe(
      'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,' +
        'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json',
    )
  })

  it('asks for the server’s own, or for the older form, when told', async () => {
    const { config, requests } = server(legacyAnswers())
    await new DiscoveryClient(config, { noPeerDiscovery: true }).serverGroups()
    expect(requests[0]?.accept).toMatch(/^application\/json;g=[\w.]+;v=v2;as=APIGroupDiscoveryList;profile=nopeer,/)
    await new DiscoveryClient(config).withLegacy().serverGroups()
    expect(requests.at(-1)?.accept).toBe('application/json')
  })

  it('reports group-versions that the server knows nothing new of, and leaves them out', async () => {
    const answers = aggregatedAnswers()
    const stale = {
      metadata: { name: 'metrics.k8s.io' },
      versions: [
        { version: 'v2', freshness: 'Stale' },
        { version: 'v1', freshness: 'Current', resources: [] },
      ],
    }
    answers['/apis'] = { contentType: aggregatedType, body: { items: [stale] } }
    const { config, requests } = server(answers)
    const found = await new DiscoveryClient(config).serverGroupsAndResources()
    expect(found.groups.at(-1)).toEqual({
      name: 'metrics.k8s.io',
      versions: [{ groupVersion: 'metrics.k8s.io/v1', version: 'v1' }],
      preferredVersion: { groupVersion: 'metrics.k8s.io/v1', version: 'v1' },
    })
    expect(found.resources.map(({ groupVersion }) => groupVersion)).toEqual(['v1', 'metrics.k8s.io/v1'])
    expect(found.failed?.message).toBe(
      'unable to retrieve the complete list of server APIs: metrics.k8s.io/v2: stale GroupVersion discovery: metrics.k8s.io/v2',
    )
    // Twice, as it was not whole the first time.
    expect(requests).toHaveLength(4)
  })

  it('is content with a second answer that is whole', async () => {
    const answers = aggregatedAnswers()
    const whole = answers['/apis'] as Answer
    const items = [{ metadata: { name: 'gone' }, versions: [{ version: 'v1', freshness: 'Stale' }] }]
    let calls = 0
    answers['/apis'] = () => (++calls === 1 ? { contentType: aggregatedType, body: { items } } : whole)
    const { config } = server(answers)
    expect((await new DiscoveryClient(config).serverPreferredResources()).failed).toBeUndefined()
    expect(calls).toBe(2)
  })

  it('asks for each group-version when only one of the two answers was aggregated', async () => {
    const { '/api': core = failure(500) } = aggregatedAnswers()
    const { config, paths } = server({ ...legacyAnswers(), '/api': core })
    const found = await new DiscoveryClient(config).serverGroupsAndResources()
    expect(Object.keys(names(found))).toEqual(['v1', 'apps/v1beta1', 'apps/v1', 'metrics/v1'])
    expect(paths()).toContain('/api/v1')
  })
})

describe('of each group-version', () => {
  it('gives groups and resources in the server’s order', async () => {
    const { config, paths } = server(legacyAnswers())
    const found = await new DiscoveryClient(config).serverGroupsAndResources()
    expect(names(found)).toEqual({
      v1: ['pods', 'nodes'],
      'apps/v1beta1': ['deployments', 'olds'],
      'apps/v1': ['deployments', 'deployments/scale'],
      'metrics/v1': ['metrics'],
    })
    expect(paths()).toEqual(
      ['/api', '/apis', '/api/v1', '/apis/apps/v1', '/apis/apps/v1beta1', '/apis/metrics/v1'].sort(),
    )
  })

  it('gives what it has when a part fails, after having tried twice', async () => {
    const { config, requests } = server({ ...legacyAnswers(), '/apis/metrics/v1': failure(503) })
    const client = new DiscoveryClient(config)
    const found = await client.serverGroupsAndResources()
    expect(Object.keys(names(found))).toEqual(['v1', 'apps/v1beta1', 'apps/v1'])
    expect(found.groups.map(({ name }) => name)).toEqual(['', 'apps', 'metrics'])
    expect(requests.filter(({ path }) => path === '/apis')).toHaveLength(2)
    const failed = await client
      .serverGroupsAndResources()
      .then(throwIfFailed)
      .catch((err: GroupDiscoveryFailedError) => err)
    expect(failed).toMatchObject({ name: 'GroupDiscoveryFailedError' })
    expect([...(groupDiscoveryFailedErrorGroups(new Error('x', { cause: failed })) ?? [])]).toMatchObject([
      ['metrics/v1', { code: 503 }],
    ])
    expect(
      throwIfFailed(await new DiscoveryClient(server(legacyAnswers()).config).serverPreferredResources()).resources,
    ).toHaveLength(4)
  })

  it('prefers the preferred version, and else the first that has it', async () => {
    const { config } = server(legacyAnswers())
    const client = new DiscoveryClient(config)
    expect(names(await client.serverPreferredResources())).toEqual({
      v1: ['pods', 'nodes'],
      'apps/v1beta1': ['olds'],
      'apps/v1': ['deployments'],
      'metrics/v1': ['metrics'],
    })
    expect(names(await client.serverPreferredNamespacedResources())).toMatchObject({ v1: ['pods'] })
  })

  it('reads lists that Go left out or wrote as null', async () => {
    const { config } = server({
      '/api': { body: { versions: null } },
      '/apis': {
        body: { groups: [{ name: 'x', versions: null, preferredVersion: { groupVersion: '', version: '' } }] },
      },
      '/apis/x/v1': { body: { resources: null } },
    })
    const client = new DiscoveryClient(config)
    expect(await client.serverGroups()).toMatchObject({
      groups: [
        { name: '', versions: [] },
        { name: 'x', versions: [] },
      ],
    })
    expect(await client.serverResourcesForGroupVersion('x/v1')).toEqual({
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: 'x/v1',
      resources: [],
    })
  })

  it('says what was read when it is no answer of an API server', async () => {
    const { config } = server({ '/api': { body: [] }, '/apis/a/v1': { body: { resources: ['pods'] } } })
    const client = new DiscoveryClient(config)
    await expect(client.serverGroups()).rejects.toThrow('GET /api: the answer is none of discovery')
    await expect(client.serverResourcesForGroupVersion('a/v1')).rejects.toThrow('GET /apis/a/v1: resources: not a list')
  })
})

describe('answers that are not what the API says', () => {
  const nonsense = [null, 5, 'x', true, [null, 5, {}], { a: 1 }].map((value) => ({ value }))

  it.each(nonsense)('of the older form: what is no text is left out, whatever it is: %j', async ({ value }) => {
    const { config } = server({
      '/api': { body: { versions: value } },
      '/apis': {
        body: {
          groups: [{ name: value, versions: [{ groupVersion: value, version: value }], preferredVersion: value }],
        },
      },
      '/apis/x/v1': {
        body: {
          resources: [
            { name: value },
            { name: 'r', kind: value, group: value, version: value, shortNames: value, categories: value },
          ],
        },
      },
    })
    const client = new DiscoveryClient(config)
    const text = typeof value === 'string' ? value : ''
    expect((await client.serverGroups()).groups[1]).toEqual({
      name: text,
      versions: [{ groupVersion: text, version: text }],
    })
    const { resources } = await client.serverResourcesForGroupVersion('x/v1')
    const resource = resources.at(-1)
    expect(resources.map(({ name }) => name)).toEqual([...(text === '' ? [] : [text]), 'r'])
    expect(resource).toMatchObject({ kind: text, verbs: [] })
    expect([resource?.group ?? '', resource?.version ?? '']).toEqual([text, text])
    const list = Array.isArray(value) ? [] : undefined
    expect([resource?.shortNames, resource?.categories]).toEqual([list, list])
  })

  it.each(nonsense)('of the aggregated form: what is no text is left out, whatever it is: %j', async ({ value }) => {
    const resource = {
      resource: 'r',
      responseKind: { group: value, version: value, kind: 'X' },
      singularResource: value,
      verbs: value,
      shortNames: value,
      categories: value,
      subresources: [{ subresource: value, responseKind: { kind: 'X' }, verbs: value }],
    }
    const given = [{ ...resource, resource: value }, resource]
    const body = { items: [{ metadata: { name: value }, versions: [{ version: 'v1', resources: given }] }] }
    const { config } = server({ ...aggregatedAnswers(), '/apis': { contentType: aggregatedType, body } })
    const { groups, resources } = await new DiscoveryClient(config).serverGroupsAndResources()
    const text = typeof value === 'string' ? value : ''
    const groupVersion = text === '' ? 'v1' : `${text}/v1`
    expect(groups[1]).toMatchObject({ name: text, versions: [{ groupVersion, version: 'v1' }] })
    const list = Array.isArray(value) ? { shortNames: [], categories: [] } : {}
    const facts = { singularName: text, namespaced: false, kind: 'X', verbs: [] }
    const named = (name: string) => [
      { name, ...facts, group: text, version: text, ...list },
      ...(text === '' ? [] : [{ name: `${name}/${text}`, ...facts, group: '', version: '' }]),
    ]
    expect(resources.at(-1)?.resources).toEqual([...(text === '' ? [] : named(text)), ...named('r')])
  })

  it.each(['null', '5', '"x"', '[]'])('is no version and no OpenAPI document that is no object: %s', async (body) => {
    const client = new DiscoveryClient(server({ '/version': { body }, '/openapi/v2': { body } }).config)
    await expect(client.serverVersion()).rejects.toThrow(
      /^GET \/version: the answer is none of discovery's: not an object/,
    )
    await expect(client.openAPISchema()).rejects.toThrow(/^GET \/openapi\/v2: .* not an object/)
  })
})

describe('what fails', () => {
  it('is not a missing /api: aggregated servers have none', async () => {
    const { '/api': _, ...answers } = aggregatedAnswers()
    const { config } = server(answers)
    const found = await new DiscoveryClient(config).serverGroupsAndResources()
    expect(names(found)).toEqual({ 'apps/v1': ['deployments'] })
    expect(await new DiscoveryClient(config).serverResourcesForGroupVersion('v1')).toMatchObject({ resources: [] })
  })

  it('is any other answer of /api, and every one of /apis', async () => {
    const forbidden = failure(403, 'Forbidden')
    const ask = (answers: object) =>
      new DiscoveryClient(server({ ...aggregatedAnswers(), ...answers }).config).serverGroupsAndResources()
    await expect(ask({ '/api': forbidden })).rejects.toSatisfy(isForbidden)
    await expect(ask({ '/apis': forbidden })).rejects.toSatisfy(isForbidden)
    await expect(ask({ '/apis': failure(404, 'NotFound') })).rejects.toSatisfy(isNotFound)
  })

  it('is a call that is given up, with its reason', async () => {
    const controller = new AbortController()
    const answers = legacyAnswers()
    answers['/apis/apps/v1'] = () => {
      controller.abort(new Error('enough'))
      return failure(500)
    }
    const { config } = server(answers)
    const asked = new DiscoveryClient(config).serverGroupsAndResources({ signal: controller.signal })
    await expect(asked).rejects.toThrow('enough')
  })

  it.each([
    ['', "groupVersion shouldn't be empty"],
    ['../..', `invalid group-version "../..": [may not be '..' may not be '..']; as apps/v1, or v1`],
    ['..', `invalid group-version "..": [may not be '..']`],
    ['apps/', 'invalid group-version "apps/": [has no version]'],
    ['a%2F../v1', `invalid group-version "a%2F../v1"`],
    ['apps/v1/deployments', 'unexpected GroupVersion string: apps/v1/deployments'],
  ])('is what is no group-version, before anything is sent: %j', async (groupVersion, message) => {
    const { config, requests } = server({})
    await expect(new DiscoveryClient(config).serverResourcesForGroupVersion(groupVersion)).rejects.toThrow(message)
    expect(requests).toEqual([])
  })
})

it.each([
  [aggregatedType, true],
  ['application/json; as="APIGroupDiscoveryList"; V=v2; g=apidiscovery.k8s.io;charset=utf-8', true],
  ['application/json', false],
  ['application/json;g=apidiscovery.k8s.io;v=v2;v=v1;as=APIGroupDiscoveryList', false],
  ['application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList', false],
  ['nonsense ; x', false],
])('tells whether %j is aggregated discovery', (contentType, is) => {
  const wanted = { group: 'apidiscovery.k8s.io', version: 'v2', kind: 'APIGroupDiscoveryList' }
  expect(contentTypeIsGVK(contentType, wanted)).toBe(is)
})
