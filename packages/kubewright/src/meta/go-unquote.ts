// Text between quotes, read as Go reads it.

const single: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, '\\': 92 }
const hexDigits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }

/**
 * The text within quotes, single or double. Escapes are Go's; `\xff` and `\377` are bytes, which have to be UTF-8
 * together with their neighbours.
 *
 * @throws Error `invalid syntax` for an escape that Go does not have, or the other kind of quote escaped
 */
export function goUnquote(quoted: string): string {
  const quote = quoted.charAt(0)
  const text = quoted.slice(1, -1)
  if (!text.includes('\\')) return text
  const bytes: number[] = []
  const encoder = new TextEncoder()
  const write = (part: string): void => {
    for (const byte of encoder.encode(part)) bytes.push(byte)
  }
  let at = 0
  while (at < text.length) {
    const next = text.indexOf('\\', at)
    const plain = text.slice(at, next < 0 ? text.length : next)
    if (plain.includes(quote)) throw new Error('invalid syntax')
    write(plain)
    if (next < 0) break
    const { length, byte, character } = readEscape(text, next, quote)
    if (byte !== undefined) bytes.push(byte)
    else write(character)
    at = next + length
  }
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes))
}

type Escape = { length: number } & ({ byte: number; character?: never } | { byte?: never; character: string })

function readEscape(text: string, start: number, quote: string): Escape {
  const kind = text.charAt(start + 1)
  const named = single[kind]
  if (named !== undefined) return { length: 2, byte: named }
  if (kind === quote) return { length: 2, character: quote }
  const digits = hexDigits[kind]
  if (digits !== undefined) return readHex(text.slice(start + 2, start + 2 + digits), digits)
  const octal = /^[0-7]{3}$/.test(text.slice(start + 1, start + 4)) ? text.slice(start + 1, start + 4) : ''
  const byte = Number.parseInt(octal, 8)
  if (!(byte <= 255)) throw new Error('invalid syntax')
  return { length: 4, byte }
}

function readHex(digits: string, expected: number): Escape {
  const code = Number.parseInt(digits, 16)
  const isWhole = digits.length === expected && /^[0-9a-fA-F]+$/.test(digits)
  const isCharacter = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  if (!isWhole || !isCharacter) throw new Error('invalid syntax')
  const length = 2 + expected
  return expected === 2 ? { length, byte: code } : { length, character: String.fromCodePoint(code) }
}
