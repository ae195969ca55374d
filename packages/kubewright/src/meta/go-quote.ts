// Text between quotes as Go writes it in messages, so that ours are the API server's to the letter.

const named: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
}

// What is neither a letter, mark, number, punctuation, symbol nor the space, and what has a name.
const special = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|["\\]/gu

/** A text between quotes as Go's `%q` writes it in messages, with what cannot be seen escaped. */
export function goQuote(text: string): string {
  const escaped = text.replace(special, (c) => {
    const name = named[c]
    if (name !== undefined) return name
    const code = c.codePointAt(0) as number
    if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`
    return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`
  })
  return `"${escaped}"`
}

/** Go's encoding/json, which is careful of HTML. */
export function goJson(value: string | readonly string[] | null): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The UTF-8 bytes of a text as characters, which is how Go's parsers see it. */
export function utf8Bytes(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII, all of it
  if (/^[\x00-\x7f]*$/.test(text)) return text
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
}

/** How Go's time package quotes: bytes that are no printable ASCII in hexadecimal. Takes {@link utf8Bytes}. */
export function goTimeQuote(bytes: string): string {
  const escaped = bytes.replace(/[^\x20-\x7f]|["\\]/g, (c) =>
    c === '"' || c === '\\' ? `\\${c}` : `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  return `"${escaped}"`
}
