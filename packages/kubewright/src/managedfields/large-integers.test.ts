// Integers beyond 2^53, which a Config's `losslessIntegers` reads as bigint.

import { expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import { goType, goValue, type Schema, type Unstructured } from '../meta/index.js'
import { jsonValue } from './go-json.js'
import { extract, FieldManager, FieldSet, formatPath } from './index.js'
import { parseElement, serializeElement } from './path-element.js'
import { equalValues, goSyntax, valueText } from './values.js'

const large = 9007199254740993n
const integer: Schema = { type: 'integer' }
const part: Schema = { type: 'struct', fields: { id: { schema: integer }, n: { schema: integer } } }
const schema: Schema = {
  type: 'struct',
  fields: {
    apiVersion: { schema: { type: 'string' } },
    kind: { schema: { type: 'string' } },
    metadata: { schema: { type: 'untyped' } },
    size: { schema: integer },
    ids: { schema: { type: 'list', items: integer, listType: 'set' } },
    parts: { schema: { type: 'list', items: part, listType: 'map', keys: ['id'] } },
  },
}
const manager = new FieldManager({ apiVersion: 'v1', kind: 'Thing', schema, clock: new FakeClock() })
const thing = (fields: object) => ({ apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a' }, ...fields })

it('are applied, owned and dropped like others', () => {
  const fields = {
    size: large,
    ids: [large, large + 2n],
    parts: [
      { id: large, n: 1 },
      { id: large + 2n, n: large },
    ],
  }
  const first = manager.apply<Unstructured>(undefined, thing(fields), 'one')
  expect(first).toMatchObject(fields)
  const owned = FieldSet.fromFieldsV1(first.metadata.managedFields?.[0]?.fieldsV1 ?? {})
  expect([...owned].map(formatPath)).toContain('.parts[id=9007199254740995].n')
  const less = manager.apply(first, thing({ ids: [large + 2n], parts: [{ id: large, n: 1 }] }), 'one')
  expect(less).toMatchObject({ ids: [large + 2n], parts: [{ id: large, n: 1 }] })
  expect(less).not.toHaveProperty('size')
})

it('are extracted, and refused of an object that was read without them', () => {
  const fields = { ids: [large, 5], parts: [{ id: large, n: 1 }] }
  const live = manager.apply<Unstructured>(undefined, thing(fields), 'one')
  expect(extract(live, 'one', schema)).toEqual(thing(fields))
  const rounded = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? Number(part) : part)))
  expect(() => extract(rounded(live) as Unstructured, 'one', schema)).toThrow(
    "cannot extract .ids[=9007199254740993]: the object's integers",
  )
  const other = manager.apply<Unstructured>(undefined, thing({ size: large, parts: [{ id: 1, n: 1 }] }), 'one')
  expect(extract(rounded(other) as Unstructured, 'one', schema)).toMatchObject({ parts: [{ id: 1, n: 1 }] })
})

it('are a conflict where they differ in their last digit', () => {
  const live = manager.apply(undefined, thing({ size: large }), 'one')
  expect(manager.apply(live, thing({ size: large }), 'two')).toMatchObject({ size: large })
  expect(() => manager.apply(live, thing({ size: large + 1n }), 'two')).toThrow('conflict with "one"')
})

it('are read and written in paths, digit by digit', () => {
  for (const text of ['v:9007199254740993', 'k:{"id":-9007199254740993}']) {
    const element = parseElement(text)
    expect(element && serializeElement(element)).toBe(text)
  }
})

it('are numbers in texts', () => {
  expect([valueText(large), goValue([large]), goSyntax(large), goType(large), jsonValue({ a: large })]).toEqual([
    '9007199254740993',
    '[9007199254740993]',
    '9007199254740993',
    'int64',
    '{"a":9007199254740993}',
  ])
})

it.each([
  [large, large, true],
  [large, large + 1n, false],
  [5n, 5, true],
  [5, 5n, true],
  // What a client without the option has read of it.
  [large, 9007199254740992, true],
  [5n, '5', false],
  ['5', 5n, false],
  [5n, null, false],
  [5n, [5n], false],
])('%s and %s are the same: %s', (a, b, same) => {
  expect(equalValues(a, b)).toBe(same)
})
