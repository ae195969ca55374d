// What mappers find, by examples; the oracle compares them with client-go's on random servers.

import { describe, expect, it, vi } from 'vitest'
import { type Facts, groupsOf, list } from './discovered.test-support.js'
import {
  AmbiguousKindError,
  AmbiguousResourceError,
  anyKind,
  anyResource,
  DefaultRESTMapper,
  DiscoveryCategoryExpander,
  getAPIGroupResources,
  isAmbiguousError,
  isNoMatchError,
  MultiRESTMapper,
  maybeResetRESTMapper,
  NoKindMatchError,
  NoResourceMatchError,
  newDiscoveryRESTMapper,
  PriorityRESTMapper,
  type RESTMapper,
  ShortcutExpander,
  SimpleCategoryExpander,
  UnionCategoryExpander,
} from './index.js'

/** A server with these resources by group-version; the first version of a group is the preferred one. */
function serverWith(facts: Record<string, Facts[]>) {
  const resources = Object.entries(facts).map(([groupVersion, all]) => list(groupVersion, ...all))
  return { serverGroupsAndResources: async () => ({ groups: groupsOf(resources), resources }) }
}

const client = serverWith({
  v1: [
    { name: 'pods', kind: 'Pod', shortNames: ['po'], categories: ['all'] },
    { name: 'pods/log', kind: 'Pod' },
    { name: 'events', kind: 'Event', shortNames: ['ev'] },
    { name: 'nodes', kind: 'Node', namespaced: false },
  ],
  'apps/v1': [
    {
      name: 'deployments',
      singularName: 'deployment',
      kind: 'Deployment',
      shortNames: ['deploy'],
      categories: ['all'],
    },
  ],
  'apps/v1beta1': [
    { name: 'deployments', singularName: 'deployment', kind: 'Deployment' },
    { name: 'olds', kind: 'Old' },
  ],
  'events.k8s.io/v1': [{ name: 'events', kind: 'Event', shortNames: ['ev', 'evt'] }],
})
const mapper = async (): Promise<RESTMapper> => newDiscoveryRESTMapper(await getAPIGroupResources(client))

