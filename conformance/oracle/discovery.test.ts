// Discovery documents, as client-go reads them.
import fc from 'fast-check'
import {
  type APIGroup,
  type APIResource,
  type APIResourceList,
  contentTypeIsGVK,
  filteredBy,
  groupVersionResources,
  isResourceEnabled,
  type ServerResources,
  serverSupportsVersion,
  splitGroupsAndResources,
  supportsAllVerbs,
} from 'kubewright/discovery'
import { formatGroupVersionResource } from 'kubewright/meta'
import { expect, it } from 'vitest'
import { mostlyValid, runs } from './arbitraries.js'
import { describeWithOracle } from './describe-with-oracle.js'
import { clientOf, groupNames, server, versionNames } from './discovered.js'

interface GoLists {
  lists: GoList[]
  failed?: string
}

type GoList = { groupVersion: string; resources: readonly APIResource[] | null }

/** Go writes lists without items as null, and leaves out texts that are empty. Ours leaves out what has no name, as documented. */
const listText = ({ groupVersion, resources }: GoList) => ({
  groupVersion,
  resources: (resources ?? []).filter(({ name }) => !/^(\/|$)/.test(name)).map(resourceText),
})
const resourceText = ({ group = '', version = '', verbs, shortNames, categories, ...rest }: APIResource) => ({
  ...rest,
  group,
  version,
  verbs: verbs ?? [],
  shortNames: shortNames ?? [],
  categories: categories ?? [],
})
const groupText = ({ name, versions, preferredVersion }: APIGroup) => ({
  name,
  versions: versions ?? [],
  preferred: preferredVersion?.groupVersion ?? '',
})

const gvk = fc.oneof(
  fc.record({
    group: fc.constantFrom('', 'apps'),
    version: fc.constantFrom('', 'v1'),
    kind: fc.constantFrom('', 'Pod'),
  }),
  fc.constantFrom(undefined, {}, null),
)
const texts = (...from: string[]) => fc.oneof(fc.subarray(from), fc.constantFrom(undefined, null))
const aggregatedResource = fc.record(
  {
    resource: fc.constantFrom('pods', 'deployments', ''),
    responseKind: gvk,
    scope: fc.constantFrom('Namespaced', 'Cluster', 'namespaced', ''),
    singularResource: fc.constantFrom('pod', ''),
    verbs: texts('get', 'list'),
    shortNames: texts('po'),
    categories: texts('all'),
    subresources: fc.oneof(
      fc.array(
        fc.record(
          { subresource: fc.constantFrom('scale', 'status'), responseKind: gvk, verbs: texts('get') },
          { requiredKeys: ['subresource'] },
        ),
        { maxLength: 3 },
      ),
      fc.constant(null),
    ),
  },
  { requiredKeys: ['resource'] },
)
const aggregated = fc.record(
  {
    items: fc.uniqueArray(
      fc.record(
        {
          metadata: fc.record({ name: fc.constantFrom(...groupNames) }),
          versions: fc.oneof(
            fc.uniqueArray(
              fc.record(
                {
                  version: fc.constantFrom(...versionNames),
                  freshness: fc.constantFrom('Current', 'Stale', '', 'stale'),
                  resources: fc.oneof(fc.array(aggregatedResource, { maxLength: 4 }), fc.constant(null)),
                },
                { requiredKeys: ['version'] },
              ),
              { maxLength: 3, selector: ({ version }) => version },
            ),
            fc.constant(null),
          ),
        },
        { requiredKeys: ['metadata'] },
      ),
      { maxLength: 4, selector: ({ metadata }) => metadata.name },
    ),
  },
  { requiredKeys: [] },
)

