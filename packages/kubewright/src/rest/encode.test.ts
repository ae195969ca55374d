import { expect, it } from 'vitest'
import { encodeJSON } from './encode.js'

const cyclic: Record<string, unknown> = { metadata: {} }
;(cyclic.metadata as Record<string, unknown>).self = cyclic
const shared = { a: 1 }

it.each([
  [{ a: 1, b: 'x', c: null, d: true, e: [1, [2]], f: undefined }, '{"a":1,"b":"x","c":null,"d":true,"e":[1,[2]]}'],
  [{ a: shared, b: [shared, shared] }, '{"a":{"a":1},"b":[{"a":1},{"a":1}]}'],
  [{ q: { toJSON: () => '100m' } }, '{"q":"100m"}'],
])('encodes %j', (value, expected) => {
  expect(encodeJSON(value)).toBe(expected)
})

it.each([
  [{ spec: { replicas: Number.NaN } }, 'spec.replicas', 'NaN'],
  [{ spec: { replicas: Number.POSITIVE_INFINITY } }, 'spec.replicas', 'Infinity'],
  [
    { spec: { containers: [{ ports: [{ containerPort: 80n }] }] } },
    'spec.containers[0].ports[0].containerPort',
    'BigInt',
  ],
  [{ metadata: { labels: { 'a.b/c': () => {} } } }, 'metadata.labels["a.b/c"]', 'function'],
  [{ metadata: { creationTimestamp: new Date(0) } }, 'metadata.creationTimestamp', 'toISOString()'],
  [{ data: new Map() }, 'data', 'Map'],
  [{ data: { k: new Uint8Array(1) } }, 'data.k', 'base64'],
  [{ args: ['a', undefined] }, 'args[1]', 'undefined'],
  [{ x: Symbol('s') }, 'x', 'symbol'],
  [cyclic, 'metadata.self', 'contains itself'],
  [Number.NaN, 'the value', 'NaN'],
])('refuses what JSON would change: %o', (value, path, reason) => {
  expect(() => encodeJSON(value)).toThrow(`cannot encode ${path} as JSON: `)
  expect(() => encodeJSON(value)).toThrow(reason)
})
