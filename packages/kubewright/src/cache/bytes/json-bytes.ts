// Finding one's way in bytes of JSON without decoding it. What is skipped is taken to be well-formed: whoever decodes
// the bytes later learns whether it was.

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** Strings at least this long are searched for their end by the machine; short ones faster by a loop. */
const longString = 24

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** The offset of the first byte from `at` on that is no space. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let i = at
  while (isSpace(bytes[i])) i++
  return i
}

/** The offset behind the string whose opening quote is at `at`. @throws SyntaxError when it does not end before `end` */
function skipString(bytes: Uint8Array, at: number, end: number): number {
  let i = at + 1
  for (const near = Math.min(i + longString, end); i < near; i++) {
    const byte = bytes[i]
    if (byte === quote) return i + 1
    if (byte === backslash) i++
  }
  return endOfString(bytes, i, end)
}

/** The offset behind the string that goes on at `from`. @throws SyntaxError when it does not end before `end` */
function endOfString(bytes: Uint8Array, from: number, end: number): number {
  let i = from
  for (;;) {
    const found = bytes.indexOf(quote, i)
    if (found < 0 || found >= end) throw new SyntaxError('a string of the JSON does not end')
    let unescaped = found
    while (unescaped > i && bytes[unescaped - 1] === backslash) unescaped--
    if ((found - unescaped) % 2 === 0) return found + 1
    i = found + 1
  }
}

/** The offset behind the value that begins at `at`, not behind `end`. @throws SyntaxError when it does not end */
export function skipValue(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at]
  if (first === quote) return skipString(bytes, at, end)
  if (first !== openBrace && first !== openBracket) return skipScalar(bytes, at, end)
  let depth = 0
  for (let i = at; i < end; i++) {
    const byte = bytes[i] as number
    if (byte === quote) {
      // Most strings are short, and there is one every ten bytes: a call for each would cost as much as the bytes do.
      const near = Math.min(i + longString, end)
      let inside = bytes[++i] as number
      while (inside !== quote && i < near) {
        if (inside === backslash) i++
        inside = bytes[++i] as number
      }
      if (i >= near) i = endOfString(bytes, i, end) - 1
    } else if (byte === openBrace || byte === openBracket) {
      depth++
    } else if (byte === closeBrace || byte === closeBracket) {
      depth--
      if (depth === 0) return i + 1
    }
  }
  throw new SyntaxError('the JSON does not end')
}

function skipScalar(bytes: Uint8Array, at: number, end: number): number {
  let i = at
  for (; i < end; i++) {
    const byte = bytes[i]
    if (byte === comma || byte === closeBrace || byte === closeBracket || isSpace(byte)) break
  }
  if (i === at) throw new SyntaxError('the JSON lacks a value')
  return i
}

/** Walks over the members of an object, one `next` at a time; its fields say where the present one is. */
export class Members {
  readonly #bytes: Uint8Array
  readonly #end: number
  /** The key's offsets, without its quotes. */
  keyStart = 0
  keyEnd = 0
  valueStart = 0
  #valueEnd: number
  #isFirst = true

  /** @throws SyntaxError when no object begins at `at` */
  constructor(bytes: Uint8Array, at: number, end: number) {
    if (bytes[at] !== openBrace) throw new SyntaxError('the JSON is no object')
    this.#bytes = bytes
    this.#end = end
    this.#valueEnd = at + 1
  }

  /** Behind the value, which is skipped on first use. Behind the whole object, once there are no more members. */
  get valueEnd(): number {
    if (this.#valueEnd < 0) this.#valueEnd = skipValue(this.#bytes, this.valueStart, this.#end)
    return this.#valueEnd
  }

  /** To be told by who has walked through the value anyhow. */
  set valueEnd(end: number) {
    this.#valueEnd = end
  }

  /** Goes to the next member; false when there is none. @throws SyntaxError */
  next(): boolean {
    const bytes = this.#bytes
    let at = skipSpace(bytes, this.valueEnd)
    if (at >= this.#end) throw new SyntaxError('the JSON does not end')
    if (bytes[at] === closeBrace) {
      this.#valueEnd = at + 1
      return false
    }
    if (!this.#isFirst) {
      if (bytes[at] !== comma) throw new SyntaxError('the JSON lacks a comma')
      at = skipSpace(bytes, at + 1)
    }
    this.#isFirst = false
    if (bytes[at] !== quote) throw new SyntaxError('the JSON lacks a key')
    this.keyStart = at + 1
    at = skipString(bytes, at, this.#end)
    this.keyEnd = at - 1
    at = skipSpace(bytes, at)
    if (bytes[at] !== colon) throw new SyntaxError('the JSON lacks a colon')
    this.valueStart = skipSpace(bytes, at + 1)
    this.#valueEnd = -1
    return true
  }

  /** Whether the key is this one, of ASCII. One that is written with escapes is not recognised. */
  keyIs(ascii: string): boolean {
    const { keyStart } = this
    if (this.keyEnd - keyStart !== ascii.length) return false
    for (let i = 0; i < ascii.length; i++) if (this.#bytes[keyStart + i] !== ascii.charCodeAt(i)) return false
    return true
  }
}

/** The string between the quotes at `start` and before `end`; undefined when there is no string. */
export function stringAt(bytes: Uint8Array, start: number, end: number): string | undefined {
  if (bytes[start] !== quote) return undefined
  for (let i = start + 1; i < end - 1; i++) {
    const byte = bytes[i] as number
    if (byte === backslash || byte >= 0x80) return JSON.parse(textAt(bytes, start, end)) as string
  }
  return asBuffer(bytes).toString('latin1', start + 1, end - 1)
}

/** UTF-8 between two offsets to text. */
export function textAt(bytes: Uint8Array, start: number, end: number): string {
  return asBuffer(bytes).toString('utf8', start, end)
}

/** The same bytes, with node's searches. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
