import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepDerivative, equalSemantic } from './semantic-equality.js'

const same: [string, unknown, unknown][] = [
  ['absent, undefined, null and an empty list', { a: undefined, b: null, c: [] }, {}],
  ['an empty map and none', { metadata: { labels: {} }, spec: { nodeSelector: {} } }, { metadata: {}, spec: {} }],
  ['empty structs that are always there', { status: {}, spec: { strategy: {} } }, {}],
  ['structs of nothing but empty maps', { containers: [{ resources: { limits: {} } }] }, { containers: [{}] }],
  ['amounts', { limits: { cpu: '1000m', memory: '1Gi' } }, { limits: { cpu: 1, memory: '1024Mi' } }],
  ['single amounts', { emptyDir: { sizeLimit: '1Gi' } }, { emptyDir: { sizeLimit: '1024Mi' } }],
  ['times', { startTime: '2026-01-02T03:04:05Z' }, { startTime: '2026-01-02T04:04:05+01:00' }],
  ['fractions of times', { renewTime: '2026-01-02T03:04:05.000000Z' }, { renewTime: '2026-01-02T03:04:05Z' }],
  ['keys in any order', { a: 1, b: 2 }, { b: 2, a: 1 }],
  ['bigints and numbers', { a: 5n, b: 2n ** 60n }, { a: 5, b: 2n ** 60n }],
]

const different: [string, unknown, unknown][] = [
  ['what means something though it is empty', { volumes: [{ emptyDir: {} }] }, { volumes: [{}] }],
  ['who may come in', { from: [{ podSelector: {}, namespaceSelector: {} }] }, { from: [{ podSelector: {} }] }],
  ['an empty rule and none', { ingress: [{}] }, { ingress: [] }],
  ['labels that look like amounts', { labels: { limits: '1.0' } }, { labels: { limits: '1' } }],
  ['data that looks like amounts', { data: { requests: '1000m' } }, { data: { requests: '1' } }],
  ['an amount of what has no amount', { env: [{ value: '1.0' }] }, { env: [{ value: '1' }] }],
  ['text that is no amount', { limits: { cpu: 'x' } }, { limits: { cpu: 'y' } }],
  ['text that is no time', { startTime: 'x' }, { startTime: 'y' }],
  ['0, false and empty text from none', { a: 0 }, {}],
  ['false from none', { a: false }, {}],
  ['empty text from none', { storageClassName: '' }, {}],
  ['a number and its text', { port: 80 }, { port: '80' }],
  ['a large integer and its neighbour', { a: 2n ** 53n + 1n }, { a: 2 ** 53 }],
  ['lists and objects', { a: [1] }, { a: { 0: 1 } }],
  ['lists in another order', { a: [1, 2] }, { a: [2, 1] }],
  ['a key named __proto__', JSON.parse('{"__proto__":{"a":1}}'), {}],
  ['inherited names', { constructor: 'x' }, {}],
]

describe('equalSemantic', () => {
  it.each(same)('%s are the same', (_, a, b) => {
    expect([equalSemantic(a, b), equalSemantic(b, a)]).toEqual([true, true])
  })

  it.each(different)('%s differ', (_, a, b) => {
    expect([equalSemantic(a, b), equalSemantic(b, a)]).toEqual([false, false])
  })

  it('any value is the same as its copy', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => equalSemantic(value, structuredClone(value))),
      { seed: 1 },
    )
  })

  it('whichever comes first', () => {
    const value = fc.jsonValue({ maxDepth: 2 })
    fc.assert(
      fc.property(value, value, (a, b) => equalSemantic(a, b) === equalSemantic(b, a)),
      { seed: 1 },
    )
  })
})

describe('deepDerivative', () => {
  const live = {
    metadata: { name: 'web', labels: { app: 'web', extra: '1' }, uid: '1' },
    spec: {
      replicas: 2,
      paused: false,
      containers: [{ name: 'a', resources: { limits: { cpu: '1' } } }, { name: 'b' }],
    },
  }

  it.each<[string, object]>([
    ['nothing', {}],
    ['what is empty', { metadata: { labels: {}, finalizers: [] }, spec: null, status: {} }],
    ['some of the labels', { metadata: { labels: { app: 'web' } } }],
    ['the first of the list', { spec: { containers: [{ name: 'a' }] } }],
    ['the same amount', { spec: { containers: [{ resources: { limits: { cpu: '1000m' } } }] } }],
    ['empty text', { metadata: { name: '' } }],
    ['a field without content', { metadata: {}, spec: { containers: [{}] } }],
  ])('%s is had', (_, wanted) => {
    expect(deepDerivative(wanted, live)).toBe(true)
  })

  it.each<[string, object]>([
    ['another label', { metadata: { labels: { app: 'api' } } }],
    ['one label more', { metadata: { labels: { new: '' } } }],
    ['a longer list', { spec: { containers: [{}, {}, {}] } }],
    ['another number', { spec: { replicas: 0 } }],
    ['another truth', { spec: { paused: true } }],
    ['an object that is not there', { spec: { affinity: {} } }],
    ['another kind of value', { spec: { containers: { name: 'a' } } }],
  ])('%s is not', (_, wanted) => {
    expect(deepDerivative(wanted, live)).toBe(false)
  })
})

describe.each([
  ['equalSemantic', equalSemantic],
  ['deepDerivative', deepDerivative],
])('%s', (_, compare) => {
  const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}1${']'.repeat(depth)}`) as unknown

  it('takes what is as deep as objects may be, and refuses what is deeper', () => {
    expect(compare(nested(1000), nested(1000))).toBe(true)
    const message = 'cannot compare values that are nested more than 1000 deep, or contain themselves'
    expect(() => compare(nested(100_000), nested(100_000))).toThrow(new TypeError(message))
  })

  it('refuses what contains itself', () => {
    const circle = () => {
      const made: { self?: unknown } = {}
      made.self = made
      return made
    }
    expect(() => compare(circle(), circle())).toThrow('or contain themselves')
  })
})
