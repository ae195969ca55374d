import fc from 'fast-check'
import { newQuantity, parseQuantity, type Quantity } from 'kubewright/meta'
import { expect, it } from 'vitest'
import { mostlyValid, runs } from './arbitraries.js'
import { type Ask, answerOf, describeWithOracle } from './describe-with-oracle.js'

interface GoQuantity {
  string: string
  format: string
  unscaled: string
  exponent: number
}

interface GoParsed {
  quantity: GoQuantity
  negated: GoQuantity
  sign: number
  isZero: boolean
  value: string
  milliValue: string
  float: string
}

interface GoScaled {
  product: GoQuantity
  rounded: GoQuantity
  scaled: string
  asInt64: string
  isInt64: boolean
}

// A number in its shortest form, so that 1000 and 1 × 10^3 are the same.
function shortest(unscaled: bigint, exponent: number): string {
  if (unscaled === 0n) return '0'
  const [, digits = '', zeros = ''] = /^(.*?)(0*)$/.exec(unscaled.toString()) ?? []
  return `${digits}e${exponent + zeros.length}`
}

const amountOfGo = (q: GoQuantity): string => shortest(BigInt(q.unscaled), q.exponent)
const amountOfOurs = (q: Quantity): string => {
  const scale = -12
  return shortest(q.scaledValue(scale), scale)
}

/** Where Go writes an amount without its suffix, because there is none so great. Ours stops at the greatest one. */
function isBeyondSuffixes(q: Quantity): boolean {
  if (q.isZero || q.format === 'DecimalExponent') return false
  const step = q.format === 'DecimalSI' ? 10n ** 21n : 1024n ** 7n
  return newQuantity(q.value()).equals(q) && q.value() % step === 0n
}

function expectSame(ours: Quantity, go: GoQuantity): void {
  expect(amountOfOurs(ours)).toBe(amountOfGo(go))
  expect(ours.format).toBe(go.format)
  if (isBeyondSuffixes(ours)) expect(ours.toString()).toMatch(/^-?\d+(E|Ei)$/)
  else expect(ours.toString()).toBe(go.string)
}

const min = -(2n ** 63n)
const max = 2n ** 63n - 1n
const fits = (n: bigint): boolean => n >= min && n <= max

/** Go overflows beyond 64 bits, and rounds some negative fractions towards zero. */
function expectWhole(ours: bigint, go: string, q: Quantity, scale: number): void {
  const exact = newQuantity(ours, { exponent: scale }).equals(q)
  if (fits(ours) && fits(q.scaledValue(-9)) && (exact || q.sign > 0)) expect(ours).toBe(BigInt(go))
}

async function expectAgreement(oracle: Ask, text: string): Promise<void> {
  const go = await oracle.ask<GoParsed>('quantity.parse', { text })
  const ours = answerOf(() => parseQuantity(text))
  if ('error' in go || 'error' in ours) {
    expect(ours).toEqual(go)
    return
  }
  const { result: q } = ours
  expectSame(q, go.result.quantity)
  expectSame(q.neg(), go.result.negated)
  expect(q.sign).toBe(go.result.sign)
  expect(q.isZero).toBe(go.result.isZero)
  expectWhole(q.value(), go.result.value, q, 0)
  expectWhole(q.milliValue(), go.result.milliValue, q, -3)
  const float = Number(go.result.float)
  // Go multiplies with infinity where the power of ten is too great.
  if (Number.isFinite(float)) expect(Math.abs(q.toNumber() - float)).toBeLessThanOrEqual(Math.abs(float) * 1e-15)
}

const suffix = fc.oneof(
  fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'),
  fc.tuple(fc.constantFrom('e', 'E'), fc.integer({ min: -15, max: 24 })).map(([e, power]) => `${e}${power}`),
)
const digits = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...'0000123456789'), maxLength })
const number = fc.oneof(
  fc.tuple(digits(21), fc.constantFrom('', '.'), digits(12)).map((parts) => parts.join('')),
  fc.bigInt({ min: 0n, max: 2n ** 64n }).map(String),
)
const valid = fc.tuple(fc.constantFrom('', '', '+', '-'), number, suffix).map((parts) => parts.join(''))
const alphabet = '0123456789.+-eEinumkKMGTP x'

