// Most of client-go is generated, a few names a resource. This says which of those names follow from what spec/ knows of
// the resource: they need no line of their own, and docs/names.md tells the rules they are made by. A generated name that
// does not follow is kept, and wants an entry like a hand-written one.

import type { GroupVersionFacts, ResourceFacts } from '../spec/format.js'
import type { GoName, GoPackages } from '../spec/go-names.js'

const clientGo = 'k8s.io/client-go/'

/** A name with its members, or a member: `Deployment`, `DeploymentInterface.Get`, `Cluster#Name`. */
type Follows = (name: string) => boolean

/** Takes the names that follow from the facts out of the packages; says how many those were. */
export function withoutGenerated(
  packages: GoPackages,
  facts: readonly GroupVersionFacts[],
): { packages: GoPackages; left: number } {
  let left = 0
  const kept: GoPackages = new Map()
  for (const [path, names] of packages) {
    const follows = rulesOf(path, facts)
    const rest = names.flatMap((name) => {
      const unknown = follows ? withoutFollowing(name, follows) : name
      left += countOf(name) - (unknown ? countOf(unknown) : 0)
      return unknown ? [unknown] : []
    })
    if (rest.length > 0) kept.set(path, rest)
  }
  return { packages: kept, left }
}

function countOf(name: GoName): number {
  return 1 + name.members.length
}

function withoutFollowing(name: GoName, follows: Follows): GoName | undefined {
  const members = name.members.filter((m) => !follows(m.startsWith('.') ? `${name.name}${m}` : `${name.name}#${m}`))
  return members.length === 0 && follows(name.name) ? undefined : { ...name, members }
}

function rulesOf(path: string, facts: readonly GroupVersionFacts[]): Follows | undefined {
  if (!path.startsWith(clientGo)) return undefined
  const folders = path.slice(clientGo.length).split('/')
  if (path === `${clientGo}kubernetes` || path === `${clientGo}kubernetes/fake`) return clientsetRule(facts)
  if (path === `${clientGo}informers`) return factoryRule(facts)
  const kind = folders[0] === 'kubernetes' && folders[1] === 'typed' ? 'typed' : folders[0]
  const [folder, version, ...deeper] = folders.slice(kind === 'typed' ? 2 : 1)
  const all = facts.filter((f) => f.folder === folder)
  if (kind === 'informers' && all.length > 0 && version === undefined) return groupInformersRule(all)
  const groupVersion = all.find((f) => f.version === version)
  if (!groupVersion) return undefined
  if (kind === 'typed') return deeper.length === 0 ? typedRule(groupVersion) : fakeRule(groupVersion)
  if (kind === 'informers') return informersRule(groupVersion)
  if (kind === 'listers') return listersRule(groupVersion)
  return kind === 'applyconfigurations' ? applyRule(groupVersion) : undefined
}

/** `AppsV1` → `V1`, as Go's accessors write versions. */
function title(version: string): string {
  return version.replace(/^v/, 'V')
}

function setRule(names: Iterable<string>): Follows {
  const set = new Set(names)
  return (name) => set.has(name)
}

function clientsetRule(facts: readonly GroupVersionFacts[]): Follows {
  return setRule(facts.flatMap(({ accessor }) => [`Interface.${accessor}`, `Clientset.${accessor}`]))
}

function factoryRule(facts: readonly GroupVersionFacts[]): Follows {
  return setRule(
    facts.flatMap(({ accessor, version }) =>
      accessor ? [`SharedInformerFactory.${accessor.slice(0, -version.length)}`] : [],
    ),
  )
}

function groupInformersRule(all: readonly GroupVersionFacts[]): Follows {
  return setRule(['Interface', 'New', ...all.map(({ version }) => `Interface.${title(version)}`)])
}

type Client = NonNullable<ResourceFacts['client']>

function clientsOf(facts: GroupVersionFacts): { kind: string; client: Client }[] {
  return Object.values(facts.resources ?? {}).flatMap(({ kind, client }) => (client ? [{ kind, client }] : []))
}

function typedRule(facts: GroupVersionFacts): Follows {
  const group = facts.accessor ?? ''
  return setRule([
    ...['New', 'NewForConfig', 'NewForConfigAndClient', 'NewForConfigOrDie'],
    ...[`${group}Interface`, `${group}Interface.RESTClient`, `${group}Client`, `${group}Client.RESTClient`],
    ...clientsOf(facts).flatMap(({ kind, client }) => [
      `${group}Client.${client.accessor}`,
      `${client.accessor}Getter`,
      `${client.accessor}Getter.${client.accessor}`,
      `${kind}Interface`,
      `${kind}Expansion`,
      ...client.methods.map((method) => `${kind}Interface.${method}`),
    ]),
  ])
}

function fakeRule(facts: GroupVersionFacts): Follows {
  const group = `Fake${facts.accessor}`
  return setRule([
    ...[group, `${group}.RESTClient`, `${group}#Fake`],
    ...clientsOf(facts).map(({ client }) => `${group}.${client.accessor}`),
  ])
}

/** Resources that can be kept in a cache: what informers and listers are of. */
function cachedOf(facts: GroupVersionFacts): { kind: string; accessor: string }[] {
  return clientsOf(facts).flatMap(({ kind, client: { accessor, methods } }) =>
    methods.includes('List') && methods.includes('Watch') ? [{ kind, accessor }] : [],
  )
}

function informersRule(facts: GroupVersionFacts): Follows {
  return setRule([
    ...['Interface', 'New'],
    ...cachedOf(facts).flatMap(({ kind, accessor }) => [
      ...[`Interface.${accessor}`, `${kind}Informer`, `${kind}Informer.Informer`, `${kind}Informer.Lister`],
      ...[`New${kind}Informer`, `NewFiltered${kind}Informer`, `New${kind}InformerWithOptions`],
    ]),
  ])
}

function listersRule(facts: GroupVersionFacts): Follows {
  return setRule(
    cachedOf(facts).flatMap(({ kind, accessor }) => [
      ...[`${kind}Lister`, `${kind}Lister.List`, `${kind}Lister.Get`, `${kind}Lister.${accessor}`, `New${kind}Lister`],
      ...[`${kind}NamespaceLister`, `${kind}NamespaceLister.List`, `${kind}NamespaceLister.Get`],
      ...[`${kind}ListerExpansion`, `${kind}NamespaceListerExpansion`],
    ]),
  )
}

/** Builders of the values that are applied, one a definition, with setters named after its fields. */
function applyRule(facts: GroupVersionFacts): Follows {
  const definitions = new Set(Object.keys(facts.definitions))
  const parent = (name: string) => [...definitions].some((d) => name.startsWith(d))
  return (name) => {
    const of = /^(\w+)ApplyConfiguration(?:[.#]\w+)?$/.exec(name)?.[1] ?? name
    const extracted = /^Extract(\w+)$/.exec(of)?.[1]
    return definitions.has(of) || (extracted !== undefined && parent(extracted))
  }
}
