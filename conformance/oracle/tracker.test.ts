// The tracker of the fake clientset: sequences of calls, their answers and events, as client-go's fake.NewClientset has them.
import fc from 'fast-check'
import { type ApiError, asApiError, type Unstructured, type UnstructuredInput } from 'kubewright/meta'
import { FakeClientset, type ObjectTracker } from 'kubewright/testing'
import { expect, it } from 'vitest'
import { runs } from './arbitraries.js'
import { describeWithOracle } from './describe-with-oracle.js'

const kinds = {
  configmaps: { group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' },
  deployments: { group: 'apps', version: 'v1', resource: 'deployments', kind: 'Deployment' },
}
type Resource = keyof typeof kinds

interface Step {
  verb: 'create' | 'update' | 'patch' | 'delete' | 'get' | 'list'
  group: string
  version: string
  resource: string
  kind: string
  namespace: string
  name: string
  object?: object
  patchType?: string
  fieldManager?: string
  force?: boolean
}
interface GoAnswer {
  object?: object
  reason?: string
  message?: string
  failed?: boolean
}
interface Event {
  type: string
  object: object
}
interface Outcome {
  answers: GoAnswer[]
  events: Record<string, Event[]>
}

const namespace = fc.constantFrom('one', 'two')
const name = fc.constantFrom('a', 'b')
const text = fc.constantFrom('x', 'y', 'z')
const labels = fc.dictionary(fc.constantFrom('app', 'tier'), text, { minKeys: 1, maxKeys: 2 })
const manager = fc.constantFrom('me', 'you', 'kubectl')

const metadata = (name: string) =>
  fc.record({ name: fc.constant(name), labels, annotations: labels }, { requiredKeys: ['name'] })
const container = fc.record(
  {
    name: fc.constantFrom('main', 'side'),
    image: text,
    args: fc.array(text, { minLength: 1, maxLength: 2 }),
    ports: fc.uniqueArray(fc.record({ containerPort: fc.constantFrom(80, 443), protocol: fc.constant('TCP') }), {
      minLength: 1,
      maxLength: 2,
      selector: ({ containerPort }) => containerPort,
    }),
  },
  { requiredKeys: ['name', 'image'] },
)
const containers = fc.uniqueArray(container, { minLength: 1, maxLength: 2, selector: (c) => c.name })
const bodies = {
  configmaps: fc.record({ data: labels, immutable: fc.constant(true) }, { requiredKeys: [] }),
  deployments: fc.record(
    {
      spec: fc.record(
        {
          replicas: fc.nat(3),
          paused: fc.constant(true),
          selector: fc.record({ matchLabels: labels }),
          template: fc.record(
            { metadata: fc.record({ labels }), spec: fc.record({ containers }) },
            { requiredKeys: ['spec'] },
          ),
        },
        { requiredKeys: [] },
      ),
      status: fc.record({ replicas: fc.integer({ min: 1, max: 3 }) }),
    },
    { requiredKeys: [] },
  ),
}
const objectOf = (resource: Resource, name: string) =>
  fc.tuple(metadata(name), bodies[resource]).map(([metadata, body]) => ({ metadata, ...body }))

/** What is applied has no status, nor anything empty, which Go would leave out. */
const configOf = (resource: Resource, name: string) =>
  objectOf(resource, name).map((object) => {
    const { status: _, ...config } = object as { metadata: object; status?: object }
    const { kind, group, version } = kinds[resource]
    return { apiVersion: group === '' ? version : `${group}/${version}`, kind, ...config }
  })

const mergeBodies = {
  configmaps: fc.constantFrom(
    { data: { app: 'new' } },
    { data: null },
    { metadata: { labels: { app: null, n: 'x' } } },
  ),
  deployments: fc.constantFrom<object>(
    { spec: { replicas: 5 } },
    { spec: { replicas: null, paused: null } },
    { spec: { template: { spec: { containers: [{ name: 'main', image: 'patched' }] } } } },
    { metadata: { annotations: { patched: 'yes' } } },
  ),
}
const jsonBodies = fc.constantFrom<object[]>(
  [{ op: 'add', path: '/metadata/labels', value: { all: 'new' } }],
  [{ op: 'replace', path: '/metadata/labels/app', value: 'replaced' }],
  [
    { op: 'test', path: '/metadata/name', value: 'a' },
    { op: 'add', path: '/metadata/annotations', value: { is: 'a' } },
  ],
  [{ op: 'remove', path: '/metadata/labels' }],
)

const step: fc.Arbitrary<Step> = fc
  .tuple(fc.constantFrom<Resource>('configmaps', 'deployments'), namespace, name, manager)
  .chain(([resource, namespace, name, fieldManager]) => {
    const base = { ...kinds[resource], namespace, name, fieldManager }
    const patched = (patchType: string, object: fc.Arbitrary<object>) =>
      object.map((object): Step => ({ verb: 'patch', ...base, patchType, object }))
    return fc.oneof(
      { weight: 3, arbitrary: objectOf(resource, name).map((object): Step => ({ verb: 'create', ...base, object })) },
      { weight: 2, arbitrary: objectOf(resource, name).map((object): Step => ({ verb: 'update', ...base, object })) },
      patched('application/merge-patch+json', mergeBodies[resource]),
      patched('application/strategic-merge-patch+json', mergeBodies[resource]),
      patched('application/json-patch+json', jsonBodies),
      {
        weight: 4,
        arbitrary: fc.tuple(configOf(resource, name), fc.boolean()).map(
          ([object, force]): Step => ({
            verb: 'patch',
            ...base,
            patchType: 'application/apply-patch+yaml',
            object,
            force,
          }),
        ),
      },
      fc.constant<Step>({ verb: 'delete', ...base }),
      fc.constant<Step>({ verb: 'get', ...base }),
      fc.constant<Step>({ verb: 'list', ...base }),
    )
  })

function take(tracker: ObjectTracker, step: Step): object | undefined {
  const { verb, namespace, name, object = {}, patchType = '', fieldManager, force } = step
  switch (verb) {
    case 'create':
      return tracker.create(step, object as UnstructuredInput, namespace, { fieldManager })
    case 'update':
      return tracker.update(step, object as UnstructuredInput, namespace, { fieldManager })
    case 'patch':
      return tracker.patch(step, namespace, name, { contentType: patchType, body: object }, { fieldManager, force })
    case 'delete':
      tracker.delete(step, namespace, name)
      return undefined
    case 'get':
      return tracker.get(step, namespace, name)
    case 'list':
      return tracker.list(step, namespace)
  }
}

function answerOf(tracker: ObjectTracker, step: Step): GoAnswer {
  try {
    const object = take(tracker, step)
    return object === undefined ? {} : { object }
  } catch (err) {
    const status: ApiError['status'] | undefined = asApiError(err)?.status
    return { failed: true, reason: status?.reason ?? '', message: status?.message ?? '' }
  }
}

async function outcomeOf(objects: readonly object[], steps: readonly Step[]): Promise<Outcome> {
  const { tracker } = new FakeClientset({ objects })
  const watches = Object.entries(kinds).map(([resource, kind]) => ({ resource, watch: tracker.watch(kind, '') }))
  const answers = steps.map((step) => answerOf(tracker, step))
  const events: Record<string, Event[]> = {}
  for (const { resource, watch } of watches) {
    watch.stop()
    events[resource] = []
    for await (const event of watch) events[resource]?.push(event)
  }
  return { answers, events }
}

/** What client-go's tracker leaves to the server, and Go's absence of nothing. */
function plain(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item))
  if (typeof value !== 'object' || value === null) return value
  const { time: _, ...rest } = value as Record<string, unknown>
  const serverOwn = key === 'metadata' ? ['uid', 'resourceVersion', 'creationTimestamp', 'generation', 'selfLink'] : []
  const entries = Object.entries(rest)
    .filter(([name]) => !serverOwn.includes(name))
    .map(([name, part]) => [name, key === 'fieldsV1' ? part : plain(byManager(name, part), name)] as const)
    .filter(([name, part]) => name.startsWith('f:') || !isNothing(part))
  return Object.fromEntries(entries)
}

