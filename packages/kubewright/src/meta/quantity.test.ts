import { describe, expect, it } from 'vitest'
import { newQuantity, parseQuantity } from './quantity.js'
import { QuantityError } from './quantity-parse.js'

describe('parseQuantity', () => {
  it.each([
    ['0', '0', 'DecimalSI'],
    ['0Gi', '0', 'BinarySI'],
    ['1.5Gi', '1536Mi', 'BinarySI'],
    ['1.5M', '1500k', 'DecimalSI'],
    ['1.5k', '1500', 'DecimalSI'],
    ['966367641600m', '966367641600m', 'DecimalSI'],
    ['129e6', '129e6', 'DecimalExponent'],
    ['-1Ki', '-1Ki', 'BinarySI'],
    ['12E', '12E', 'DecimalSI'],
    ['1E3', '1E3', 'DecimalExponent'],
    ['1000m', '1', 'DecimalSI'],
    ['1024Ki', '1Mi', 'BinarySI'],
    ['1000Ki', '1000Ki', 'BinarySI'],
    ['0.5', '500m', 'DecimalSI'],
    ['0.5Ki', '512', 'BinarySI'],
    ['0.0001Ki', '102400u', 'DecimalSI'],
    ['1.1Ki', '1126400m', 'BinarySI'],
    ['1e2', '100', 'DecimalExponent'],
    ['0.0000000001', '1n', 'DecimalSI'],
    ['-0.0000000001', '-1n', 'DecimalSI'],
    ['8Ei', '9223372036854775807', 'BinarySI'],
    ['-100Ei', '-9223372036854775807', 'BinarySI'],
    ['1000E', '1000E', 'DecimalSI'],
    ['123456789012345678901234567890', '123456789012345678901234567890', 'DecimalSI'],
  ])('%s is written %s', (text, canonical, format) => {
    const quantity = parseQuantity(text)
    expect(quantity.toString()).toBe(canonical)
    expect(quantity.format).toBe(format)
    expect(JSON.stringify({ quantity })).toBe(`{"quantity":"${canonical}"}`)
  })

  it('reads numbers as the API does', () => {
    expect(parseQuantity(1.5).toString()).toBe('1500m')
    expect(parseQuantity(1e-7).toString()).toBe('100e-9')
  })

  it.each([
    ['', 'quantities must match'],
    ['abc', 'quantities must match'],
    ['1 Gi', 'quantities must match'],
    ['1,5', 'quantities must match'],
    ['1gi', 'quantities must match'],
    ['1K', "unable to parse quantity's suffix"],
    ['1mm', "unable to parse quantity's suffix"],
    ['1e', "unable to parse quantity's suffix"],
    ['1e9223372036854775808', "unable to parse quantity's suffix"],
    ['Ei', 'unable to parse numeric part of quantity'],
  ])('%j is refused', (text, message) => {
    expect(() => parseQuantity(text)).toThrow(QuantityError)
    expect(() => parseQuantity(text)).toThrow(message)
  })

  it('says what was refused', () => {
    expect(() => parseQuantity('1K')).toThrow(expect.objectContaining({ name: 'QuantityError', text: '1K' }))
  })
})

describe('newQuantity', () => {
  it.each([
    [newQuantity(1024n ** 3n, { format: 'BinarySI' }), '1Gi'],
    [newQuantity(1500, { exponent: -3 }), '1500m'],
    [newQuantity(5_000_000, { format: 'DecimalExponent' }), '5e6'],
    [newQuantity(5, { exponent: -12 }), '5e-12'],
    [newQuantity(1024n ** 7n, { format: 'BinarySI' }), '1024Ei'],
    [newQuantity(-1023, { format: 'BinarySI' }), '-1023'],
  ])('%#: is written %s', (quantity, text) => {
    expect(quantity.toString()).toBe(text)
  })

  it('refuses fractions', () => {
    expect(() => newQuantity(1.5)).toThrow(RangeError)
  })
})

