// What the short cuts of the object reader must not change: events of a stream, written and cut in any way, are those that
// JSON.parse finds in it.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Config, noLogger, RESTClient, responseHeaders } from '../../rest/index.js'
import type { FieldFilterOptions } from './byte-filter.js'
import { ObjectReader } from './object-reader.js'
import type { ObjectRef } from './object-ref.js'
import { Slabs } from './slabs.js'

const type = { apiVersion: 'v1', kind: 'Pod', namespaced: true, parse: (text: string) => JSON.parse(text) as unknown }

/** What a watch that answers with these pieces of bytes gives, objects decoded. */
async function watched(pieces: readonly Uint8Array[], filter?: FieldFilterOptions): Promise<unknown[]> {
  const transport = {
    close: async () => {},
    roundTrip: async () => ({
      status: 200,
      headers: responseHeaders({ 'content-type': 'application/json' }),
      body: (async function* () {
        yield* pieces
      })(),
      close: () => {},
    }),
  }
  const config = new Config({ host: 'http://localhost', qps: -1, logger: noLogger, transport })
  const reader = new ObjectReader(new Slabs({ slabSize: 4096 }), type, filter)
  const rest = new RESTClient({ config, groupVersion: { group: '', version: 'v1' } }).withDecoder(reader)
  const events: { type: string; object: unknown }[] = []
  for await (const event of await rest.get().resource('pods').watch<ObjectRef>()) events.push(event)
  return events.map(({ type, object }) => ({
    type,
    object: 'decode' in Object(object) ? (object as ObjectRef).decode() : object,
  }))
}

function cut(text: string, at: readonly number[]): Uint8Array[] {
  const all = Buffer.from(text)
  const offsets = [0, ...at.map((offset) => offset % (all.length + 1)), all.length].sort((a, b) => a - b)
  return offsets.slice(1).map((end, i) => all.subarray(offsets[i], end))
}

const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', '\n', 'ü', '😀', ' ') }),
  fc.constantFrom('object"', '"object"', '}{', '"}', '}\n', '{"type":"ADDED","object":{}}', 'metadata', 'object'),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.jsonValue({ maxDepth: 1 }),
    text,
    fc.dictionary(fc.oneof(text, fc.constantFrom('a', 'object', 'type', 'kind')), tie('value'), { maxKeys: 4 }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}))
/** Members in any order. */
const shuffled = <T extends object>(members: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  members.chain((object) =>
    fc.oneof(
      { weight: 3, arbitrary: fc.constant(object) },
      fc
        .shuffledSubarray(Object.entries(object), { minLength: Object.keys(object).length })
        .map((entries) => Object.fromEntries(entries) as T),
    ),
  )
const name = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('a', 'b-1') },
  text.filter((string) => string !== ''),
)
const metadata = shuffled(
  fc.record(
    {
      name,
      namespace: name,
      uid: text,
      resourceVersion: fc.constantFrom('1', '22'),
      labels: value,
      managedFields: value,
    },
    { requiredKeys: ['name'] },
  ),
)
const object = shuffled(
  fc.record(
    { kind: fc.constant('Pod'), apiVersion: fc.constant('v1'), metadata, spec: value, status: value },
    { requiredKeys: ['kind', 'apiVersion', 'metadata'] },
  ),
)
const event = shuffled(
  fc.record({
    type: fc.constantFrom('ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK'),
    object: fc.oneof({ weight: 9, arbitrary: object }, fc.constant({ ...type, kind: 'Node', metadata: { name: 'n' } })),
  }),
)
const written = fc.tuple(
  event,
  fc.constantFrom(undefined, undefined, undefined, 1),
  fc.constantFrom('\n', '\n', '\n', '', ' ', '\r\n', '\n\n'),
)

it('gives what JSON.parse gives, whatever an event is like, what is between two, and wherever it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(written, { maxLength: 8 }), fc.array(fc.nat(), { maxLength: 6 }), async (events, at) => {
      const all = events
        .map(([event, space, separator]) => JSON.stringify(event, undefined, space) + separator)
        .join('')
      expect(await watched(cut(all, at))).toEqual(events.map(([event]) => JSON.parse(JSON.stringify(event)) as unknown))
    }),
    { numRuns: 200 },
  )
})

it('leaves the same out of each event, wherever in it that stands', async () => {
  const drop = ['metadata.managedFields', 'status']
  await fc.assert(
    fc.asyncProperty(fc.array(written, { maxLength: 5 }), async (events) => {
      const all = events
        .map(([event, space, separator]) => JSON.stringify(event, undefined, space) + separator)
        .join('')
      const expected = events.map(([event]) => {
        const copy = JSON.parse(JSON.stringify(event)) as typeof event
        if (copy.type === 'BOOKMARK' || copy.object.kind !== 'Pod') return copy
        delete (copy.object.metadata as { managedFields?: unknown }).managedFields
        delete (copy.object as { status?: unknown }).status
        return copy
      })
      expect(await watched(cut(all, []), { drop })).toEqual(expected)
    }),
    { numRuns: 200 },
  )
})

const pod = (name: string): object => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name, namespace: 'ns', resourceVersion: '1' },
})
const added = (name: string): string => JSON.stringify({ type: 'ADDED', object: pod(name) })

it.each(['', ' ', '\t', '\r'])(
  'loses no event of a line that has several, with %j between them, among others that have one',
  async (between) => {
    const lines = `${added('a')}\n${added('b')}${between}${added('c')}${between}${added('d')}\n${added('e')}\n`
    expect(await watched(cut(lines, []))).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map((name) => ({ type: 'ADDED', object: pod(name) })),
    )
  },
)

it('takes a newline inside of an event for a space, also behind a brace', async () => {
  const lines = `${added('a')}\n${added('b').replace('{"kind"', '{"spec":{}\n,"kind"')}\n${added('c').replace('}}}', '}\n}\n}')}\n`
  const [, second] = await watched(cut(lines, []))
  expect(second).toEqual({ type: 'ADDED', object: { spec: {}, ...pod('b') } })
  expect(await watched(cut(lines, []))).toHaveLength(3)
})

it.each([
  ['garbage', 'garbage'],
  ['an object without a name', added('').replace('"name":"",', '')],
])('ends with an error behind what was right before it: %s', async (_, line) => {
  const events = await watched(cut(`${added('a')}\n${line}\n${added('c')}\n`, []))
  expect(events[0]).toEqual({ type: 'ADDED', object: pod('a') })
  expect(events.at(-1)).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 500 } })
})

it('finds out when it is decoded that an object is none behind its names', async () => {
  const reader = new ObjectReader(new Slabs(), type)
  reader.event(Buffer.from(added('a')))
  const { object } = reader.event(Buffer.from(added('b').replace('}}}', '},"spec":{"a":tru}}}')))
  expect((object as ObjectRef).key).toBe('ns/b')
  expect(() => (object as ObjectRef).decode()).toThrow(SyntaxError)
})

it('takes objects nested deeper than any stack', async () => {
  const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  const line = added('a').replace('{"kind"', `{"spec":${deep},"kind"`)
  const reader = new ObjectReader(new Slabs(), type, { drop: ['spec'] })
  const { object } = reader.event(Buffer.from(`${line}\n`))
  expect((object as ObjectRef).decode()).toEqual(pod('a'))
})
