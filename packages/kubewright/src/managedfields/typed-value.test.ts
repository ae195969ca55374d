import { describe, expect, it } from 'vitest'
import { PodSpecSchema, SecretSchema } from '../gen/schema/core/v1.js'
import type { Schema, StructSchema } from '../meta/index.js'
import { FieldSet } from './field-set.js'
import { makePath } from './path-element.js'
import { reconcileFieldSetWithSchema } from './reconcile-schema.js'
import { SchemaError } from './schema-error.js'
import { fieldSetOf, TypedValue } from './typed-value.js'

const string: Schema = { type: 'string' }
const item: StructSchema = {
  type: 'struct',
  fields: { name: { schema: string }, port: { schema: { type: 'integer' } }, protocol: { schema: string } },
}
const schema: StructSchema = {
  type: 'struct',
  fields: {
    text: { schema: string },
    labels: { schema: { type: 'map', values: string } },
    atomic: { schema: { type: 'list', items: string, listType: 'atomic' } },
    set: { schema: { type: 'list', items: string, listType: 'set' } },
    items: { schema: { type: 'list', items: item, listType: 'map', keys: ['name'] } },
    ports: {
      schema: {
        type: 'list',
        items: item,
        listType: 'map',
        keys: ['port', 'protocol'],
        keyDefaults: { protocol: 'TCP' },
      },
    },
    any: { schema: { type: 'untyped' } },
  },
}

const problemsOf = (value: unknown, of: Schema = schema): string => {
  try {
    TypedValue.of(value, of)
    return ''
  } catch (err) {
    expect(err).toBeInstanceOf(SchemaError)
    return (err as Error).message
  }
}

describe('TypedValue.of', () => {
  it('says what is wrong in the words of the API server', () => {
    expect(problemsOf({ text: 5 })).toBe('.text: expected string, got &value.valueUnstructured{Value:5}')
    expect(problemsOf({ undeclared: 1 })).toBe('.undeclared: field not declared in schema')
    expect(problemsOf({ items: [{ name: 'a' }, { name: 'a' }] })).toBe('.items: duplicate entries for key [name="a"]')
    expect(problemsOf({ items: [{ port: 1 }] })).toBe(
      '.items: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
    )
    expect(problemsOf({ items: [null] })).toBe(
      '.items: element 0: associative list with keys may not have a null element',
    )
    expect(problemsOf({ text: true, labels: [] })).toBe(
      'errors:\n  .text: expected string, got &value.valueUnstructured{Value:true}\n  .labels: expected map, got &{[]}',
    )
    expect(problemsOf({ constructor: 1 })).toBe('.constructor: field not declared in schema')
  })

  it('shows nothing of data, which may be secret', () => {
    expect(problemsOf({ data: { password: 1234 }, type: 5 }, SecretSchema)).toBe(
      [
        'errors:',
        '  .data.password: expected string, got &value.valueUnstructured{Value:…}',
        '  .type: expected string, got &value.valueUnstructured{Value:5}',
      ].join('\n'),
    )
    expect(problemsOf({ stringData: ['s3cret'] }, SecretSchema)).toBe('.stringData: expected map, got &{…}')
    expect(problemsOf(['s3cret'], SecretSchema)).toBe('expected map, got &{…}')
  })

  it('takes null, undefined and, where asked to, duplicates', () => {
    expect(problemsOf({ text: null, labels: undefined, undeclared: undefined })).toBe('')
    const typed = TypedValue.of({ set: ['a', 'a', 'b'] }, schema, { allowDuplicates: true })
    expect(String(typed.toFieldSet())).toBe('.set[="a"]\n.set[="b"]')
  })

  it('refuses what refers to itself', () => {
    const any: Record<string, unknown> = {}
    any.again = any
    expect(() => TypedValue.of({ any }, schema)).toThrow('does it refer to itself?')
  })
})

describe('fields that a schema does not name', () => {
  it('are taken where it says so, and merge', () => {
    const open: StructSchema = { ...item, additional: { type: 'untyped' } }
    const lhs = TypedValue.of({ name: 'a', more: { x: 1 } }, open)
    const merged = lhs.merge(TypedValue.of({ more: { y: [1] } }, open))
    expect(merged.value).toEqual({ name: 'a', more: { x: 1, y: [1] } })
    expect(String(merged.toFieldSet())).toBe('.more\n.name\n.more.x\n.more.y')
  })
})

