import { describe, expect, it } from 'vitest'
import * as u from './unstructured.js'

const make = () => ({
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: {
    replicas: 3,
    ratio: 0.5,
    paused: true,
    args: ['a', 'b'],
    mixed: ['a', 1],
    nothing: null,
    deep: { a: [{ b: 1 }] },
  },
})

describe('reading', () => {
  it('gives a value, or undefined where there is none', () => {
    const obj = make()
    expect(u.nestedString(obj, 'metadata', 'name')).toBe('web')
    expect(u.nestedInt64(obj, 'spec', 'replicas')).toBe(3)
    expect(u.nestedNumberAsFloat64(obj, 'spec', 'ratio')).toBe(0.5)
    expect(u.nestedNumberAsFloat64(obj, 'spec', 'replicas')).toBe(3)
    expect(u.nestedBool(obj, 'spec', 'paused')).toBe(true)
    expect(u.nestedStringSlice(obj, 'spec', 'args')).toEqual(['a', 'b'])
    expect(u.nestedStringMap(obj, 'metadata', 'labels')).toEqual({ app: 'web' })
    expect(u.nestedFieldNoCopy(obj, 'spec', 'nothing')).toBeNull()
    for (const path of [['status'], ['spec', 'none', 'at', 'all'], ['spec', 'nothing', 'below']]) {
      expect(u.nestedString(obj, ...path)).toBeUndefined()
      expect(u.nestedMap(obj, ...path)).toBeUndefined()
      expect(u.nestedSlice(obj, ...path)).toBeUndefined()
      expect(u.nestedFieldCopy(obj, ...path)).toBeUndefined()
    }
  })

  it('says what it found instead', () => {
    const obj = make()
    const messages: [() => unknown, string][] = [
      [
        () => u.nestedString(obj, 'spec', 'replicas'),
        '.spec.replicas accessor error: 3 is of the type int64, expected string',
      ],
      [
        () => u.nestedString(obj, 'spec', 'nothing'),
        '.spec.nothing accessor error: <nil> is of the type <nil>, expected string',
      ],
      [
        () => u.nestedInt64(obj, 'spec', 'ratio'),
        '.spec.ratio accessor error: 0.5 is of the type float64, expected int64',
      ],
      [
        () => u.nestedString(obj, 'spec', 'deep', 'a', 'b'),
        '.spec.deep.a.b accessor error: [map[b:1]] is of the type []interface {}, expected map[string]interface{}',
      ],
      [
        () => u.nestedStringSlice(obj, 'spec', 'mixed'),
        '.spec.mixed accessor error: contains non-string key in the slice: 1 is of the type int64, expected string',
      ],
    ]
    for (const [call, message] of messages) expect(call).toThrow(new TypeError(message))
  })

  it('gives copies that are yours', () => {
    const obj = make()
    u.nestedStringMap(obj, 'metadata', 'labels')!['app'] = 'x'
    ;(u.nestedSlice(obj, 'spec', 'deep', 'a')![0] as { b: number }).b = 2
    ;(u.nestedMap(obj, 'spec', 'deep')!['a'] as unknown[]).push(1)
    ;(u.nestedFieldCopy(obj, 'spec') as { replicas: number }).replicas = 9
    expect(obj).toEqual(make())
  })

  it('takes a bigint, which a client may read, for the integer it is', () => {
    const obj = { big: 2n ** 62n, odd: 2n ** 62n + 1n, over: 2n ** 63n }
    expect(u.nestedInt64(obj, 'big')).toBe(2n ** 62n)
    expect(u.nestedNumberAsFloat64(obj, 'big')).toBe(2 ** 62)
    expect(() => u.nestedInt64(obj, 'over')).toThrow('accessor error: 9223372036854775808 is of the type float64')
    expect(() => u.nestedNumberAsFloat64(obj, 'odd')).toThrow('cannot be losslessly converted to float64')
  })

  it('looks at fields only, not at what all objects inherit', () => {
    expect(u.nestedFieldNoCopy({}, 'constructor', 'name')).toBeUndefined()
    expect(u.nestedFieldNoCopy({}, '__proto__')).toBeUndefined()
    const obj = JSON.parse('{"metadata":{"labels":{"__proto__":"x","constructor":"y"}}}')
    expect(Object.entries(u.nestedStringMap(obj, 'metadata', 'labels') ?? {})).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ])
  })
})

describe('writing', () => {
  it('makes the maps on the way, and copies the value', () => {
    const obj: { a?: unknown } = {}
    const value = { x: [1] }
    u.setNestedField(obj, value, 'a', 'b', 'c')
    value.x.push(2)
    expect(obj).toEqual({ a: { b: { c: { x: [1] } } } })
    u.setNestedField(obj, 'new', 'a', 'b', 'c')
    u.setNestedField(obj, 1, 'a', 'd')
    expect(obj).toEqual({ a: { b: { c: 'new' }, d: 1 } })
  })

  it('says nothing of what a Secret holds', () => {
    const secret = { kind: 'Secret', data: { password: 'aHVudGVyMg==', port: 8080 } }
    for (const read of [
      () => u.nestedInt64(secret, 'data', 'password'),
      () => u.nestedString(secret, 'data'),
      () => u.nestedString(secret, 'data', 'password', 'x'),
      () => u.nestedStringMap(secret, 'data'),
    ]) {
      expect(read).toThrow(/accessor error: .*the value is of the type/)
      expect(read).not.toThrow(/aHVudGVyMg|8080/)
    }
  })

  it('fails without a change', () => {
    const obj = { a: { list: [] } }
    expect(() => u.setNestedField(obj, 1, 'a', 'list', 'x')).toThrow(
      'value cannot be set because .a.list is not a map[string]interface{}',
    )
    expect(() => u.setNestedField(obj, () => 1, 'new', 'f')).toThrow('cannot copy a value that JSON does not have')
    expect(() => u.setNestedField(obj, 1)).toThrow('which field?')
    expect(obj).toEqual({ a: { list: [] } })
  })

  it('removes what is there', () => {
    const obj = { a: { b: 1, c: 2 }, list: [1] }
    u.removeNestedField(obj, 'a', 'b')
    u.removeNestedField(obj, 'a', 'none', 'x')
    u.removeNestedField(obj, 'list', '0')
    expect(obj).toEqual({ a: { c: 2 }, list: [1] })
  })

  it('never touches what all objects inherit', () => {
    const obj = {}
    u.setNestedField(obj, 'yes', '__proto__', 'polluted')
    u.setNestedField(obj, 'yes', 'constructor', 'prototype', 'polluted')
    u.removeNestedField({}, '__proto__', 'toString')
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    expect(JSON.stringify(obj)).toBe('{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}')
    u.removeNestedField(obj, '__proto__', 'polluted')
    expect(JSON.stringify(obj)).toContain('{"__proto__":{},')
    expect({}.toString()).toBe('[object Object]')
  })
})
