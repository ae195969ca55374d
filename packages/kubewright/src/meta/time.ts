// Time and MicroTime: RFC 3339 as the API reads and writes it.

import type { MicroTime, Time } from '../gen/scalars.js'
import { goTimeQuote, utf8Bytes } from './go-quote.js'

/** A moment: a Date, milliseconds since 1970 (to the nearest microsecond), or nanoseconds since 1970 as a bigint. */
export type Instant = Date | number | bigint

/**
 * Milliseconds since 1970 of a {@link Time}: `2026-01-02T03:04:05Z`. Fractions of a second and offsets such as `+01:00`
 * are understood.
 *
 * @throws Error in Go's words when the text is no such time.
 */
export function parseTime(text: Time): number {
  return toMilliseconds(parseTimeNanoseconds(text))
}

/** As {@link parseTime}, exactly. */
export function parseTimeNanoseconds(text: Time): bigint {
  return new TimeReader(text, { micro: false }).read()
}

/**
 * Milliseconds since 1970 of a {@link MicroTime}: `2026-01-02T03:04:05.000006Z`. Microseconds are the fraction.
 *
 * @throws Error in Go's words when the text is no such time, or has not exactly six digits after the second.
 */
export function parseMicroTime(text: MicroTime): number {
  return toMilliseconds(parseMicroTimeNanoseconds(text))
}

/** As {@link parseMicroTime}, exactly. */
export function parseMicroTimeNanoseconds(text: MicroTime): bigint {
  return new TimeReader(text, { micro: true }).read()
}

/**
 * A moment as {@link Time}, in UTC and whole seconds: `2026-01-02T03:04:05Z`. Fractions are cut off.
 *
 * @throws RangeError outside the years 0 to 9999.
 */
export function formatTime(at: Instant): Time {
  return `${civil(floorDivide(sinceEpoch(at), nanosecondsInSecond))}Z`
}

/**
 * A moment as {@link MicroTime}, in UTC with exactly six digits after the second, without which the server refuses it:
 * `2026-01-02T03:04:05.000006Z`. Finer fractions are cut off.
 *
 * @throws RangeError outside the years 0 to 9999.
 */
export function formatMicroTime(at: Instant): MicroTime {
  const nanoseconds = sinceEpoch(at)
  const seconds = floorDivide(nanoseconds, nanosecondsInSecond)
  const micros = (nanoseconds - seconds * nanosecondsInSecond) / 1000n
  return `${civil(seconds)}.${micros.toString().padStart(6, '0')}Z`
}

const nanosecondsInSecond = 1_000_000_000n

function sinceEpoch(at: Instant): bigint {
  if (typeof at === 'bigint') return at
  const ms = typeof at === 'number' ? at : at.getTime()
  if (!Number.isFinite(ms)) throw new RangeError(`no moment in time: ${String(at)}`)
  const whole = Math.floor(ms)
  return (BigInt(whole) * 1000n + BigInt(Math.round((ms - whole) * 1000))) * 1000n
}

function toMilliseconds(nanoseconds: bigint): number {
  const whole = floorDivide(nanoseconds, 1_000_000n)
  return Number(whole) + Number(nanoseconds - whole * 1_000_000n) / 1e6
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b
  return a % b < 0n ? quotient - 1n : quotient
}

function civil(seconds: bigint): string {
  const date = new Date(Number(seconds) * 1000)
  const year = date.getUTCFullYear()
  if (!(year >= 0 && year <= 9999)) throw new RangeError('a time of the API lies in the years 0 to 9999')
  return date.toISOString().slice(0, 19)
}

const timeLayout = '2006-01-02T15:04:05Z07:00'
const microTimeLayout = '2006-01-02T15:04:05.000000Z07:00'

/** Reads from the front to the back, as Go's time.Parse does, so that the messages are the same. */
class TimeReader {
  readonly #text: string
  readonly #layout: string
  #rest: string

  constructor(text: string, { micro }: { micro: boolean }) {
    this.#text = utf8Bytes(text)
    this.#layout = micro ? microTimeLayout : timeLayout
    this.#rest = this.#text
  }

