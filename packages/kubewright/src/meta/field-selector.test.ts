import { describe, expect, it } from 'vitest'
import { escapeFieldValue, fieldSelectorFromSet, parseFieldSelector, unescapeFieldValue } from './field-selector.js'

describe('parseFieldSelector', () => {
  it.each([
    ['', ''],
    ['metadata.name=web', 'metadata.name=web'],
    ['metadata.name==web', 'metadata.name=web'],
    ['status.phase!=Running', 'status.phase!=Running'],
    ['b=1,a=2', 'a=2,b=1'],
    ['a=x\\,y\\=z\\\\', 'a=x\\,y\\=z\\\\'],
    ['a=1,', 'a=1'],
  ])('%j is written %j', (text, canonical) => {
    expect(parseFieldSelector(text).toString()).toBe(canonical)
  })

  it('matches when all conditions are met; what is absent is empty', () => {
    const selector = parseFieldSelector('spec.nodeName=,status.phase!=Failed')
    expect(selector.matches({})).toBe(true)
    expect(selector.matches({ 'spec.nodeName': '', 'status.phase': 'Running' })).toBe(true)
    expect(selector.matches({ 'spec.nodeName': 'n1' })).toBe(false)
    expect(selector.matches({ 'status.phase': 'Failed' })).toBe(false)
    expect(parseFieldSelector('constructor=').matches({})).toBe(true)
  })

  it('tells the one value that a field must have', () => {
    const selector = parseFieldSelector('metadata.name=web,status.phase!=Failed')
    expect(selector.requiresExactMatch('metadata.name')).toBe('web')
    expect(selector.requiresExactMatch('status.phase')).toBeUndefined()
  })

  it('matches everything when it is empty', () => {
    expect(parseFieldSelector('').empty).toBe(true)
    expect(parseFieldSelector('').matches({ a: 'b' })).toBe(true)
    expect(parseFieldSelector('a=b').empty).toBe(false)
  })

  it.each([
    ['a', "invalid selector: 'a'; can't understand 'a'"],
    ['a=b,c', "invalid selector: 'a=b,c'; can't understand 'c'"],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
    ['a=b\\c', 'invalid field selector: invalid escape sequence: \\c'],
    ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
  ])('%j is refused', (text, message) => {
    expect(() => parseFieldSelector(text)).toThrow(new Error(message))
  })
})

describe('fieldSelectorFromSet', () => {
  it('escapes values', () => {
    const selector = fieldSelectorFromSet({ 'metadata.name': 'a,b', other: undefined })
    expect(selector.toString()).toBe('metadata.name=a\\,b')
    expect(parseFieldSelector(selector.toString()).requirements).toEqual(selector.requirements)
  })
})

describe('values', () => {
  it('are the same after escaping and unescaping', () => {
    for (const value of ['', 'a', '\\', ',', '=', '\\\\,=', 'é=']) {
      expect(unescapeFieldValue(escapeFieldValue(value))).toBe(value)
    }
  })
})

it.each([undefined, null, true, ['a=b']])('is read of text only, not %j', (value) => {
  expect(() => parseFieldSelector(value as never)).toThrow(
    new TypeError("a field selector is one text, such as 'spec.nodeName=a'"),
  )
})
