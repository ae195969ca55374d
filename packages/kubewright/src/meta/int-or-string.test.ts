import { describe, expect, it } from 'vitest'
import { getScaledValueFromIntOrPercent, parseIntOrString } from './int-or-string.js'

describe('parseIntOrString', () => {
  it.each([
    ['8080', 8080],
    ['-1', -1],
    ['+5', 5],
    ['http', 'http'],
    ['50%', '50%'],
    ['', ''],
    ['2147483647', 2147483647],
    ['2147483648', '2147483648'],
  ])('%j is %j', (text, value) => {
    expect(parseIntOrString(text)).toBe(value)
  })
})

describe('getScaledValueFromIntOrPercent', () => {
  it.each([
    [3, 10, false, 3],
    ['25%', 10, false, 2],
    ['25%', 10, true, 3],
    ['0%', 10, true, 0],
    ['100%', 7, false, 7],
    ['-10%', 5, true, 0],
  ])('%j of %d, rounded up: %j, is %d', (value, total, roundUp, expected) => {
    expect(getScaledValueFromIntOrPercent(value, total, { roundUp })).toBe(expected)
  })

  it('rounds down by itself', () => {
    expect(getScaledValueFromIntOrPercent('99%', 10)).toBe(9)
  })

  it.each([
    [undefined, 'nil value for IntOrString'],
    ['5', 'invalid value for IntOrString: invalid type: string is not a percentage'],
    ['x%', 'invalid value for IntOrString: invalid value "x%": strconv.Atoi: parsing "x": invalid syntax'],
    [
      '99999999999999999999%',
      'invalid value for IntOrString: invalid value "99999999999999999999%": ' +
        'strconv.Atoi: parsing "99999999999999999999": value out of range',
    ],
  ])('%j is refused', (value, message) => {
    expect(() => getScaledValueFromIntOrPercent(value, 1)).toThrow(new Error(message))
  })
})