describe('fieldSetOf', () => {
  it('has leaves, items, keys of maps, and what is empty', () => {
    const value = { labels: { a: 'b' }, atomic: ['x'], items: [{ name: 'a', port: 1 }], any: {}, set: [] }
    expect(String(fieldSetOf(value, schema)).split('\n')).toEqual([
      '.any',
      '.atomic',
      '.items[name="a"]',
      '.items[name="a"].name',
      '.items[name="a"].port',
      '.labels.a',
    ])
  })

  it('finds items by default values of their keys', () => {
    expect(String(fieldSetOf({ ports: [{ port: 80 }] }, schema))).toContain('.ports[port=80,protocol="TCP"]')
  })
})

describe('merging', () => {
  const merged = (lhs: unknown, rhs: unknown): unknown =>
    TypedValue.of(lhs, schema).merge(TypedValue.of(rhs, schema)).value

  it('takes leaves of the right, and removes nothing', () => {
    expect(merged({ text: 'a', labels: { a: '1', b: '2' } }, { labels: { b: '3' } })).toEqual({
      text: 'a',
      labels: { a: '1', b: '3' },
    })
    expect(merged({ atomic: ['a', 'b'] }, { atomic: ['c'] })).toEqual({ atomic: ['c'] })
  })

  it('keeps the order of the right, with the items of the left between', () => {
    const names = (...list: string[]) => ({ items: list.map((name) => ({ name })) })
    expect(merged(names('a', 'b', 'c', 'd'), names('c', 'a'))).toEqual(names('b', 'c', 'd', 'a'))
  })

  it('keeps names that mean something to JavaScript', () => {
    const labels = JSON.parse('{"__proto__":"x","constructor":"y"}')
    const result = merged({ labels: { a: 'b' } }, { labels }) as { labels: object }
    expect(Object.keys(result.labels)).toEqual(['a', '__proto__', 'constructor'])
    expect(Object.getPrototypeOf(result.labels)).toBe(Object.prototype)
  })

  it('refuses a value of another schema', () => {
    const other = TypedValue.of('a', string)
    expect(() => TypedValue.of({}, schema).merge(other)).toThrow('from the same schema')
  })

  it('merges and compares long lists quickly', () => {
    const list = (from: number) => ({
      items: Array.from({ length: 5000 }, (_, i) => ({ name: `n${i + from}`, port: i })),
    })
    const [lhs, rhs] = [TypedValue.of(list(0), schema), TypedValue.of(list(2500), schema)]
    expect((lhs.merge(rhs).value as { items: unknown[] }).items).toHaveLength(7500)
    expect(lhs.compare(rhs).modified.size).toBe(2500)
  })
})

describe('comparing', () => {
  it('tells what is added, removed and changed', () => {
    const lhs = TypedValue.of({ text: 'a', labels: { a: '1' }, any: { x: 1 } }, schema)
    const rhs = TypedValue.of({ text: 'b', labels: { b: '1' }, any: { x: 1 } }, schema)
    const { added, removed, modified } = lhs.compare(rhs)
    expect([added, removed, modified].map(String)).toEqual(['.labels.b', '.labels.a', '.text'])
  })

  it('takes 1 and 1.0, and objects in any order, for the same', () => {
    const spec = { nodeSelector: { b: '1', a: '2' }, containers: [] }
    const other = { containers: [], nodeSelector: { a: '2', b: '1' } }
    const { added, removed, modified } = TypedValue.of(spec, PodSpecSchema).compare(TypedValue.of(other, PodSpecSchema))
    expect(added.size + removed.size + modified.size).toBe(0)
  })
})

describe('selecting', () => {
  const value = TypedValue.of({ text: 'a', items: [{ name: 'a', port: 1 }, { name: 'b' }] }, schema)

  it('extracts fields, with key fields where asked to', () => {
    const set = FieldSet.of(makePath('items', { name: 'a' }, 'port'))
    expect(value.extractItems(set).value).toEqual({ items: [{ port: 1 }] })
    expect(value.extractItems(set, { appendKeyFields: true }).value).toEqual({ items: [{ name: 'a', port: 1 }] })
  })

  it('removes fields and items', () => {
    expect(value.removeItems(FieldSet.of(makePath('text'), makePath('items', { name: 'a' }))).value).toEqual({
      items: [{ name: 'b' }],
    })
  })
})

describe('reconcileFieldSetWithSchema', () => {
  it('makes parts of what became atomic the whole', () => {
    const set = FieldSet.of(makePath('atomic', valueElement('x')), makePath('text'))
    expect(String(reconcileFieldSetWithSchema(set, schema))).toBe('.atomic\n.text')
    const same = FieldSet.of(makePath('labels', 'a'))
    expect(reconcileFieldSetWithSchema(same, schema)).toBe(same)
  })
})

const valueElement = (value: unknown) => ({ value })
