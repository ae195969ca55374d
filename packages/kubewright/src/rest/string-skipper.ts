// Strings of JSON in a stream of bytes, jumped over: what is inside of them is of no concern to who counts brackets.

const quote = 0x22
const backslash = 0x5c

/** Where a reader of JSON stands with respect to strings. They may be cut anywhere. */
export class StringSkipper {
  /** To be set by who has read an opening quote. */
  inString = false
  /** Inside a string, behind a backslash. */
  #escaped = false

  /** The offset of the quote that ends the string which goes on at `from`; the length of the bytes when it does not end there. */
  skip(bytes: Uint8Array, from: number): number {
    const first = this.#escaped ? from + 1 : from
    this.#escaped = false
    for (let i = first; ; i++) {
      const end = bytes.indexOf(quote, i)
      i = end < 0 ? bytes.length : end
      let unescaped = i
      while (unescaped > first && bytes[unescaped - 1] === backslash) unescaped--
      const isEscaped = (i - unescaped) % 2 === 1
      if (end < 0) {
        this.#escaped = isEscaped
        return i
      }
      if (isEscaped) continue
      this.inString = false
      return i
    }
  }
}