const table = [
  ...['0', '1', '-1', '+5', '1.5Gi', '1.5M', '1.5k', '966367641600m', '129e6', '-1Ki', '12E', '1.500', '-0005', '00'],
  ...['', '+', '-', '.', '5.', '.5', 'm', 'Ki', 'Ei', '.Ei', '.e-10', 'e5', '1e', '1E', '1e+5', '1E-3', '1m5', '1-5'],
  ...['1.1.1', '1ki', '1K', '1KI', ' 1', '1 ', '1,5', '0x10', 'abc', '1mm', '1ee5', '1e5x', '1e-9', '1e-10', '0.1n'],
  ...['-0.1n', '0.0000000001', '0.5Ki', '0.0001Ki', '1023', '1024Ki', '1000Ki', '0.9999Mi', '1000000m', '1000k'],
  ...['9223372036854775807', '9223372036854775808', '-9223372036854775808', '8Ei', '-8Ei', '100Ei', '7Ei', '1000E'],
  ...['999999999999999999', '1000000000000000000', '999999999999999999.5', '123456789012345678901234567890'],
  ...[
    '1e4294967296',
    '1e4294967299',
    '1e9223372036854775808',
    '1e999',
    '1e18',
    '1e19',
    '1e20',
    '1e-3',
    '1.25e1',
    '100e-2',
  ],
]

/** Go does not come back from powers of ten with very many digits. */
const isOfMeasurableSize = (text: string): boolean => !/[eE][+-]?\d{4}/.test(text)

describeWithOracle('resource.Quantity', (oracle) => {
  it.each(table)('reads %j', (text) => expectAgreement(oracle, text))

  it('reads any text as Go does', async () => {
    await fc.assert(
      fc.asyncProperty(mostlyValid(valid, alphabet).filter(isOfMeasurableSize), (text) =>
        expectAgreement(oracle, text),
      ),
      runs(5000),
    )
  })

  it('multiplies, rounds up and becomes an integer as Go does', async () => {
    const factor = fc.oneof(fc.integer({ min: -1000, max: 1000 }).map(BigInt), fc.bigInt({ min, max }))
    const quantity = fc.oneof(valid, fc.bigInt({ min, max }).map(String))
    await fc.assert(
      fc.asyncProperty(quantity, fc.integer({ min: -9, max: 18 }), factor, async (text, scale, factor) => {
        const go = await oracle.ask<GoScaled>('quantity.scale', { text, scale, factor: String(factor) })
        const ours = answerOf(() => parseQuantity(text))
        if ('error' in go || 'error' in ours) {
          expect(ours).toEqual(go)
          return
        }
        const { result: q } = ours
        expectSame(q.mul(factor), go.result.product)
        const rounded = q.roundUp(scale)
        // Of what Go keeps in 64 bits, it rounds some negative fractions towards zero.
        if (q.sign >= 0 || rounded.equals(q)) {
          expectSame(rounded, go.result.rounded)
          expectWhole(q.scaledValue(scale), go.result.scaled, q, scale)
        }
        // Go has none where the amount is not kept in 64 bits, though it may fit them.
        if (go.result.isInt64) expect(q.asInt64()).toBe(BigInt(go.result.asInt64))
        else if (q.asInt64() !== undefined) expect(newQuantity(q.asInt64() as bigint).equals(q)).toBe(true)
      }),
      runs(3000),
    )
  })

  it('adds, subtracts and compares as Go does', async () => {
    const pair = fc.oneof(
      fc.tuple(valid, valid),
      fc.tuple(digits(3), suffix, suffix).map(([n, a, b]) => [n + a, n + b]),
    )
    await fc.assert(
      fc.asyncProperty(pair, async ([a = '', b = '']) => {
        const go = await oracle.ask<{ sum: GoQuantity; difference: GoQuantity; cmp: number; equal: boolean }>(
          'quantity.pair',
          { a, b },
        )
        if ('error' in go) {
          expect(() => [parseQuantity(a), parseQuantity(b)]).toThrow(go.error)
          return
        }
        const [ours, other] = [parseQuantity(a), parseQuantity(b)]
        expectSame(ours.add(other), go.result.sum)
        expectSame(ours.sub(other), go.result.difference)
        expect(ours.cmp(other)).toBe(go.result.cmp)
        expect(ours.equals(other)).toBe(go.result.equal)
      }),
      runs(3000),
    )
  })
})
