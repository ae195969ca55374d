import { describe, expect, it } from 'vitest'
import { FieldSet } from './field-set.js'
import { anyElement, excludeFields, includeFields } from './filter.js'
import { formatPath, keyElement, makePath, parseElement, serializeElement, valueElement } from './path-element.js'

const image = makePath('spec', 'template', 'spec', 'containers', { name: 'nginx' }, 'image')

describe('paths', () => {
  it('print as the API server does', () => {
    expect(formatPath(image)).toBe('.spec.template.spec.containers[name="nginx"].image')
    expect(formatPath(makePath('ports', { protocol: 'TCP', containerPort: 80 }))).toBe(
      '.ports[containerPort=80,protocol="TCP"]',
    )
    expect(formatPath(makePath('finalizers', valueElement('a"b')))).toBe('.finalizers[="a\\"b"]')
    expect(formatPath(makePath('args', 2))).toBe('.args[2]')
  })

  it('are written with elements too', () => {
    expect(makePath('a', keyElement({ value: 1 }), { value: 2 })).toEqual([
      { fieldName: 'a' },
      { key: [{ name: 'value', value: 1 }] },
      { value: 2 },
    ])
    expect(() => makePath({})).toThrow('at least one key')
  })

  it('are read and written as in FieldsV1', () => {
    for (const text of ['f:a:b', 'k:{"a":1,"b":"x"}', 'v:"\\u003ca\\u003e"', 'v:true', 'i:3'])
      expect(serializeElement(parseElement(text) ?? { index: -1 })).toBe(text)
    expect(serializeElement(parseElement('k:{"b":1,"a":2}') ?? { index: -1 })).toBe('k:{"a":2,"b":1}')
    expect(parseElement('z:later')).toBeUndefined()
    expect(() => parseElement('nothing')).toThrow('missing colon: nothing')
  })
})

describe('FieldSet', () => {
  it('writes FieldsV1 in order, with a dot for what is itself a member', () => {
    const set = FieldSet.of(image, makePath('spec', 'template', 'spec', 'containers', { name: 'nginx' }), makePath('a'))
    expect(JSON.stringify(set.toFieldsV1())).toBe(
      '{"f:a":{},"f:spec":{"f:template":{"f:spec":{"f:containers":{"k:{\\"name\\":\\"nginx\\"}":{".":{},"f:image":{}}}}}}}',
    )
    expect(FieldSet.fromFieldsV1(set.toFieldsV1()).equals(set)).toBe(true)
  })

  it('knows the paths themselves, not what is above or below them', () => {
    const set = FieldSet.of(makePath('spec', 'replicas'))
    expect(set.has(makePath('spec', 'replicas'))).toBe(true)
    expect(set.has(makePath('spec'))).toBe(false)
    expect(set.has(makePath('spec', 'replicas', 'x'))).toBe(false)
    expect(set.has([])).toBe(false)
    expect(set.size).toBe(1)
    expect(FieldSet.of([]).empty).toBe(true)
  })

  it('names the paths of a level before those below them', () => {
    const set = FieldSet.of(makePath('a', 'x'), makePath('b'))
    expect(String(set)).toBe('.b\n.a.x')
  })

  it('does not change when a set that was made of it does', () => {
    const first = FieldSet.of(makePath('spec', 'a'))
    const both = first.union(FieldSet.of(makePath('metadata', 'b')))
    both.insert(makePath('spec', 'c'))
    const below = first.withPrefix({ fieldName: 'spec' })
    below.insert(makePath('d'))
    first.copy().insert(makePath('spec', 'e'))
    expect(String(first)).toBe('.spec.a')
    expect(String(both)).toBe('.metadata.b\n.spec.a\n.spec.c')
    first.insert(makePath('spec', 'f'))
    expect(String(below)).toBe('.a\n.d')
    expect(String(both)).toBe('.metadata.b\n.spec.a\n.spec.c')
  })

  it('takes away paths, or all below them', () => {
    const set = FieldSet.of(makePath('a'), makePath('a', 'b'), makePath('a', 'b', 'c'))
    const other = FieldSet.of(makePath('a', 'b'))
    expect(String(set.difference(other))).toBe('.a\n.a.b.c')
    expect(String(set.recursiveDifference(other))).toBe('.a')
    expect(String(set.intersection(other))).toBe('.a.b')
    expect(String(set.leaves())).toBe('.a.b.c')
  })

  it('takes names like any other that mean something to JavaScript', () => {
    const fields = JSON.parse('{"f:metadata":{"f:labels":{"f:__proto__":{},"f:constructor":{},"f:toString":{}}}}')
    const set = FieldSet.fromFieldsV1(fields)
    expect(set.has(makePath('metadata', 'labels', '__proto__'))).toBe(true)
    expect(set.size).toBe(3)
    expect(FieldSet.of().has(makePath('constructor'))).toBe(false)
    expect(set.toFieldsV1()).toEqual(fields)
  })

  it('refuses what is no FieldsV1', () => {
    expect(() => FieldSet.fromFieldsV1({ 'f:a': 5 } as never)).toThrow(
      'FieldsV1 has a value of the type int64 where an object should be',
    )
    let deep: object = {}
    for (let i = 0; i < 5000; i++) deep = { 'f:a': deep }
    expect(() => FieldSet.fromFieldsV1(deep as never)).toThrow('nested deeper than 1000 levels')
  })

  it('keeps ten thousand items without effort', () => {
    const all = FieldSet.of()
    for (let i = 9_999; i >= 0; i--) all.insert(makePath('items', { name: `n${i}` }, 'x'))
    const half = FieldSet.of()
    for (let i = 0; i < 5000; i++) half.insert(makePath('items', { name: `n${i}` }, 'x'))
    expect(all.difference(half).size).toBe(5000)
    expect(all.union(half).equals(all)).toBe(true)
    expect(Object.keys(all.toFieldsV1()['f:items'] as object)[0]).toBe('k:{"name":"n0"}')
  })
})

describe('filters', () => {
  const set = FieldSet.of(
    makePath('spec', 'containers', { name: 'a' }, 'resources', 'limits'),
    makePath('spec', 'containers', { name: 'a' }, 'image'),
    makePath('spec', 'containers', { name: 'a' }),
    makePath('status', 'phase'),
  )

  it('leave out what is below fields', () => {
    expect(String(excludeFields(FieldSet.of(makePath('spec')))(set))).toBe('.status.phase')
  })

  it('keep what matches patterns, and what leads there', () => {
    const filter = includeFields(['spec', 'containers', anyElement, 'resources'], ['status'])
    expect(String(filter(set))).toBe(
      '.spec.containers[name="a"]\n.spec.containers[name="a"].resources.limits\n.status.phase',
    )
  })
})
