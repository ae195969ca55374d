// JSON documents out of a stream of bytes. A newline after each is usual and fast; none is needed.

import { parseJSON } from '../parse-json.js'

const newline = 0x0a
const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d

const nothing = new Uint8Array(0)

/**
 * Splits and parses. Documents are objects or arrays; they may be cut anywhere, also inside a character.
 *
 * Each byte is looked at once more, at most, than the search for newlines does: documents of any size in linear time.
 */
export class JSONStreamDecoder {
  /** Bytes of a document that is not complete, in the order received. */
  #parts: Uint8Array[] = []
  /** Where the slow path stands in the pending bytes, and what it knows there. */
  #scan = { offset: 0, depth: 0, inString: false, escaped: false }

  /** Whether the stream may end here without anything lost. */
  get isComplete(): boolean {
    return this.#parts.every(isBlank)
  }

  /**
   * The documents that these bytes complete.
   *
   * @throws SyntaxError at a document that is not JSON; the ones before it have been given out.
   */
  *push(chunk: Uint8Array): Generator<unknown> {
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#keep(chunk.subarray(start, end + 1))
      start = end + 1
      yield* this.#line()
    }
    if (start === chunk.length) return
    this.#keep(chunk.subarray(start))
    if (endsDocument(chunk)) yield* this.#documents()
  }

  #keep(part: Uint8Array): void {
    this.#parts.push(part)
  }

  #pending(): Uint8Array {
    if (this.#parts.length > 1) this.#parts = [Buffer.concat(this.#parts)]
    return this.#parts[0] ?? nothing
  }

  #reset(rest: Uint8Array): void {
    this.#parts = rest.length === 0 ? [] : [rest]
    this.#scan = { offset: 0, depth: 0, inString: false, escaped: false }
  }

  /** A line is complete: nearly always exactly one document. */
  *#line(): Generator<unknown> {
    const line = this.#pending()
    if (this.#scan.offset === 0) {
      const blank = isSpace(line[0]) && isBlank(line)
      const parsed = blank ? undefined : tryParse(line)
      if (blank || parsed) {
        this.#reset(nothing)
        if (parsed) yield parsed.value
        return
      }
    }
    yield* this.#documents()
  }

  /** The slow path: counts brackets to find where documents end. */
  *#documents(): Generator<unknown> {
    for (;;) {
      const bytes = this.#pending()
      const end = this.#findEnd(bytes)
      if (end < 0) return
      this.#reset(bytes.subarray(end))
      yield parseJSON(bytes.subarray(0, end))
    }
  }

  /** The offset behind the first document; -1 when it is not complete. */
  #findEnd(bytes: Uint8Array): number {
    const scan = this.#scan
    for (; scan.offset < bytes.length; scan.offset++) {
      const byte = bytes[scan.offset]
      if (scan.inString) {
        if (scan.escaped) scan.escaped = false
        else if (byte === backslash) scan.escaped = true
        else if (byte === quote) scan.inString = false
      } else if (byte === quote && scan.depth > 0) {
        scan.inString = true
      } else if (byte === openBrace || byte === openBracket) {
        scan.depth++
      } else if (byte === closeBrace || byte === closeBracket) {
        scan.depth--
        if (scan.depth <= 0) return scan.offset + 1
      } else if (scan.depth === 0 && !isSpace(byte)) {
        return bytes.length
      }
    }
    return -1
  }
}

function tryParse(bytes: Uint8Array): { value: unknown } | undefined {
  try {
    return { value: parseJSON(bytes) }
  } catch {
    return undefined
  }
}

function endsDocument(chunk: Uint8Array): boolean {
  let last = chunk.length - 1
  while (last >= 0 && isSpace(chunk[last])) last--
  return chunk[last] === closeBrace || chunk[last] === closeBracket
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every(isSpace)
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === newline || byte === 0x0d || byte === 0x09
}