/** Entries of one second are in another order than those of two. */
function byManager(name: string, value: unknown): unknown {
  if (name !== 'managedFields') return value
  const keyOf = ({ manager, operation }: { manager?: string; operation?: string }) => `${operation} ${manager}`
  return (value as object[]).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function plainObject(object: object | undefined): unknown {
  if (object === undefined) return undefined
  const { items, apiVersion: _, kind: __, ...rest } = object as { items?: object[]; apiVersion?: string; kind?: string }
  return items === undefined ? plain(rest) : { items: items.map(plainObject) }
}

/** An update that changes nothing is no event here; in Go it is one. */
function plainEvents(events: readonly Event[]): object[] {
  const last = new Map<string, string>()
  return events.flatMap(({ type, object }) => {
    const shown = plainObject(object)
    const { namespace, name } = (object as Unstructured).metadata
    const [key, text] = [`${namespace}/${name}`, JSON.stringify(sorted(shown))]
    if (type === 'MODIFIED' && last.get(key) === text) return []
    last.set(key, text)
    return [{ type, object: shown }]
  })
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part)]),
  )
}

const shown = ({ answers, events }: Outcome) => ({
  answers: answers.map(({ failed = false, reason = '', object, message = '' }) => ({
    failed,
    // Some of Go's failures are no errors of the API: what of a JSON patch does not fit.
    ...(failed && reason !== '' && reason !== 'Invalid' && { reason, message }),
    object: plainObject(object),
  })),
  events: Object.fromEntries(Object.keys(kinds).map((resource) => [resource, plainEvents(events[resource] ?? [])])),
})

describeWithOracle('the tracker of fake clientsets', (oracle) => {
  it('answers as client-go’s', async () => {
    const existing = [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'one' }, data: { app: 'x' } },
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a', namespace: 'one' }, spec: { replicas: 1 } },
    ]
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const answer = await oracle.ask<Outcome>('testing.tracker', { objects: existing, steps })
        if (!('result' in answer)) throw new Error(answer.error)
        expect(shown(await outcomeOf(existing, steps))).toEqual(shown(answer.result))
      }),
      runs(50),
    )
  })
})
