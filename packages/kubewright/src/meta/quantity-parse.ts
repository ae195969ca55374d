// The grammar of quantities: a decimal number with a suffix for its power of ten or of 1024.

import { parseInteger } from './integer.js'

/** How a quantity is written: `12e6`, `12Mi` or `12M`. */
export type QuantityFormat = 'DecimalExponent' | 'BinarySI' | 'DecimalSI'

/** A number, unscaled × 10^exponent, and how to write it. */
export interface QuantityParts {
  readonly unscaled: bigint
  readonly exponent: number
  readonly format: QuantityFormat
  /** The text it was read from, where that counts as canonical. */
  readonly text?: string | undefined
}

/** Text that is no quantity. The message is apimachinery's, with the text. */
export class QuantityError extends Error {
  override readonly name: string = 'QuantityError'
  /** The text that was to be read. */
  readonly text: string

  constructor(text: string, problem: string) {
    super(problem)
    this.text = text
  }
}

/** Powers of ten, in steps of three; the first is 10^-9. */
export const decimalSuffixes: readonly string[] = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']
/** Powers of 1024. */
export const binarySuffixes: readonly string[] = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

/** Nothing smaller than this power of ten is kept. */
export const nano = -9

const wrongFormat = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
const shape = /^([+-]?)(0*)([0-9]*)(\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/
const maxBinary = 2n ** 63n - 1n
/** What Go computes in 64 bits; only numbers this short keep their text. */
const fastDigits = 18
const fastBinaryDigits = 15
const maxExponent = 10_000

/** @throws QuantityError */
export function parseQuantityText(text: string): QuantityParts {
  const match = text === '' ? null : shape.exec(text)
  if (!match) throw new QuantityError(text, wrongFormat)
  const [, sign = '', zeros = '', significant = '', , fraction = '', suffixText = ''] = match
  const suffix = interpretSuffix(suffixText)
  if (!suffix) throw new QuantityError(text, "unable to parse quantity's suffix")

  const digits = (significant || '0') + fraction
  const { base, power, format } = suffix
  const exponent = base === 2 ? -fraction.length : (power - fraction.length) | 0
  const room = base === 2 ? binaryRoom(significant || '0', fraction, power) : fastDigits - digits.length
  const fast = room >= 0 && exponent >= nano
  if (!fast && zeros + significant + fraction === '') {
    throw new QuantityError(text, 'unable to parse numeric part of quantity')
  }
  const magnitude = base === 2 ? BigInt(digits) << BigInt(power) : BigInt(digits)
  const negative = sign === '-'
  if (fast) {
    const canonical = base === 2 ? (BigInt(digits) & 7n) !== 0n : isCanonicalDecimal(digits, exponent)
    const unscaled = negative ? -magnitude : magnitude
    return { unscaled, exponent, format, text: canonical ? text : undefined }
  }
  return bounded(magnitude, exponent, format, negative)
}

/** Rounds away from zero to what can be kept, and caps what is written in powers of 1024. */
function bounded(magnitude: bigint, exponent: number, format: QuantityFormat, negative: boolean): QuantityParts {
  let unscaled = magnitude
  let scale = exponent
  if (scale < nano) {
    unscaled = divideUp(unscaled, nano - scale)
    scale = nano
  }
  let written = format
  if (format === 'BinarySI') {
    const one = powerOfTen(-scale)
    if (unscaled > maxBinary * one) {
      unscaled = maxBinary
      scale = 0
    } else if (unscaled > 0n && unscaled < one) {
      written = 'DecimalSI'
    }
  }
  return { unscaled: negative ? -unscaled : unscaled, exponent: scale, format: written }
}

/** @throws RangeError where the number would fill the memory: `1e999999999` is a quantity. */
export function powerOfTen(exponent: number): bigint {
  if (exponent > maxExponent)
    throw new RangeError(`a quantity of the order of 1e${exponent} is too great to compute with`)
  return 10n ** BigInt(exponent)
}

/** A number without its last digits, rounded away from zero. */
export function divideUp(unscaled: bigint, digits: number): bigint {
  if (unscaled === 0n) return 0n
  const negative = unscaled < 0n
  const magnitude = negative ? -unscaled : unscaled
  // The power of ten is not made where it is certain to be the greater: exponents may be large.
  const short = magnitude.toString().length <= digits
  const divisor = short ? 1n : powerOfTen(digits)
  const rounded = short ? 1n : (magnitude + divisor - 1n) / divisor
  return negative ? -rounded : rounded
}

function binaryRoom(significant: string, fraction: string, power: number): number {
  if (fraction !== '') return -1
  return fastBinaryDigits - significant.length - Math.trunc((power * 3) / 10) - 1
}

function isCanonicalDecimal(digits: string, exponent: number): boolean {
  return exponent % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0')
}

interface Suffix {
  readonly base: 2 | 10
  readonly power: number
  readonly format: QuantityFormat
}

function interpretSuffix(text: string): Suffix | undefined {
  const decimal = decimalSuffixes.indexOf(text)
  if (decimal >= 0) return { base: 10, power: nano + 3 * decimal, format: 'DecimalSI' }
  const binary = binarySuffixes.indexOf(text)
  if (binary >= 0) return { base: 2, power: 10 * binary, format: 'BinarySI' }
  const power = /^[eE]/.test(text) ? parseInteger(text.slice(1), 64) : undefined
  if (power === undefined) return undefined
  return { base: 10, power: Number(BigInt.asIntN(32, power)), format: 'DecimalExponent' }
}
