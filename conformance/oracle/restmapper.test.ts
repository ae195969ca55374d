// What rest mappers answer about random servers.
import fc from 'fast-check'
import {
  formatGroupResource,
  formatGroupVersionKind,
  formatGroupVersionResource,
  type GroupVersionKind,
  type GroupVersionResource,
} from 'kubewright/meta'
import {
  DiscoveryCategoryExpander,
  getAPIGroupResources,
  isAmbiguousError,
  isNoMatchError,
  newDiscoveryRESTMapper,
  type RESTMapper,
  type RESTMapping,
  ShortcutExpander,
  unsafeGuessKindToResource,
} from 'kubewright/restmapper'
import { expect, it } from 'vitest'
import { runs } from './arbitraries.js'
import { describeWithOracle } from './describe-with-oracle.js'
import { categories, clientOf, type Discovered, groupNames, server, shortNames, versionNames } from './discovered.js'

const operations = [
  'kindFor',
  'kindsFor',
  'resourceFor',
  'resourcesFor',
  'restMapping',
  'restMappings',
  'resourceSingularizer',
]

interface Question {
  op: string
  group: string
  version: string
  name: string
  versions: string[]
  short: boolean
}

interface Answer {
  result?: unknown
  error?: string
  noMatch?: true
  ambiguous?: true
  warnings?: string[]
}

const names = [
  'pods',
  'pod',
  'Pod',
  'PODS',
  'endpoints',
  'policies',
  'Policy',
  'Status',
  'statuses',
  'statuseses',
  'deployments',
]
const question: fc.Arbitrary<Question> = fc.record({
  op: fc.constantFrom(...operations),
  group: fc.oneof(fc.constantFrom(...groupNames), fc.constantFrom('storage', 'app', 'none')),
  version: fc.oneof(fc.constant(''), fc.constantFrom(...versionNames, '__internal', 'v9')),
  name: fc.constantFrom(
    ...names,
    ...shortNames,
    'Deployment',
    'podlists',
    'PodList',
    'lists',
    'List',
    'foo',
    'odd',
    'constructor',
    '',
  ),
  versions: fc.array(fc.constantFrom(...versionNames, '', '__internal', 'v9'), { maxLength: 3 }),
  short: fc.boolean(),
})

const mappingText = ({ resource, groupVersionKind, scope }: RESTMapping): string =>
  `${formatGroupVersionResource(resource)}; ${formatGroupVersionKind(groupVersionKind)}; ${scope}`

async function ask(mapper: RESTMapper, { op, group, version, name, versions }: Question): Promise<unknown> {
  const partial = { group, version, resource: name }
  const kind = { group, kind: name }
  if (op === 'kindFor') return formatGroupVersionKind(await mapper.kindFor(partial))
  if (op === 'kindsFor')
    return (await mapper.kindsFor(partial)).map((found: GroupVersionKind) => formatGroupVersionKind(found))
  if (op === 'resourceFor') return formatGroupVersionResource(await mapper.resourceFor(partial))
  if (op === 'resourcesFor') {
    return (await mapper.resourcesFor(partial)).map((found: GroupVersionResource) => formatGroupVersionResource(found))
  }
  if (op === 'restMapping') return [mappingText(await mapper.restMapping(kind, versions))]
  if (op === 'restMappings') return (await mapper.restMappings(kind, versions)).map(mappingText)
  return mapper.resourceSingularizer(name)
}

async function answerOurs(mapper: RESTMapper, q: Question, warnings: string[]): Promise<Answer> {
  const answer: Answer = await ask(mapper, q).then(
    (result) => ({ result }),
    (err: Error) => ({
      error: err.message,
      ...(isNoMatchError(err) && { noMatch: true as const }),
      ...(isAmbiguousError(err) && { ambiguous: true as const }),
    }),
  )
  return warnings.length > 0 ? { ...answer, warnings } : answer
}

async function ours(discovered: Discovered, questions: readonly Question[]): Promise<Answer[]> {
  const client = clientOf(discovered)
  const plain = newDiscoveryRESTMapper(await getAPIGroupResources(client))
  const answers: Answer[] = []
  for (const q of questions) {
    const warnings: string[] = []
    const warningHandler = (text: string) => warnings.push(text)
    const mapper = q.short ? new ShortcutExpander(plain, client, { warningHandler }) : plain
    answers.push(await answerOurs(mapper, q, warnings))
  }
  return answers
}

describeWithOracle('rest mappers', (oracle) => {
  it('find what client-go finds, and say the same when they do not', async () => {
    await fc.assert(
      fc.asyncProperty(server, fc.array(question, { minLength: 1, maxLength: 12 }), async (discovered, questions) => {
        const go = await oracle.ask<Answer[]>('restmapper.ask', { server: discovered, questions })
        const found = await ours(discovered, questions)
        if (!('result' in go)) throw new Error(go.error)
        go.result.forEach((answer, index) => {
          // As documented: a server without resources has no singulars, which Go says with an empty text.
          if (questions[index]?.op === 'resourceSingularizer' && answer.result === '') {
            expect(found[index]).toMatchObject({ noMatch: true })
          } else expect({ ...questions[index], ...found[index] }).toEqual({ ...questions[index], ...answer })
        })
      }),
      runs(2000),
    )
  })

  it('expand categories as client-go does', async () => {
    await fc.assert(
      fc.asyncProperty(server, fc.constantFrom(...categories, 'none', '__proto__'), async (discovered, category) => {
        const go = await oracle.ask<{ known: boolean; members: string[] }>('restmapper.category', {
          server: discovered,
          category,
        })
        const members = await new DiscoveryCategoryExpander(clientOf(discovered)).expand(category)
        const found = { known: members !== undefined, members: (members ?? []).map(formatGroupResource) }
        expect({ result: found }).toEqual(go)
      }),
      runs(500),
    )
  })

  it('guess resources as client-go does', async () => {
    const kind = fc.oneof(
      fc.constantFrom('Endpoints', 'NetworkPolicy', 'Status', 'y', 's', ''),
      fc.stringMatching(/^[A-Za-z]{0,9}$/),
    )
    await fc.assert(
      fc.asyncProperty(kind, async (name) => {
        const { plural, singular } = unsafeGuessKindToResource({ group: 'g', version: 'v', kind: name })
        expect({ result: [plural, singular].map(formatGroupVersionResource) }).toEqual(
          await oracle.ask('restmapper.guess', { kind: name }),
        )
      }),
      runs(1000),
    )
  })
})
