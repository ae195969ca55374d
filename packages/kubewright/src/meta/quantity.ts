// Amounts of resources: exact numbers that remember how they were written.

import {
  binarySuffixes,
  decimalSuffixes,
  divideUp,
  nano,
  parseQuantityText,
  powerOfTen,
  type QuantityFormat,
  type QuantityParts,
} from './quantity-parse.js'

/** Options of {@link newQuantity}. */
export interface NewQuantityOptions {
  /** The number is value × 10^exponent: `{ exponent: -3 }` for thousandths. @defaultValue 0 */
  exponent?: number | undefined
  /** @defaultValue `DecimalSI` */
  format?: QuantityFormat | undefined
}

/**
 * An amount, such as `500m` or `1Gi`: apimachinery's resource.Quantity. Immutable; made by {@link parseQuantity} and
 * {@link newQuantity}.
 *
 * **Guarantees**: exact, whatever the size. `toString` gives the text that the API server gives for the same amount,
 * and so does `JSON.stringify`.
 *
 * **Caveats**: `==` compares identities; use {@link Quantity.equals} and {@link Quantity.cmp}. As in apimachinery, a
 * text that is short enough is kept where it is nearly canonical (`+5` and `1.500` stay as they are). Beyond 1000E and
 * 1024Ei, where apimachinery writes a number without its suffix, the amount is written right. Amounts of more than 10 000
 * digits can be compared and written, and throw a RangeError where they would have to be computed with.
 */
export class Quantity {
  readonly #unscaled: bigint
  readonly #exponent: number
  #text: string | undefined
  /** How the amount is written. */
  readonly format: QuantityFormat

  /** @internal */
  constructor({ unscaled, exponent, format, text }: QuantityParts) {
    this.#unscaled = unscaled
    this.#exponent = exponent
    this.#text = text
    this.format = format
  }

  /** The sum, in this one's format, or in the other's if this one is zero. */
  add(other: Quantity): Quantity {
    const [a, b, exponent] = this.#aligned(other)
    return new Quantity({ unscaled: a + b, exponent, format: this.isZero ? other.format : this.format })
  }

  /** The difference, in this one's format, or in the other's if this one is zero. */
  sub(other: Quantity): Quantity {
    const [a, b, exponent] = this.#aligned(other)
    return new Quantity({ unscaled: a - b, exponent, format: this.isZero ? other.format : this.format })
  }

