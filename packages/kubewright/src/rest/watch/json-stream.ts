// JSON documents out of a stream of bytes. A newline after each is usual and fast; none is needed.

import { concat } from '../bytes.js'
import { parseJSON } from '../parse-json.js'
import { StringSkipper } from '../string-skipper.js'

const newline = 0x0a
const quote = 0x22
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
  /** What was pushed, and how much of it is a document that was given out, or in the parts. */
  #chunk: Uint8Array = nothing
  #at = 0
  /** Bytes of a document that is not complete, in the order received. */
  #parts: Uint8Array[] = []
  /** How many bytes that are. */
  #size = 0
  /** Brackets have to be counted to find the documents in the parts. */
  #counting = false
  /** The parts may have a newline that no document ended at: the next may be in its middle as well. */
  #hasNewline = false
  /** How many of the parts were counted, and what is known there. */
  #scanned = 0
  #depth = 0
  #strings = new StringSkipper()
  readonly #maxBytes: number
  readonly #decode: (bytes: Uint8Array) => unknown

  /**
   * @param maxBytes what an incomplete document may take, so that a stream without an end of one does not fill the memory.
   * @param decode makes a value of a document. Bytes that are not a whole one, it refuses with a SyntaxError.
   */
  constructor(maxBytes: number = Number.POSITIVE_INFINITY, decode: (bytes: Uint8Array) => unknown = parseJSON) {
    this.#maxBytes = maxBytes
    this.#decode = decode
  }

  /** Whether the stream may end here without anything lost. */
  get isComplete(): boolean {
    return this.#parts.every(isBlank)
  }

  /** Takes the next bytes of the stream, once {@link JSONStreamDecoder.next} has given all documents of those before. */
  push(chunk: Uint8Array): void {
    this.#chunk = chunk
    this.#at = 0
  }

  /**
   * The next document that the bytes complete; undefined when more bytes are needed.
   *
   * @throws SyntaxError at a document that is not JSON, RangeError at one that is too large; the ones before it have been
   *   given out.
   */
  next(): unknown {
    for (;;) {
      const value = this.#counting ? this.#countedDocument() : this.#nextLine()
      if (value !== undefined) return value
      if (!this.#counting && this.#at === this.#chunk.length) break
    }
    if (this.#size > this.#maxBytes)
      throw new RangeError(`larger than the ${this.#maxBytes} bytes that maxResponseBytes of the Config allows`)
    return undefined
  }

  /** A line is nearly always exactly one document. Undefined for a blank one, and where brackets have to be counted. */
  #nextLine(): unknown {
    const chunk = this.#chunk
    const start = this.#at
    const end = chunk.indexOf(newline, start)
    if (end < 0) {
      this.#at = chunk.length
      if (start === chunk.length) return undefined
      this.#append(chunk.subarray(start))
      this.#counting = endsDocument(chunk)
      return undefined
    }
    this.#at = end + 1
    const rest = chunk.subarray(start, end + 1)
    if (this.#hasNewline) {
      this.#append(rest)
      this.#counting = true
      return undefined
    }
    const line = this.#parts.length > 0 ? concat([...this.#parts, rest]) : rest
    try {
      const value = isSpace(line[0]) && isBlank(line) ? undefined : this.#decode(line)
      if (this.#parts.length > 0) this.#startDocument([], 0)
      return value
    } catch {
      this.#startDocument([line], line.length)
      this.#hasNewline = true
      this.#counting = true
      return undefined
    }
  }

  #append(part: Uint8Array): void {
    this.#parts.push(part)
    this.#size += part.length
  }

  /** Counts brackets to find where a document ends. Undefined when none does. */
  #countedDocument(): unknown {
    while (this.#scanned < this.#parts.length) {
      const part = this.#parts[this.#scanned] as Uint8Array
      const end = this.#findEnd(part)
      if (end < 0) {
        this.#scanned++
        continue
      }
      const document = concat([...this.#parts.slice(0, this.#scanned), part.subarray(0, end)])
      // Spaces behind a document do not begin the next one: that would then be scanned too.
      const rest = trimStart(part.subarray(end))
      const left = [...(rest.length > 0 ? [rest] : []), ...this.#parts.slice(this.#scanned + 1)]
      this.#startDocument(left, this.#size - document.length - (part.length - end - rest.length))
      return this.#decode(document)
    }
    this.#counting = false
    return undefined
  }

  #startDocument(parts: Uint8Array[], size: number): void {
    this.#parts = parts
    this.#size = size
    this.#hasNewline &&= parts.length > 0
    this.#scanned = 0
    this.#depth = 0
    this.#strings = new StringSkipper()
  }

  /** The offset in the next part behind the first document; -1 when it is not complete. */
  #findEnd(part: Uint8Array): number {
    const strings = this.#strings
    let depth = this.#depth
    for (let i = 0; i < part.length; i++) {
      if (strings.inString) {
        i = strings.skip(part, i)
        continue
      }
      const byte = part[i]
      if (byte === quote && depth > 0) {
        strings.inString = true
      } else if (byte === openBrace || byte === openBracket) {
        depth++
      } else if (byte === closeBrace || byte === closeBracket) {
        depth--
        if (depth <= 0) return i + 1
      } else if (depth === 0 && !isSpace(byte)) {
        return part.length
      }
    }
    this.#depth = depth
    return -1
  }
}

function trimStart(bytes: Uint8Array): Uint8Array {
  let start = 0
  while (start < bytes.length && isSpace(bytes[start])) start++
  return bytes.subarray(start)
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