describeWithOracle('discovery', (oracle) => {
  it('takes aggregated documents apart as client-go does', async () => {
    type Go = { groups: APIGroup[] | null; resources: Record<string, GoList>; failed: Record<string, string> }
    await fc.assert(
      fc.asyncProperty(aggregated, async (document) => {
        const go = await oracle.ask<Go>('discovery.split', document)
        if (!('result' in go)) throw new Error(go.error)
        const { groupList, resources, failed } = splitGroupsAndResources(document as never)
        expect(groupList.groups.map(groupText)).toEqual((go.result.groups ?? []).map(groupText))
        const byVersion = new Map(Object.entries(go.result.resources).map(([gv, list]) => [gv, listText(list)]))
        expect(new Map([...resources].map(([gv, list]) => [gv, listText(list)]))).toEqual(byVersion)
        const reasons = new Map([...failed].map(([gv, err]) => [gv, err.message]))
        expect(reasons).toEqual(new Map(Object.entries(go.result.failed)))
      }),
      runs(2000),
    )
  })

  it('finds and prefers resources as client-go does, as far as they can be found out', async () => {
    type Go = { groups: string[]; all: GoLists; preferred: GoLists; namespaced: GoLists }
    const sorted = ({ resources, failed }: ServerResources) => ({
      lists: resources.map((list) => {
        const inOrder = [...list.resources].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
        return listText({ groupVersion: list.groupVersion, resources: inOrder })
      }),
      ...(failed && { failed: failed.message }),
    })
    const goSorted = ({ lists, ...rest }: GoLists) => ({ lists: lists.map(listText), ...rest })
    await fc.assert(
      fc.asyncProperty(server, async (discovered) => {
        const go = await oracle.ask<Go>('discovery.resources', discovered)
        if (!('result' in go)) throw new Error(go.error)
        const client = clientOf(discovered)
        const { groups, ...all } = await client.serverGroupsAndResources()
        expect(groups.map(({ name }) => name)).toEqual(go.result.groups)
        expect(sorted(all)).toEqual(goSorted(go.result.all))
        expect(sorted(await client.serverPreferredResources())).toEqual(goSorted(go.result.preferred))
        expect(sorted(await client.serverPreferredNamespacedResources())).toEqual(goSorted(go.result.namespaced))
      }),
      runs(1500),
    )
  })

  it('helps as client-go does', async () => {
    type Go = { filtered: APIResourceList[]; unsupported?: string; enabled: boolean | string; gvrs: string[] | string }
    const gvr = fc.record({
      group: fc.constantFrom(...groupNames),
      version: fc.constantFrom(...versionNames),
      resource: fc.constantFrom('pods', 'pods/log', 'deployments', 'constructor'),
    })
    const verbs = fc.subarray(['get', 'list', 'watch'])
    await fc.assert(
      fc.asyncProperty(server, verbs, gvr, async (discovered, wanted, resource) => {
        const go = await oracle.ask<Go>('discovery.helpers', { server: discovered, verbs: wanted, gvr: resource })
        if (!('result' in go)) throw new Error(go.error)
        const client = clientOf(discovered)
        const messageOf = (err: Error) => err.message
        const unsupported = await serverSupportsVersion(client, resource).then(() => undefined, messageOf)
        const found = {
          filtered: filteredBy(supportsAllVerbs(wanted), discovered.resources).map(listText),
          ...(unsupported !== undefined && { unsupported }),
          enabled: await isResourceEnabled(client, resource).catch(messageOf),
          gvrs: groupVersionResources(discovered.resources).map(formatGroupVersionResource).sort(),
        }
        expect(found).toEqual({ ...go.result, filtered: go.result.filtered.map(listText) })
      }),
      runs(1000),
    )
  })

  it('reads content types as Go does', async () => {
    const parameter = fc.constantFrom(
      'g=apidiscovery.k8s.io',
      'v=v2',
      'V="v2"',
      'as=APIGroupDiscoveryList',
      'charset=utf-8',
      'v=v1',
      'x="a;\\"b"',
    )
    const valid = fc
      .tuple(
        fc.constantFrom('application/json', 'Application/JSON', 'text/plain'),
        fc.oneof(
          fc.array(parameter, { maxLength: 5 }),
          fc.shuffledSubarray(['g=apidiscovery.k8s.io', 'v=v2', 'as=APIGroupDiscoveryList']),
        ),
        fc.constantFrom(';', '; ', ' ;'),
      )
      .map(([type, parameters, separator]) => [type, ...parameters].join(separator))
    const wanted = { group: 'apidiscovery.k8s.io', version: 'v2', kind: 'APIGroupDiscoveryList' }
    await fc.assert(
      fc.asyncProperty(mostlyValid(valid, 'g=v; "/as'), async (text) => {
        const go = await oracle.ask<boolean>('discovery.contentType', { text })
        expect({ result: contentTypeIsGVK(text, wanted) }).toEqual(go)
      }),
      runs(2000),
    )
  })
})