  /** The negative of it. */
  neg(): Quantity {
    return new Quantity({ unscaled: -this.#unscaled, exponent: this.#exponent, format: this.format })
  }

  /**
   * The product with a whole number.
   *
   * @throws RangeError when it is none
   */
  mul(factor: bigint | number): Quantity {
    return new Quantity({ unscaled: this.#unscaled * BigInt(factor), exponent: this.#exponent, format: this.format })
  }

  /** The amount in whole units of 10^scale, rounded away from zero: `roundUp(0)` of `1500m` is `2`. */
  roundUp(scale: number): Quantity {
    if (this.#exponent >= scale) return this
    return new Quantity({ unscaled: this.scaledValue(scale), exponent: scale, format: this.format })
  }

  /** -1, 0 or 1: less than, equal to, greater than the other. */
  cmp(other: Quantity): -1 | 0 | 1 {
    if (this.sign !== other.sign) return this.sign < other.sign ? -1 : 1
    if (this.isZero) return 0
    // The number of digits decides most, and keeps far exponents from being written out.
    const digits = magnitudeOf(this.#unscaled, this.#exponent) - magnitudeOf(other.#unscaled, other.#exponent)
    if (digits !== 0) return digits < 0 === this.sign > 0 ? -1 : 1
    const [a, b] = this.#aligned(other)
    return a < b ? -1 : a > b ? 1 : 0
  }

  /** Whether both are the same amount, however they are written. */
  equals(other: Quantity): boolean {
    return this.cmp(other) === 0
  }

  /** -1, 0 or 1. */
  get sign(): -1 | 0 | 1 {
    return this.#unscaled < 0n ? -1 : this.#unscaled > 0n ? 1 : 0
  }

  get isZero(): boolean {
    return this.#unscaled === 0n
  }

  /** The amount as a whole number, rounded away from zero. */
  value(): bigint {
    return this.scaledValue(0)
  }

  /** The amount in thousandths, rounded away from zero. */
  milliValue(): bigint {
    return this.scaledValue(-3)
  }

  /** The amount in units of 10^scale, rounded away from zero. */
  scaledValue(scale: number): bigint {
    if (this.isZero) return 0n
    const shift = this.#exponent - scale
    return shift < 0 ? divideUp(this.#unscaled, -shift) : this.#unscaled * powerOfTen(shift)
  }

  /** The amount as an integer of the API: undefined when it is no whole number, or one of more than 64 bits. */
  asInt64(): bigint | undefined {
    if (this.isZero) return 0n
    // Far exponents are not written out.
    if (magnitudeOf(this.#unscaled, this.#exponent) > 19) return undefined
    const value = this.value()
    const isExact = newQuantity(value).equals(this)
    return isExact && BigInt.asIntN(64, value) === value ? value : undefined
  }

  /** The nearest number of JavaScript; may be infinite. For display and arithmetic that need not be exact. */
  toNumber(): number {
    return Number(`${this.#unscaled}e${this.#exponent}`)
  }

  /** The canonical text: no fraction, the greatest suffix that loses nothing. */
  toString(): string {
    this.#text ??= canonical(this.#unscaled, this.#exponent, this.format)
    return this.#text
  }

  /** As {@link Quantity.toString}. */
  toJSON(): string {
    return this.toString()
  }

  /** Both numbers, and the exponent they then share. */
  #aligned(other: Quantity): readonly [bigint, bigint, number] {
    // Zero takes the other's exponent: its own may be far away.
    if (this.isZero) return [0n, other.#unscaled, other.#exponent]
    if (other.isZero) return [this.#unscaled, 0n, this.#exponent]
    const exponent = Math.min(this.#exponent, other.#exponent)
    const shift = (q: Quantity): bigint => q.#unscaled * powerOfTen(q.#exponent - exponent)
    return [shift(this), shift(other), exponent]
  }
}

/**
 * Reads a quantity: `500m`, `1.5Gi`, `12e6`. A number is read as its text. What is finer than 10^-9 is rounded away
 * from zero; powers of 1024 are capped at 2^63-1.
 *
 * @throws QuantityError when the text is no quantity.
 */
export function parseQuantity(text: string | number): Quantity {
  return new Quantity(parseQuantityText(String(text)))
}

/**
 * Makes a quantity of a whole number: `newQuantity(1024n ** 3n, { format: 'BinarySI' })` is `1Gi`,
 * `newQuantity(1500, { exponent: -3 })` is `1500m`.
 *
 * @throws RangeError when the value is no whole number.
 */
export function newQuantity(
  value: bigint | number,
  { exponent = 0, format = 'DecimalSI' }: NewQuantityOptions = {},
): Quantity {
  return new Quantity({ unscaled: BigInt(value), exponent, format })
}

/** The power of ten above the number. */
function magnitudeOf(unscaled: bigint, exponent: number): number {
  return digitsOf(unscaled).length + exponent
}

function digitsOf(unscaled: bigint): string {
  return (unscaled < 0n ? -unscaled : unscaled).toString()
}

function canonical(unscaled: bigint, exponent: number, format: QuantityFormat): string {
  if (unscaled === 0n) return '0'
  if (format === 'BinarySI') return binary(unscaled, exponent) ?? decimal(unscaled, exponent, 'DecimalSI')
  return decimal(unscaled, exponent, format)
}

/** Undefined where powers of 1024 would say less: for small amounts and for fractions. */
function binary(unscaled: bigint, exponent: number): string | undefined {
  let whole = exponent >= 0 ? unscaled * powerOfTen(exponent) : unscaled / powerOfTen(-exponent)
  if (exponent < 0 && whole * powerOfTen(-exponent) !== unscaled) return undefined
  if (whole > -1024n && whole < 1024n) return undefined
  let suffix = 0
  for (; whole % 1024n === 0n && suffix < binarySuffixes.length - 1; suffix++) whole /= 1024n
  return `${whole}${binarySuffixes[suffix]}`
}

function decimal(unscaled: bigint, exponent: number, format: 'DecimalSI' | 'DecimalExponent'): string {
  let digits = digitsOf(unscaled)
  let end = digits.length
  while (digits[end - 1] === '0') end--
  let power = exponent + digits.length - end
  digits = digits.slice(0, end)
  const greatest = nano + 3 * (decimalSuffixes.length - 1)
  const known = format === 'DecimalSI' && power >= nano
  const target = known ? Math.min(power - mod3(power), greatest) : power - mod3(power)
  digits += '0'.repeat(power - target)
  power = target
  const suffix = known ? decimalSuffixes[(power - nano) / 3] : power === 0 ? '' : `e${power}`
  return `${unscaled < 0n ? '-' : ''}${digits}${suffix}`
}

function mod3(power: number): number {
  return ((power % 3) + 3) % 3
}
