import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FieldFilterOptions } from './byte-filter.js'
import { ObjectReader } from './object-reader.js'
import { Slabs } from './slabs.js'

const type = { apiVersion: 'v1', kind: 'Pod', namespaced: true, parse: (text: string) => JSON.parse(text) as unknown }

const readerOf = (filter?: FieldFilterOptions) => new ObjectReader(new Slabs({ slabSize: 512 }), type, filter)
const bytesOf = (value: unknown, space?: number) => new TextEncoder().encode(JSON.stringify(value, undefined, space))

const pod = {
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: {
    name: 'web-0',
    namespace: 'default',
    uid: 'u1',
    resourceVersion: '7',
    labels: { app: 'web', 'example.com/größe': 'x"\\' },
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"a":1}', note: 'n' },
    managedFields: [{ manager: 'm', fieldsV1: { 'f:spec': { '.': {} } } }],
  },
  spec: { nodeName: 'n1', containers: [{ name: 'a', env: [{ name: 'A' }] }, { name: 'b' }], volumes: null },
  status: { phase: 'Running' },
}

describe.each([[undefined], [2]])('an object written with %s spaces', (space) => {
  const ref = readerOf().object(bytesOf(pod, space))

  it('tells what names it', () => {
    expect(ref).toMatchObject({ key: 'default/web-0', namespace: 'default', name: 'web-0', uid: 'u1' })
    expect(ref).toMatchObject({ resourceVersion: '7', labels: pod.metadata.labels, apiVersion: 'v1', kind: 'Pod' })
  })

  it('decodes to the reader’s own copy', () => {
    expect(ref.decode()).toEqual(pod)
    expect(ref.decode()).not.toBe(ref.decode())
  })

  it('gives single fields', () => {
    expect(ref.field('spec.nodeName')).toBe('n1')
    expect(ref.field(['metadata', 'annotations', 'note'])).toBe('n')
    expect(ref.field('spec.containers')).toEqual(pod.spec.containers)
    expect(ref.field('spec.volumes')).toBeNull()
    expect(ref.field('spec.nodeName.further')).toBeUndefined()
    expect(ref.field('spec.nothing')).toBeUndefined()
    expect(() => ref.field('spec..x')).toThrow('is no path of a field')
    expect(ref.metadata.annotations).toEqual(pod.metadata.annotations)
    expect(ref.metadata.ownerReferences).toEqual([])
    expect(ref.metadata.deletionTimestamp).toBeUndefined()
  })
})

it('gives the kind to items of lists, which do not say it', () => {
  const { kind: _, apiVersion: __, ...item } = pod
  const ref = readerOf().object(bytesOf(item))
  expect(ref.decode()).toEqual(pod)
  expect(ref.kind).toBe('Pod')
})

it('takes names written with escapes, and in any order', () => {
  const text =
    '{"spec":{"metadata":{"name":"no"}},"metadata":{"labels":{},"resourceVersion":"1","namespace":"\\u0061b","name":"gr\\u00f6ße"}}'
  expect(readerOf().object(new TextEncoder().encode(text)).key).toBe('ab/größe')
})

it.each([
  ['[]', 'no object'],
  ['{"spec":{}}', 'no metadata'],
  ['{"metadata":{}}', 'no metadata.name'],
  ['{"metadata":{"name":""}}', 'no metadata.name'],
  ['{"metadata":{"name":5}}', 'no metadata.name'],
  ['{"metadata":null}', 'no object'],
  ['{"metadata":{"name":"x"', 'does not end'],
  ['{"metadata":{"name":"x', 'does not end'],
  ['{"a":1 "metadata":{"name":"x"}}', 'lacks a comma'],
  ['{"a" 1}', 'lacks a colon'],
  ['{a:1}', 'lacks a key'],
  ['', 'no object'],
])('refuses %s', (text, problem) => {
  expect(() => readerOf().object(new TextEncoder().encode(text))).toThrow(problem)
})

