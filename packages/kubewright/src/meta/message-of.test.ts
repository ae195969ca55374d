import { expect, it } from 'vitest'
import { messageOf } from './index.js'

it.each([
  [new TypeError('broken'), 'broken'],
  ['broken', 'broken'],
  [undefined, 'undefined'],
  [{ a: 1 }, '[object Object]'],
])('of %s', (thrown, message) => {
  expect(messageOf(thrown)).toBe(message)
})