describe('a mapper of discovery', () => {
  it('finds kinds of resources, preferring the core group and preferred versions', async () => {
    const m = await mapper()
    expect(await m.kindFor({ resource: 'events' })).toEqual({ group: '', version: 'v1', kind: 'Event' })
    expect(await m.kindFor({ resource: 'EVENTS', group: 'events' })).toMatchObject({ group: 'events.k8s.io' })
    expect(await m.kindFor({ resource: 'deployment' })).toMatchObject({ version: 'v1' })
    expect(await m.kindFor({ resource: 'olds' })).toMatchObject({ version: 'v1beta1' })
    expect((await m.kindsFor({ resource: 'deployments', group: 'apps' })).map(({ version }) => version)).toEqual([
      'v1',
      'v1beta1',
    ])
  })

  it('finds resources, in the plural', async () => {
    const m = await mapper()
    expect(await m.resourceFor({ resource: 'pod' })).toEqual({ group: '', version: 'v1', resource: 'pods' })
    expect(await m.resourcesFor({ resource: 'event' })).toHaveLength(2)
    expect(await m.resourceSingularizer('pods')).toBe('pod')
  })

  it('finds where the objects of a kind are', async () => {
    const m = await mapper()
    const node = await m.restMapping({ group: '', kind: 'Node' })
    expect(node).toMatchObject({ resource: { resource: 'nodes' }, scope: 'root' })
    const kind = { group: 'apps', kind: 'Deployment' }
    expect(await m.restMapping(kind)).toMatchObject({ groupVersionKind: { version: 'v1' }, scope: 'namespace' })
    expect(await m.restMapping(kind, ['v9', 'v1beta1'])).toMatchObject({ resource: { version: 'v1beta1' } })
    expect(await m.restMappings(kind)).toHaveLength(2)
    expect(await m.restMapping({ group: 'apps', kind: 'deployment' })).toMatchObject({
      groupVersionKind: { kind: 'deployment' },
    })
  })

  it('says what there is none of', async () => {
    const m = await mapper()
    await expect(m.kindFor({ resource: 'none', group: 'apps' })).rejects.toThrow('no matches for apps/, Resource=none')
    await expect(m.restMapping({ group: 'g', kind: 'K' })).rejects.toThrow('no matches for kind "K" in group "g"')
    await expect(m.restMapping({ group: 'g', kind: 'K' }, ['v2'])).rejects.toThrow(
      'no matches for kind "K" in version "g/v2"',
    )
    await expect(m.restMapping({ group: '', kind: 'K' }, ['v2', 'v1', 'v2'])).rejects.toThrow(
      'no matches for kind "K" in versions ["v1" "v2"]',
    )
    await expect(m.resourceFor({ resource: '' })).rejects.toThrow('a resource must be present, got: /, Resource=')
    await expect(m.resourceFor({ resource: 'pods/log' })).rejects.toSatisfy(isNoMatchError)
    for (const key of ['__proto__', 'constructor']) {
      await expect(m.kindFor({ resource: key })).rejects.toThrow(NoResourceMatchError)
      await expect(m.restMapping({ group: key, kind: key })).rejects.toThrow(NoKindMatchError)
    }
  })

  it('asks a few of a thousand group-versions', async () => {
    const lists = Array.from({ length: 500 }, (_, i): [string, Facts[]][] =>
      ['v1', 'v2'].map((version) => [`g${i}/${version}`, [{ name: `things${i}`, kind: `Thing${i}` }]]),
    )
    const m = newDiscoveryRESTMapper(await getAPIGroupResources(serverWith(Object.fromEntries(lists.flat()))))
    const resourcesFor = vi.spyOn(DefaultRESTMapper.prototype, 'resourcesFor')
    const restMappings = vi.spyOn(DefaultRESTMapper.prototype, 'restMappings')
    try {
      expect(await m.resourceFor({ resource: 'Things250' })).toMatchObject({ group: 'g250', version: 'v1' })
      expect(await m.restMapping({ group: 'g250', kind: 'Thing250' })).toMatchObject({ scope: 'namespace' })
      await expect(m.resourceFor({ resource: 'none' })).rejects.toThrow(NoResourceMatchError)
      expect([resourcesFor.mock.calls.length, restMappings.mock.calls.length]).toEqual([2, 2])
    } finally {
      vi.restoreAllMocks()
    }
  })

  it('passes on that discovery failed', async () => {
    const failing = { serverGroupsAndResources: () => Promise.reject(new Error('no')) }
    await expect(getAPIGroupResources(failing)).rejects.toThrow('no')
  })
})

describe('several that fit', () => {
  const gv = (group: string) => ({ group, version: 'v1' })
  const one = (group: string) => {
    const made = new DefaultRESTMapper([gv(group)])
    made.add({ ...gv(group), kind: 'Policy' }, 'namespace')
    return made
  }
  const both = new MultiRESTMapper([one('a'), one('b')])

  it('are an error that names them', async () => {
    const resource = both.resourceFor({ resource: 'policies' })
    await expect(resource).rejects.toThrow(
      '/, Resource=policies matches multiple resources [a/v1, Resource=policies b/v1, Resource=policies]',
    )
    await expect(resource).rejects.toThrow(AmbiguousResourceError)
    await expect(both.kindFor({ resource: 'policy' })).rejects.toThrow(
      '/, Resource=policy matches multiple kinds [a/v1, Kind=Policy b/v1, Kind=Policy]',
    )
    const again = new MultiRESTMapper([one('a'), one('a')])
    const kind = again.restMapping({ group: 'a', kind: 'Policy' })
    await expect(kind).rejects.toThrow('a/, Kind=Policy matches multiple kinds [a/v1, Kind=Policy a/v1, Kind=Policy]')
    await expect(kind).rejects.toSatisfy(isAmbiguousError)
    expect(new AmbiguousKindError({ group: '', version: '', kind: 'K' }).message).toBe(
      '/, Kind=K matches multiple resources or kinds',
    )
  })

  it('are narrowed by patterns', async () => {
    const priorities = {
      resourcePriority: [{ ...gv('b'), resource: anyResource }],
      kindPriority: [{ ...gv('none'), kind: anyKind }],
    }
    const chosen = new PriorityRESTMapper(both, priorities)
    expect(await chosen.resourceFor({ resource: 'policies' })).toMatchObject({ group: 'b' })
    await expect(chosen.kindFor({ resource: 'policies' })).rejects.toThrow(AmbiguousResourceError)
  })

  it('are none where only one mapper fails', async () => {
    const broken = {
      restMapping: () => Promise.reject(new Error('broken')),
      restMappings: () => Promise.reject(new Error('broken')),
    }
    const half = new MultiRESTMapper([broken as unknown as RESTMapper, one('a')])
    expect(await half.restMapping({ group: 'a', kind: 'Policy' })).toMatchObject({ scope: 'namespace' })
    await expect(half.restMappings({ group: 'a', kind: 'Policy' })).rejects.toThrow('broken')
  })

  it('of one version are sorted by the order of versions, then name', async () => {
    const made = new DefaultRESTMapper([gv('b'), gv('a')])
    for (const group of ['c', 'a', 'b']) {
      for (const kind of ['Y', 'X']) {
        const plural = { ...gv(group), resource: kind.toLowerCase() }
        made.addSpecific({ ...gv(group), kind }, { plural, singular: { ...gv(group), resource: 's' }, scope: 'root' })
      }
    }
    const found = await made.resourcesFor({ resource: 's' })
    expect(found.map(({ group, resource }) => group + resource)).toEqual(['bx', 'by', 'ax', 'ay', 'cx', 'cy'])
    await expect(made.resourceSingularizer('x')).resolves.toBe('s')
  })
})

