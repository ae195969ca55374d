import { expect, it } from 'vitest'
import { ownMember, setMember } from './members.js'

it.each(['__proto__', 'constructor', 'toString', 'a'])('a member may be named %s', (name) => {
  const object = {}
  expect(ownMember(object, name)).toBeUndefined()
  setMember(object, name, { b: 1 })
  expect(ownMember(object, name)).toEqual({ b: 1 })
  expect(JSON.stringify(object)).toBe(`{"${name}":{"b":1}}`)
  expect('b' in object).toBe(false)
})
