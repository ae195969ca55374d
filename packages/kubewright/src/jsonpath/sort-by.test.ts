import { expect, it } from 'vitest'
import { sortBy } from './index.js'

const sorted = (values: unknown[], path = 'x'): unknown[] =>
  sortBy(
    values.map((x) => (x === undefined ? {} : { x })),
    path,
  ).map(({ x }) => x)

it.each([
  [
    'numbers',
    [10, 9, -1, 2.5, 3n, 9007199254740993n, 9007199254740992n],
    [-1, 2.5, 3n, 9, 10, 9007199254740992n, 9007199254740993n],
  ],
  ['texts, by their bytes', ['b', 'a', 'B', 'é', '\u{1f642}', '\uffee'], ['B', 'a', 'b', 'é', '\uffee', '\u{1f642}']],
  ['quantities', ['1Gi', '1000Mi', '2', '500m', '1e3'], ['500m', '2', '1e3', '1000Mi', '1Gi']],
  ['numbers in text', ['10', '9', '1'], ['1', '9', '10']],
  [
    'times',
    ['2026-02-01T00:00:00Z', '2025-12-01T00:00:00Z', '2026-01-01T00:00:00Z'],
    ['2025-12-01T00:00:00Z', '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'],
  ],
  ['what is missing first, then what is null', [1, undefined, null, 0, undefined], [undefined, undefined, null, 0, 1]],
  ['what has no order, when there is one alone', [{ a: 1 }], [{ a: 1 }]],
])('sorts %s', (_, values, expected) => {
  expect(sorted(values)).toEqual(expected)
})

it('keeps what is equal in its order, and the array as it was', () => {
  const objects = ['b1', 'a1', 'b2', 'a2', 'b3'].map((name) => ({ name, group: name[0] }))
  const before = [...objects]
  expect(sortBy(objects, '.group').map(({ name }) => name)).toEqual(['a1', 'a2', 'b1', 'b2', 'b3'])
  expect(objects).toEqual(before)
})

it('takes a path as users write it', () => {
  const objects = [{ a: { b: [2] } }, { a: { b: [1] } }]
  for (const path of ['a.b[0]', '.a.b[0]', '{a.b[0]}', '{.a.b[0]}'])
    expect(sortBy(objects, path)).toEqual(objects.toReversed())
})

it.each([
  ['nobody', 'couldn\'t find any field with path "{.nobody}" in the list of objects'],
  ['{.x', "unexpected path string, expected a 'name1.name2'"],
  ['x[', 'unterminated array'],
  ['x[5]', 'string is not array or slice'],
])('fails for the path %s', (path, error) => {
  expect(() => sorted(['a'], path)).toThrow(error)
})

it.each([
  [[true, false], 'cannot sort by {.x}: unsortable type: bool'],
  [[{ a: 1 }, {}], 'cannot sort by {.x}: unsortable type: map[string]interface {}'],
  [['a', []], 'cannot sort by {.x}: unsortable type: []interface {}'],
  [['a', 1], /^cannot sort by \{\.x\}: (string and int64|int64 and string) have no order$/],
])('does not sort %j', (values, error) => {
  expect(() => sorted(values)).toThrow(error)
})

it('has nothing to sort in nothing', () => {
  expect(sortBy([], 'x')).toEqual([])
})
