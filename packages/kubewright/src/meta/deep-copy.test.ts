import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepCopy } from './deep-copy.js'

describe('deepCopy', () => {
  it('is equal to what it copies, and shares nothing with it', () => {
    const shared = (a: unknown, b: unknown): boolean =>
      typeof a === 'object' &&
      a !== null &&
      (a === b || Object.keys(a).some((key) => shared((a as never)[key], (b as never)[key])))
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = deepCopy(value as object)
        expect(copy).toEqual(value)
        expect(shared(value, copy)).toBe(false)
      }),
      { seed: 1 },
    )
  })

  it('keeps a key named __proto__ a key, and the prototype what it was', () => {
    const copy = deepCopy<object>(JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":1}}') as object)
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
    expect((copy as { polluted?: unknown }).polluted).toBeUndefined()
    expect(Object.keys(copy)).toEqual(['__proto__', 'constructor'])
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"polluted":true},"constructor":{"prototype":1}}')
  })

  it('keeps a bigint, as large integers are read where that was asked for', () => {
    expect(deepCopy<object>({ spec: { sizes: [2n ** 60n] } })).toEqual({ spec: { sizes: [2n ** 60n] } })
  })

  it('thaws what is frozen', () => {
    const copy = deepCopy<{ a: { b: number[] } }>(Object.freeze({ a: Object.freeze({ b: Object.freeze([1]) }) }))
    copy.a.b.push(2)
    expect(copy).toEqual({ a: { b: [1, 2] } })
  })

  it.each([
    ['a Date', { at: new Date(0) }, 'Date'],
    ['a function', { f: () => 1 }, 'function'],
    ['a Map', new Map(), 'Map'],
  ])('refuses %s', (_name, value, named) => {
    expect(() => deepCopy<object>(value)).toThrow(named)
  })

  it('refuses what is nested without end', () => {
    const circle: Record<string, unknown> = {}
    circle.self = [circle]
    let deep: object = {}
    for (let i = 0; i < 100_000; i++) deep = { deep }
    for (const value of [circle, deep]) {
      expect(() => deepCopy(value)).toThrow(
        'cannot copy a value that is nested more than 1000 deep, or contains itself',
      )
    }
  })
})
