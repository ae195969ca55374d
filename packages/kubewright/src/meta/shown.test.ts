import { expect, it } from 'vitest'
import { shown } from './shown.js'

const circle: { self?: object } = {}
circle.self = circle

it.each([
  ['a "b"', '"a \\"b\\""'],
  [undefined, 'undefined'],
  [9007199254740993n, '9007199254740993'],
  [{ a: [9007199254740993n, null, 1.5] }, '{"a":["9007199254740993",null,1.5]}'],
  [circle, '[object Object]'],
  [Object.create(null, { toJSON: { value: () => BigInt.asIntN(8, 1n) } }), '"1"'],
  [Symbol('s'), 'Symbol(s)'],
])('%o is %s', (value, text) => {
  expect(shown(value)).toBe(text)
})

it('is cut off where it is long', () => {
  expect(shown({ a: 'bcdef' }, 8)).toBe('{"a":"bc')
})