describe('short names', () => {
  const warnings: string[] = []
  const expander = async () =>
    new ShortcutExpander(await mapper(), client, { warningHandler: (text) => warnings.push(text) })

  it('stand for resources, the first of several', async () => {
    const m = await expander()
    expect(await m.resourceFor({ resource: 'po' })).toMatchObject({ resource: 'pods' })
    expect(await m.kindsFor({ resource: 'deploy' })).toHaveLength(2)
    expect(await m.resourceSingularizer('deploy')).toBe('deployment')
    expect(warnings).toEqual([])
    expect(await m.kindFor({ resource: 'ev' })).toMatchObject({ group: '', kind: 'Event' })
    expect(warnings).toEqual(['short name "ev" could also match lower priority resource events.events.k8s.io'])
    expect(await m.resourceFor({ resource: 'evt', group: 'even' })).toMatchObject({ group: 'events.k8s.io' })
  })

  it('are taken as they are when discovery fails, and looked up again for a kind that is not found', async () => {
    let calls = 0
    const failingOnce = {
      serverGroupsAndResources: () =>
        ++calls === 1 ? Promise.reject(new Error('no')) : client.serverGroupsAndResources(),
    }
    expect(await new ShortcutExpander(await mapper(), failingOnce).kindFor({ resource: 'po' })).toMatchObject({
      kind: 'Pod',
    })
    expect(calls).toBe(2)
  })

  it('reset what is behind them', async () => {
    let resets = 0
    const behind = Object.assign(await mapper(), { reset: () => resets++ })
    maybeResetRESTMapper(new ShortcutExpander(new MultiRESTMapper([behind]), client))
    expect(resets).toBe(1)
  })
})

describe('categories', () => {
  it('are what discovery says, and what is given', async () => {
    const all = [
      { group: '', resource: 'pods' },
      { group: 'apps', resource: 'deployments' },
    ]
    const discovered = new DiscoveryCategoryExpander(client)
    expect(await discovered.expand('all')).toEqual(all)
    expect(await discovered.expand('none')).toBeUndefined()
    const mine = new SimpleCategoryExpander(
      new Map([
        ['all', [{ group: '', resource: 'pods' }]],
        ['mine', []],
      ]),
    )
    const union = new UnionCategoryExpander([mine, discovered])
    expect(await union.expand('all')).toEqual(all)
    expect(await union.expand('mine')).toEqual([])
    expect(await union.expand('none')).toBeUndefined()
    const failing = { serverGroupsAndResources: () => Promise.reject(new Error('no')) }
    expect(await new DiscoveryCategoryExpander(failing).expand('all')).toBeUndefined()
  })
})
