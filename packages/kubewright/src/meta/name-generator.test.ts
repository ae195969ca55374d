import { expect, it } from 'vitest'
import { newSimpleNameGenerator, safeEncodeString, simpleNameGenerator } from './name-generator.js'

it('appends five letters or digits, none of them a vowel', () => {
  for (let i = 0; i < 100; i++) {
    expect(simpleNameGenerator.generateName('web-')).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
  }
  expect(simpleNameGenerator.generateName('a')).not.toBe(simpleNameGenerator.generateName('a'))
})

it('cuts off what would be too long', () => {
  expect(simpleNameGenerator.generateName('x'.repeat(100))).toMatch(/^x{58}.{5}$/)
})

it('takes random numbers of one’s own', () => {
  let i = 0
  const generator = newSimpleNameGenerator({ random: () => [0, 0.5, 0.999999][i++ % 3] ?? 0 })
  expect([generator.generateName('a-'), generator.generateName('a-')]).toEqual(['a-br9br', 'a-9br9b'])
})

it('encodes text in the same characters', () => {
  expect(safeEncodeString('5d8f7')).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{5}$/)
})
