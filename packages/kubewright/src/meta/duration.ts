// Go's durations: `1h30m`, `1.5s`, `300ms`. The API writes them in metav1.Duration, and flags and kubeconfigs take them.

import { goTimeQuote, utf8Bytes } from './go-quote.js'

const nanosecondsIn: ReadonlyMap<string, bigint> = new Map(
  [
    ['ns', 1n],
    ['us', 1_000n],
    ['\u00b5s', 1_000n],
    ['\u03bcs', 1_000n],
    ['ms', 1_000_000n],
    ['s', 1_000_000_000n],
    ['m', 60_000_000_000n],
    ['h', 3_600_000_000_000n],
  ].map(([unit, ns]) => [utf8Bytes(unit as string), ns as bigint]),
)

const max = 2n ** 63n
const part = /([0-9]*)(\.([0-9]*))?([^.0-9]*)/y

/**
 * Milliseconds of a Go duration: `1m30s` → 90000. Fractions of a millisecond are kept as far as a number goes.
 *
 * @throws Error in Go's words when the text is no duration, or longer than 292 years.
 */
export function parseDuration(text: string): number {
  return Number(parseDurationNanoseconds(text)) / 1e6
}

/** As {@link parseDuration}, exactly. */
export function parseDurationNanoseconds(text: string): bigint {
  const bytes = utf8Bytes(text)
  const fail = (problem = 'invalid duration'): Error => new Error(`time: ${problem} ${goTimeQuote(bytes)}`)
  const negative = bytes.startsWith('-')
  const rest = negative || bytes.startsWith('+') ? bytes.slice(1) : bytes
  if (rest === '0') return 0n
  if (rest === '') throw fail()
  let sum = 0n
  for (let at = 0; at < rest.length; ) {
    part.lastIndex = at
    const [all = '', whole = '', , fraction = '', unit = ''] = part.exec(rest) ?? []
    if (whole === '' && fraction === '') throw fail()
    // Go gives up on the number before it looks at the unit.
    if (BigInt(whole || '0') > max) throw fail()
    if (unit === '') throw fail('missing unit in duration')
    const size = nanosecondsIn.get(unit)
    if (size === undefined) throw fail(`unknown unit ${goTimeQuote(unit)} in duration`)
    sum += BigInt(whole || '0') * size + fractionOf(fraction, size)
    if (sum > max) throw fail()
    at += all.length
  }
  if (!negative && sum === max) throw fail()
  return negative ? -sum : sum
}

/** Go's arithmetic: as many digits as fit 63 bits, then floating point. */
function fractionOf(fraction: string, size: bigint): bigint {
  let digits = 0n
  let scale = 1
  for (const c of fraction) {
    if (digits > (max - 1n) / 10n) break
    const next = digits * 10n + BigInt(c)
    if (next > max) break
    digits = next
    scale *= 10
  }
  return BigInt(Math.trunc(Number(digits) * (Number(size) / scale)))
}

/**
 * The Go duration of milliseconds, or of nanoseconds given as a bigint: `90_000` → `1m30s`, `1500` → `1.5s`,
 * `0.25` → `250µs`. A number is taken to the nearest nanosecond.
 *
 * @throws RangeError when the number is not finite.
 */
export function formatDuration(duration: number | bigint): string {
  const ns = typeof duration === 'bigint' ? duration : nanosecondsOf(duration)
  const sign = ns < 0n ? '-' : ''
  const size = ns < 0n ? -ns : ns
  if (size === 0n) return '0s'
  if (size < 1_000n) return `${sign}${size}ns`
  if (size < 1_000_000n) return `${sign}${decimal(size, 3)}µs`
  if (size < 1_000_000_000n) return `${sign}${decimal(size, 6)}ms`
  const minutes = size / 60_000_000_000n
  const seconds = `${decimal(size % 60_000_000_000n, 9)}s`
  if (minutes === 0n) return `${sign}${seconds}`
  const hours = minutes / 60n
  return `${sign}${hours > 0n ? `${hours}h` : ''}${minutes % 60n}m${seconds}`
}

/** Nanoseconds of milliseconds, to the nearest. Whole milliseconds are exact however many. */
function nanosecondsOf(ms: number): bigint {
  const whole = Math.trunc(ms)
  return BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1e6))
}

function decimal(value: bigint, digits: number): string {
  const text = value.toString().padStart(digits + 1, '0')
  const fraction = text.slice(-digits).replace(/0+$/, '')
  return fraction === '' ? text.slice(0, -digits) : `${text.slice(0, -digits)}.${fraction}`
}
