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
  [
    { a: 2n ** 53n + 1n, b: [-(2n ** 63n), 2n ** 63n - 1n, 0n] },
    '{"a":9007199254740993,"b":[-9223372036854775808,9223372036854775807,0]}',
  ],
  [
    { a: 1n, text: 'bigint 1', list: ['bigint  -2', '"bigint 3"'] },
    '{"a":1,"text":"bigint 1","list":["bigint  -2","\\"bigint 3\\""]}',
  ],
  [[{ q: { toJSON: () => '100m' } }, 5n], '[{"q":"100m"},5]'],
  [
    { a: 2 ** 53 - 1, b: 1e300, c: 0.5, d: -(2 ** 64) },
    '{"a":9007199254740991,"b":1e+300,"c":0.5,"d":-18446744073709552000}',
  ],
])('encodes large numbers: %#', (value, expected) => {
  expect(encodeJSON(value)).toBe(expected)
})

it.each([
  ['half of a pair', 'x\ud83d', '"x\ufffd"'],
  ['the other half', '\ude00x\ud83d\ud83d', '"\ufffdx\ufffd\ufffd"'],
  ['a pair', 'x😀', '"x😀"'],
  ['what looks like an escape', '\\ud83d\\u0085', '"\\\\ud83d\\\\u0085"'],
  ['control characters', '\x01\x7f\u0085\u009f\u00a0', '"\\u0001\\u007f\\u0085\\u009f\u00a0"'],
  ['ends of lines', 'a \u2028 \u2029', '"a \\u2028 \\u2029"'],
  ['no characters', '\ufffe\uffff\ufeff', '"\\ufffe\\uffff\ufeff"'],
])('writes text as servers read it, JSON or YAML: %s', (_, text, expected) => {
  expect(encodeJSON(text)).toBe(expected)
  expect(encodeJSON({ [text]: 1n })).toBe(`{${expected}:1}`)
  expect(JSON.parse(encodeJSON(text))).toBe(text.toWellFormed())
})

it('refuses what is nested without end', () => {
  let deep: object = {}
  for (let i = 0; i < 20_000; i++) deep = { a: deep }
  expect(() => encodeJSON(deep)).toThrow('nested more than 1000 levels deep')
})

it('takes instances of classes for data', () => {
  class Labels {
    app = 'web'
  }
  expect(encodeJSON({ labels: new Labels(), none: Object.create(null) as object })).toBe(
    '{"labels":{"app":"web"},"none":{}}',
  )
})

it.each([
  [{ spec: { replicas: Number.NaN } }, 'spec.replicas', 'NaN'],
  [{ spec: { replicas: Number.POSITIVE_INFINITY } }, 'spec.replicas', 'Infinity'],
  [
    { spec: { containers: [{ ports: [{ containerPort: 2n ** 63n }] }] } },
    'spec.containers[0].ports[0].containerPort',
    '64 bits',
  ],
  [{ spec: { size: -(2n ** 63n) - 1n } }, 'spec.size', '-9223372036854775809 has more than the 64 bits'],
  [{ spec: { size: 2 ** 53 } }, 'spec.size', '9007199254740992 is beyond 2^53'],
  [{ spec: { sizes: [1, -(2 ** 53)] } }, 'spec.sizes[1]', 'Set losslessIntegers of the Config'],
  [{ spec: { size: JSON.parse('9223372036854775807') as number } }, 'spec.size', 'write a bigint'],
  [{ metadata: { labels: { 'a.b/c': () => {} } } }, 'metadata.labels["a.b/c"]', 'function'],
  [{ metadata: { creationTimestamp: new Date(0) } }, 'metadata.creationTimestamp', 'toISOString()'],
  [{ data: new Map() }, 'data', 'Map'],
  [{ data: { k: new Uint8Array(1) } }, 'data.k', 'base64'],
  [{ args: ['a', undefined] }, 'args[1]', 'undefined'],
  [{ x: Symbol('s') }, 'x', 'symbol'],
  [{ spec: Promise.resolve({}) }, 'spec', 'await it'],
  [{ data: { k: new ArrayBuffer(1) } }, 'data.k', 'base64'],
  [{ data: { k: /x/ } }, 'data.k', 'RegExp'],
  [{ data: { k: Object(Number.NaN) } }, 'data.k', 'Number'],
  [new Blob(['x']), 'the value', 'Blob'],
  [cyclic, 'metadata.self', 'contains itself'],
  [Number.NaN, 'the value', 'NaN'],
])('refuses what JSON would change: %o', (value, path, reason) => {
  expect(() => encodeJSON(value)).toThrow(`cannot encode ${path} as JSON: `)
  expect(() => encodeJSON(value)).toThrow(reason)
})

it.each<[string, unknown, string]>([
  ['NaN', { a: { toJSON: () => Number.NaN } }, 'cannot encode a as JSON: NaN is not a JSON number'],
  ['nothing', { a: [{ toJSON: () => undefined }] }, 'cannot encode a[0] as JSON: its toJSON() gives undefined'],
  ['nothing at all', { toJSON: () => undefined }, 'cannot encode the value as JSON: its toJSON() gives undefined'],
  ['a Date', { a: { toJSON: () => new Date(0) } }, 'cannot encode a as JSON: it is a Date'],
  ['NaN inside', { a: { toJSON: () => ({ b: Number.NaN }) } }, 'cannot encode a.b as JSON: NaN is not a JSON number'],
])('refuses an object whose toJSON gives %s', (_what, value, message) => {
  expect(() => encodeJSON(value)).toThrow(message)
})

it('takes an object whose toJSON gives itself, or another that has one, as JSON.stringify does', () => {
  class Itself {
    a = 1
    toJSON(): this {
      return this
    }
  }
  const itself = new Itself()
  for (const value of [itself, { toJSON: () => itself }, [itself, itself]]) {
    expect(encodeJSON(value)).toBe(JSON.stringify(value))
  }
})

it('takes whole numbers beyond 2^53 as they are where it is told to', () => {
  expect(encodeJSON({ a: [2 ** 53, -(2 ** 60)], b: 5n }, { allowRounded: true })).toBe(
    '{"a":[9007199254740992,-1152921504606847000],"b":5}',
  )
})