describe('Quantity', () => {
  it('adds and subtracts exactly, and keeps its format', () => {
    expect(parseQuantity('1Gi').add(parseQuantity('512Mi')).toString()).toBe('1536Mi')
    expect(parseQuantity('1').sub(parseQuantity('1m')).toString()).toBe('999m')
    expect(parseQuantity('0.1').add(parseQuantity('0.2')).equals(parseQuantity('0.3'))).toBe(true)
    expect(parseQuantity('1k').add(parseQuantity('1Ki')).toString()).toBe('2024')
    expect(parseQuantity('9223372036854775807').add(parseQuantity('1')).toString()).toBe('9223372036854775808')
  })

  it('takes the format of the other when it is zero', () => {
    expect(parseQuantity('0').add(parseQuantity('1Gi')).format).toBe('BinarySI')
    expect(parseQuantity('0').sub(parseQuantity('1Gi')).toString()).toBe('-1Gi')
  })

  it('leaves its operands as they are', () => {
    const quantity = parseQuantity('1Gi')
    expect(quantity.neg().toString()).toBe('-1Gi')
    expect(quantity.toString()).toBe('1Gi')
  })

  it.each([
    ['1Gi', '1G', 1],
    ['1000m', '1', 0],
    ['1e3', '1k', 0],
    ['-1', '1m', -1],
    ['-2', '-1', -1],
    ['-10', '-9', -1],
    ['0', '0Gi', 0],
    ['1e999999999', '1', 1],
    ['-1e999999999', '1', -1],
    ['9.999999999', '10', -1],
  ])('%s compared with %s is %d', (a, b, expected) => {
    expect(parseQuantity(a).cmp(parseQuantity(b))).toBe(expected)
    expect(parseQuantity(b).cmp(parseQuantity(a))).toBe(expected === 0 ? 0 : -expected)
    expect(parseQuantity(a).equals(parseQuantity(b))).toBe(expected === 0)
  })

  it.each([
    ['1.5', 2n, 1500n],
    ['-1.5', -2n, -1500n],
    ['1n', 1n, 1n],
    ['1Ki', 1024n, 1_024_000n],
    ['100E', 100n * 10n ** 18n, 100n * 10n ** 21n],
    ['0', 0n, 0n],
  ])('%s is %d whole, %d thousandths', (text, value, milliValue) => {
    expect(parseQuantity(text).value()).toBe(value)
    expect(parseQuantity(text).milliValue()).toBe(milliValue)
  })

  it.each([
    ['1.5Gi', 3, '4608Mi', 'BinarySI'],
    ['-250m', 4n, '-1', 'DecimalSI'],
    ['1E3', 0, '0', 'DecimalExponent'],
    ['9223372036854775807', 2, '18446744073709551614', 'DecimalSI'],
  ])('%s times %d is %s', (text, factor, product, format) => {
    const result = parseQuantity(text).mul(factor)
    expect([result.toString(), result.format]).toEqual([product, format])
  })

  it('is multiplied by whole numbers only', () => {
    expect(() => parseQuantity('1').mul(1.5)).toThrow(RangeError)
  })

  it.each([
    ['1500m', 0, '2'],
    ['-1500m', 0, '-2'],
    ['1', -3, '1'],
    ['1234567', 3, '1235k'],
    ['1n', -3, '1m'],
    ['0', 5, '0'],
    ['1.500', -3, '1.500'],
  ])('%s rounded up to 10^%d is %s', (text, scale, rounded) => {
    expect(parseQuantity(text).roundUp(scale).toString()).toBe(rounded)
  })

  it.each([
    ['1Gi', 2n ** 30n],
    ['1000m', 1n],
    ['-5k', -5000n],
    ['0', 0n],
    ['0e999999999', 0n],
    ['9223372036854775807', 2n ** 63n - 1n],
    ['-9223372036854775808', -(2n ** 63n)],
    ['9223372036854775808', undefined],
    ['1500m', undefined],
    ['1e999999999', undefined],
  ])('%s as an integer of 64 bits: %s', (text, value) => {
    expect(parseQuantity(text).asInt64()).toBe(value)
  })

  it('tells sign and zero, and is approximated by a number', () => {
    expect(['-1m', '0', '1n'].map((text) => parseQuantity(text).sign)).toEqual([-1, 0, 1])
    expect(parseQuantity('0Ki').isZero).toBe(true)
    expect(parseQuantity('1.5Gi').toNumber()).toBe(1.5 * 1024 ** 3)
    expect(parseQuantity('100m').toNumber()).toBe(0.1)
    expect(parseQuantity('1e400').toNumber()).toBe(Number.POSITIVE_INFINITY)
  })

  it('refuses to fill the memory', () => {
    const huge = parseQuantity('1e999999999')
    expect(() => huge.value()).toThrow(/too great/)
    expect(() => huge.add(parseQuantity('1'))).toThrow(RangeError)
    expect(huge.toString()).toBe('1e999999999')
    expect(parseQuantity('1e-999999999').toString()).toBe('1e-9')
  })
})
