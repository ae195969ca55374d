// Integers beyond 2^53 out of JSON, as bigint: JSON.parse would round them.

/** The fewest digits of an integer that a number cannot hold. */
const fewestDigits = 16
const minInt64 = -(2n ** 63n)
const maxInt64 = 2n ** 63n - 1n

/**
 * What JSON.parse gives, with integers beyond ±(2^53-1) as bigint. Those beyond 64 bits are numbers: to the API server
 * they are floating-point numbers too.
 *
 * Text without such an integer costs a look at every sixteenth character. In other text, the integers are made strings
 * that no string of the text can be, and turned back after JSON.parse.
 *
 * @throws SyntaxError
 */
export function parseLossless(text: string): unknown {
  const found = mayHoldLargeIntegers(text) ? largeIntegers(text) : []
  if (found.length === 0) return JSON.parse(text)
  let escapedMark = '\\u0001'
  while (text.includes(escapedMark)) escapedMark += escapedMark
  let marked = ''
  let at = 0
  for (const { start, end } of found) {
    marked += `${text.slice(at, start)}"${escapedMark}${text.slice(start, end)}"`
    at = end
  }
  marked += text.slice(at)
  return unmarked(parseMarked(marked, text), '\u0001'.repeat(escapedMark.length / 6))
}

/** The error is that of the text itself: positions in the other one mean nothing. */
function parseMarked(marked: string, text: string): unknown {
  try {
    return JSON.parse(marked)
  } catch {
    return JSON.parse(text)
  }
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Whether a run of digits stands where an integer could, inside of a string perhaps. */
function mayHoldLargeIntegers(text: string): boolean {
  for (let i = fewestDigits - 1; i < text.length; i += fewestDigits) {
    if (!isDigit(text.charCodeAt(i))) continue
    const run = integerAround(text, i)
    if (run.end - run.start >= fewestDigits && isValue(text, run)) return true
    i = Math.max(i, run.end - 1)
  }
  return false
}

/** The integers outside of strings that need a bigint, in order. */
function largeIntegers(text: string): Span[] {
  const found: Span[] = []
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at)
    const end = quote < 0 ? text.length : quote
    for (let i = at; i < end; i++) {
      if (!isDigit(text.charCodeAt(i))) continue
      const run = integerAround(text, i)
      if (run.end - run.start >= fewestDigits && isValue(text, run) && needsBigInt(text, run)) found.push(run)
      i = run.end
    }
    if (quote < 0) break
    at = endOfString(text, quote + 1)
  }
  return found
}

/** The digits around one of them, and the sign before. */
function integerAround(text: string, digit: number): Span {
  let start = digit
  while (isDigit(text.charCodeAt(start - 1))) start--
  let end = digit + 1
  while (isDigit(text.charCodeAt(end))) end++
  return { start: text[start - 1] === '-' ? start - 1 : start, end }
}

/** Whether digits are all of a value, and no key: what is no JSON must not become such. */
function isValue(text: string, { start, end }: Span): boolean {
  let before = start - 1
  while (isSpace(text.charCodeAt(before))) before--
  let after = end
  while (isSpace(text.charCodeAt(after))) after++
  return (
    (before < 0 || ':,['.includes(text[before] as string)) &&
    (after >= text.length || ',]}'.includes(text[after] as string))
  )
}

function needsBigInt(text: string, { start, end }: Span): boolean {
  const digits = text.slice(start, end)
  // As many digits as 64 bits have, and none that JSON does not allow.
  if (!/^-?[1-9][0-9]{15,18}$/.test(digits) || Number.isSafeInteger(Number(digits))) return false
  const value = BigInt(digits)
  return value >= minInt64 && value <= maxInt64
}

/** The offset behind the quote that ends a string. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    let unescaped = end
    while (unescaped > from && text[unescaped - 1] === '\\') unescaped--
    if ((end - unescaped) % 2 === 0) return end + 1
  }
  return text.length
}

/** The value with its marked strings as bigint. Not by recursion: values may be nested as deep as JSON.parse goes. */
function unmarked(value: unknown, mark: string): unknown {
  const root = { value }
  const waiting: object[] = [root]
  for (let holder = waiting.pop(); holder !== undefined; holder = waiting.pop()) {
    const parts = holder as Record<string, unknown>
    for (const key of Object.keys(parts)) {
      const part = parts[key]
      if (typeof part === 'object') {
        if (part !== null) waiting.push(part)
      } else if (typeof part === 'string' && part.startsWith(mark)) {
        // The property exists, so this is safe for `__proto__` too.
        parts[key] = BigInt(part.slice(mark.length))
      }
    }
  }
  return root.value
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}