describe('leaving out fields', () => {
  const kept = (filter: FieldFilterOptions, space?: number) => readerOf(filter).object(bytesOf(pod, space)).decode()

  it.each([[undefined], [1]])('drops, written with %s spaces', (space) => {
    const drop = [
      'metadata.managedFields',
      ['metadata', 'annotations', 'kubectl.kubernetes.io/last-applied-configuration'],
      'spec.containers[*].env',
      'status',
      'nothing.here',
    ]
    expect(kept({ drop }, space)).toEqual({
      ...pod,
      metadata: { ...pod.metadata, annotations: { note: 'n' }, managedFields: undefined },
      spec: { ...pod.spec, containers: [{ name: 'a' }, { name: 'b' }] },
      status: undefined,
    })
  })

  it('picks, and keeps what names the object', () => {
    const { annotations: _, managedFields: __, ...metadata } = pod.metadata
    expect(kept({ pick: ['spec.containers[*].name', 'spec.volumes.x'] })).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata,
      spec: { containers: [{ name: 'a' }, { name: 'b' }], volumes: null },
    })
  })

  it('drops from what is picked', () => {
    expect(kept({ pick: ['spec', 'spec.nodeName'], drop: ['spec.containers', 'status.phase'] }).metadata).toBeDefined()
    expect(kept({ pick: ['spec', 'spec.nodeName'], drop: ['spec.containers', 'status.phase'] })).toMatchObject({
      spec: { nodeName: 'n1', volumes: null },
    })
    expect(kept({ pick: ['spec'], drop: ['spec'] })).not.toHaveProperty('spec')
  })

  it('refuses what is no path', () => {
    expect(() => readerOf({ drop: [''] })).toThrow('"" is no path of a field')
    expect(() => readerOf({ pick: [[]] })).toThrow('[] is no path of a field')
  })

  it('leaves exactly the fields out that it is to, of any object', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd"', 'e\\')
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.jsonValue({ maxDepth: 1 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
        fc.array(tie('value'), { maxLength: 3 }),
      ),
    }))
    const path = fc.array(fc.constantFrom('a', 'b', 'c', '[*]'), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(
        fc.dictionary(key, value),
        fc.array(path, { maxLength: 3 }),
        fc.constantFrom(undefined, 1),
        (object, paths, space) => {
          const whole = { metadata: { name: 'x' }, ...object }
          const drop = paths.map((keys) => ['spec', ...keys])
          const ref = readerOf({ drop }).object(bytesOf({ ...whole, spec: object }, space))
          const expected = structuredClone(object)
          for (const keys of paths) without(expected, keys)
          expect(ref.field('spec')).toEqual(JSON.parse(JSON.stringify(expected)))
        },
      ),
    )
  })
})

/** What dropping means, on values. */
function without(value: unknown, [key, ...rest]: string[]): void {
  if (typeof value !== 'object' || value === null || key === undefined) return
  if (Array.isArray(value)) {
    if (key !== '[*]') return
    if (rest.length === 0) value.length = 0
    else for (const item of value) without(item, rest)
  } else if (key !== '[*]') {
    if (rest.length === 0) delete (value as Record<string, unknown>)[key]
    else without((value as Record<string, unknown>)[key], rest)
  }
}

describe('events', () => {
  const event = (value: unknown, space?: number) => readerOf().event(bytesOf(value, space))

  it.each([[undefined], [2]])('have references as objects, written with %s spaces', (space) => {
    const { type, object } = event({ type: 'MODIFIED', object: pod }, space)
    expect(type).toBe('MODIFIED')
    expect((object as { decode(): unknown }).decode()).toEqual(pod)
  })

  it('may name their type last', () => {
    const { type, object } = event({ object: pod, type: 'ADDED' })
    expect([type, (object as { decode(): unknown }).decode()]).toEqual(['ADDED', pod])
  })

  it.each([
    { type: 'BOOKMARK', object: { kind: 'Pod', apiVersion: 'v1', metadata: { resourceVersion: '9' } } },
    { type: 'ERROR', object: { kind: 'Status', code: 410 } },
    { type: 'ADDED', object: { ...pod, kind: 'Deployment' } },
    { type: 'ADDED', object: null },
    { type: 'ADDED' },
    { type: 'OTHER', object: pod },
    {},
  ])('are decoded where they are about no object of the kind: %j', (value) => {
    expect(event(value)).toEqual(value)
  })

  it.each(['', ' ', '\t', '\r'])('are refused where there are several, with %j between them', (between) => {
    const one = JSON.stringify({ type: 'ADDED', object: pod })
    const other = JSON.stringify({ object: pod, type: 'DELETED' })
    for (const text of [one + between + other, other + between + one]) {
      expect(() => readerOf().event(new TextEncoder().encode(text))).toThrow(SyntaxError)
      expect(() => readerOf().event(new TextEncoder().encode(`${text}\r\n`))).toThrow(SyntaxError)
    }
  })

  it('may have in a string what looks like the end of one', () => {
    const odd = { ...pod, metadata: { ...pod.metadata, annotations: { text: '{"a":{}} {}}{' } } }
    const { object } = event({ type: 'ADDED', object: odd })
    expect((object as { decode(): unknown }).decode()).toEqual(odd)
  })

  it.each(['{"type":"ADDED","object":{"metadata":{"name":"x"}', '{"type":"ADDED","object":{"kind":"Pod"}}', 'x', '{'])(
    'that are none are refused: %s',
    (text) => {
      expect(() => readerOf().event(new TextEncoder().encode(text))).toThrow(SyntaxError)
    },
  )
})