  read(): bigint {
    const year = this.#take('2006', /^\d{4}/)
    this.#skip('-')
    const month = this.#take('01', /^\d\d/)
    if (month < 1 || month > 12) throw this.#outOfRange('month')
    this.#skip('-')
    const day = this.#take('02', /^\d\d/)
    this.#skip('T')
    const hour = this.#take('15', /^\d\d?/)
    if (hour > 23) throw this.#outOfRange('hour')
    this.#skip(':')
    const minute = this.#take('04', /^\d\d/)
    if (minute > 59) throw this.#outOfRange('minute')
    this.#skip(':')
    const second = this.#take('05', /^\d\d/)
    if (second > 59) throw this.#outOfRange('second')
    const fraction = this.#layout === microTimeLayout ? this.#microseconds() : this.#anyFraction()
    const offset = this.#offset()
    if (this.#rest !== '') throw this.#problem(`: extra text: ${goTimeQuote(this.#rest)}`)
    const date = new Date(0)
    date.setUTCFullYear(year, month - 1, day)
    if (date.getUTCDate() !== day) throw this.#outOfRange('day')
    const seconds = date.getTime() / 1000 + hour * 3600 + minute * 60 + second - offset
    return BigInt(seconds) * nanosecondsInSecond + fraction
  }

  #take(element: string, pattern: RegExp): number {
    const found = pattern.exec(this.#rest)?.[0]
    if (found === undefined) throw this.#cannotParse(element)
    this.#rest = this.#rest.slice(found.length)
    return Number(found)
  }

  #skip(separator: string): void {
    if (!this.#rest.startsWith(separator)) throw this.#cannotParse(separator)
    this.#rest = this.#rest.slice(1)
  }

  #anyFraction(): bigint {
    const digits = /^[.,](\d+)/.exec(this.#rest)?.[1]
    if (digits === undefined) return 0n
    this.#rest = this.#rest.slice(1 + digits.length)
    return BigInt(digits.slice(0, 9).padEnd(9, '0'))
  }

  #microseconds(): bigint {
    const element = '.000000'
    // Go reads a signed number here.
    const digits = /^[.,]([+-]?\d*)$/.exec(this.#rest.slice(0, element.length))?.[1]
    if (digits?.length !== 6) throw this.#cannotParse(element)
    this.#rest = this.#rest.slice(element.length)
    const micros = Number(digits)
    if (micros < 0) throw this.#outOfRange('fractional second')
    return BigInt(micros) * 1000n
  }

  #offset(): number {
    if (this.#rest.startsWith('Z')) {
      this.#rest = this.#rest.slice(1)
      return 0
    }
    const element = 'Z07:00'
    const [all, sign, hour = '', minute = ''] = /^([^])([^]{2}):([^]{2})/.exec(this.#rest) ?? []
    if (all === undefined) throw this.#cannotParse(element)
    const digits = /^\d\d$/
    const hours = digits.test(hour) ? Number(hour) : undefined
    const minutes = hours !== undefined && digits.test(minute) ? Number(minute) : undefined
    if ((minutes ?? 0) > 60) throw this.#outOfRange('time zone offset minute')
    if ((hours ?? 0) > 24) throw this.#outOfRange('time zone offset hour')
    if (hours === undefined || minutes === undefined || (sign !== '+' && sign !== '-')) throw this.#cannotParse(element)
    this.#rest = this.#rest.slice(all.length)
    return (sign === '-' ? -1 : 1) * (hours * 60 + minutes) * 60
  }

  #cannotParse(element: string): Error {
    const layout = `${goTimeQuote(this.#text)} as ${goTimeQuote(this.#layout)}`
    return new Error(`parsing time ${layout}: cannot parse ${goTimeQuote(this.#rest)} as ${goTimeQuote(element)}`)
  }

  #outOfRange(what: string): Error {
    return this.#problem(`: ${what} out of range`)
  }

  #problem(message: string): Error {
    return new Error(`parsing time ${goTimeQuote(this.#text)}${message}`)
  }
}
