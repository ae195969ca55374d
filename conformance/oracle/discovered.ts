// Servers as discovery sees them: random ones, and a discovery client of one.
import fc from 'fast-check'
import {
  type APIGroup,
  type APIResource,
  type APIResourceList,
  type DiscoveryInterface,
  serverGroupsAndResources,
  serverPreferredNamespacedResources,
  serverPreferredResources,
} from 'kubewright/discovery'

/** A server; group-versions in `failures` cannot be asked for their resources. */
export interface Discovered {
  groups: APIGroup[]
  resources: APIResourceList[]
  failures: Record<string, string>
}

export const groupNames = ['', 'apps', 'extensions', 'storage.k8s.io', 'storage.example', 'stor', '__proto__']
export const versionNames = ['v1', 'v1beta1', 'v2']
const kinds = ['Pod', 'Endpoints', 'Policy', 'Status', 'Deployment', 'StorageClass', 'pod', '', 'List', 'Foo']
const plurals = [
  'pods',
  'endpoints',
  'policies',
  'statuses',
  'deployments',
  'pods/log',
  'pods/scale',
  'foo',
  'constructor',
]
const singulars = ['', '', 'pod', 'endpoints', 'policy', 'foo', 'odd']
export const shortNames = ['po', 'deploy', 'pods', 'ep', 'pol', 'toString']
export const categories = ['all', 'api', 'hasOwnProperty']
const verbs = ['get', 'list', 'watch', 'create']

const some = (from: readonly string[]): fc.Arbitrary<string[]> => fc.subarray([...from], { maxLength: 3 })

const resource: fc.Arbitrary<APIResource> = fc
  .record({
    name: fc.constantFrom(...plurals),
    singularName: fc.constantFrom(...singulars),
    namespaced: fc.boolean(),
    kind: fc.constantFrom(...kinds),
    verbs: some(verbs),
    more: fc.record({ shortNames: some(shortNames), categories: some(categories) }, { requiredKeys: [] }),
  })
  .map(({ more, ...facts }) => ({ ...facts, ...more }))

/** Two resources of a version with one name, singular or plural, are left to chance by Go. */
function isDeterministic(resources: readonly APIResource[]): boolean {
  const pluralOf = new Map<string, string>()
  return resources.every(({ name, singularName, kind }) =>
    [name, singularName || kind.toLowerCase()].every((called) => {
      const known = pluralOf.get(called)
      pluralOf.set(called, name)
      return known === undefined || known === name
    }),
  )
}

const listNames = /^(lists?|.*list)$/

const resources = fc
  .array(resource, { maxLength: 6 })
  .filter(isDeterministic)
  .filter((all) => all.every(({ kind }) => !listNames.test(kind.toLowerCase())) || all.length === 1)

const group = (name: string) =>
  fc
    .record({
      versions: fc.uniqueArray(fc.constantFrom(...versionNames), { maxLength: 3 }),
      preferred: fc.constantFrom(undefined, ...versionNames),
      lists: fc.array(fc.option(resources, { freq: 9 }), { minLength: 3, maxLength: 3 }),
      fails: fc.array(
        fc.nat(5).map((n) => n === 0),
        { minLength: 3, maxLength: 3 },
      ),
    })
    .map(({ versions, preferred, lists, fails }) => {
      const named = (version: string) => ({ groupVersion: name === '' ? version : `${name}/${version}`, version })
      const served: APIGroup = {
        name,
        versions: versions.map(named),
        ...(preferred && { preferredVersion: named(preferred) }),
      }
      const found = versions.flatMap((version, index): APIResourceList[] => {
        const list = lists[index]
        const { groupVersion } = named(version)
        return list ? [{ kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: list }] : []
      })
      const failing = served.versions.filter((_, index) => fails[index])
      return { served, found, failing: failing.map(({ groupVersion }) => groupVersion) }
    })

/** Any server. */
export const server: fc.Arbitrary<Discovered> = fc
  .uniqueArray(fc.constantFrom(...groupNames), { maxLength: 5 })
  .chain((names) => fc.tuple(...names.map(group)))
  .map((groups) => ({
    groups: groups.map(({ served }) => served),
    resources: groups.flatMap(({ found }) => found),
    failures: Object.fromEntries(groups.flatMap(({ failing }) => failing).map((gv) => [gv, `${gv} is broken`])),
  }))

/** What can be asked of it. */
export type DiscoveredClient = DiscoveryInterface

/** A discovery client of a server. */
export function clientOf({ groups, resources: lists, failures }: Discovered): DiscoveredClient {
  const client: Partial<DiscoveryInterface> = {
    serverGroups: async () => ({ kind: 'APIGroupList', apiVersion: 'v1', groups }),
    async serverResourcesForGroupVersion(groupVersion) {
      if (Object.hasOwn(failures, groupVersion)) throw new Error(failures[groupVersion])
      const list = lists.find((item) => item.groupVersion === groupVersion)
      if (!list) throw new Error(`${groupVersion} is not there`)
      return list
    },
    serverGroupsAndResources: (opts) => serverGroupsAndResources(client as DiscoveryInterface, opts),
    serverPreferredResources: (opts) => serverPreferredResources(client as DiscoveryInterface, opts),
    serverPreferredNamespacedResources: (opts) =>
      serverPreferredNamespacedResources(client as DiscoveryInterface, opts),
  }
  return client as DiscoveryInterface
}
