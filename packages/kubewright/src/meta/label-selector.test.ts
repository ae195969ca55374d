import { describe, expect, it } from 'vitest'
import { labelSelectorAsSelector, parseToLabelSelector } from './label-selector.js'

describe('labelSelectorAsSelector', () => {
  it('matches nothing when absent, everything when empty', () => {
    expect(labelSelectorAsSelector(undefined).matches({ a: 'b' })).toBe(false)
    expect(labelSelectorAsSelector({}).matches({ a: 'b' })).toBe(true)
  })

  it('asks for all labels and expressions', () => {
    const selector = labelSelectorAsSelector({
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['b', 'a'] },
        { key: 'env', operator: 'NotIn', values: ['test'] },
        { key: 'x', operator: 'Exists' },
        { key: 'y', operator: 'DoesNotExist', values: [] },
      ],
    })
    expect(selector.toString()).toBe('app=web,env notin (test),tier in (a,b),x,!y')
    expect(selector.matches({ app: 'web', tier: 'a', x: '' })).toBe(true)
    expect(selector.matches({ app: 'web', tier: 'c', x: '' })).toBe(false)
  })

  it.each([
    [{ key: 'a', operator: 'Gt', values: ['1'] }, '"Gt" is not a valid label selector operator'],
    [{ key: 'a', operator: 'toString' }, '"toString" is not a valid label selector operator'],
    [
      { key: 'a', operator: 'In' },
      "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
    ],
    [
      { key: 'a', operator: 'Exists', values: ['<'] },
      'values: Invalid value: ["\\u003c"]: values set must be empty for exists and does not exist',
    ],
  ])('refuses %j', (expression, message) => {
    expect(() => labelSelectorAsSelector({ matchExpressions: [expression] })).toThrow(message)
  })
})

describe('parseToLabelSelector', () => {
  it('reads what a LabelSelector can say', () => {
    expect(parseToLabelSelector('app=web,tier in (a,b),!x')).toEqual({
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['a', 'b'] },
        { key: 'x', operator: 'DoesNotExist', values: [] },
      ],
    })
  })

  it.each([
    ['a>1', '"gt" isn\'t supported in label selectors'],
    ['a!=b', '"!=" is not a valid label selector operator'],
    ['a b', 'couldn\'t parse the selector string "a b": '],
  ])('refuses %j', (text, message) => {
    expect(() => parseToLabelSelector(text)).toThrow(message)
  })
})
