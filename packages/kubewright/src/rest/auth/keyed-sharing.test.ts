// One object a key, for as long as somebody has it.

import { expect, it } from 'vitest'
import { SharedByKey } from './keyed-sharing.js'

it('gives one object to all who come with the same parts', () => {
  const shared = new SharedByKey<object>()
  const first = shared.getOrCreate(['a', ['b']], () => ({}))
  expect(shared.getOrCreate(['a', ['b']], () => ({}))).toBe(first)
  expect(shared.getOrCreate(['a', 'b'], () => ({}))).not.toBe(first)
  expect(shared.getOrCreate(['a,b'], () => ({}))).not.toBe(first)
})

it('knows an object by another key too, once told', () => {
  const shared = new SharedByKey<object>()
  const first = shared.getOrCreate(['a'], () => ({}))
  shared.set(['b'], first)
  expect(shared.getOrCreate(['b'], () => ({}))).toBe(first)
  expect(shared.getOrCreate(['a'], () => ({}))).toBe(first)
})

it('creates nothing where creating fails', () => {
  const shared = new SharedByKey<object>()
  expect(() =>
    shared.getOrCreate(['a'], () => {
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(shared.getOrCreate(['a'], () => ({ made: true }))).toEqual({ made: true })
})
