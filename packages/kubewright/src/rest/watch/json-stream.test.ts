import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JSONStreamDecoder } from './json-stream.js'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

function* given(decoder: JSONStreamDecoder, chunk: Uint8Array): Generator<unknown> {
  decoder.push(chunk)
  for (let value = decoder.next(); value !== undefined; value = decoder.next()) yield value
}

function decode(chunks: readonly Uint8Array[]): { values: unknown[]; complete: boolean } {
  const decoder = new JSONStreamDecoder()
  const values = chunks.flatMap((chunk) => [...given(decoder, chunk)])
  return { values, complete: decoder.isComplete }
}

const a = { type: 'ADDED', object: { name: 'Größe 😀', text: 'brackets ]}{[ and "quotes\\" \n', list: [1, [2, {}]] } }
const b = { type: 'DELETED', object: {} }

describe('JSONStreamDecoder', () => {
  it.each([
    ['lines', `${JSON.stringify(a)}\n${JSON.stringify(b)}\n`],
    ['lines with CRLF', `${JSON.stringify(a)}\r\n${JSON.stringify(b)}\r\n`],
    ['empty lines', `\n\n${JSON.stringify(a)}\n\r\n  \n${JSON.stringify(b)}\n\n`],
    ['no newline at the end', `${JSON.stringify(a)}\n${JSON.stringify(b)}`],
    ['no newlines', JSON.stringify(a) + JSON.stringify(b)],
    ['spaces between', ` ${JSON.stringify(a)} \t${JSON.stringify(b)} `],
    ['newlines inside', `${JSON.stringify(a, null, 2)}\n${JSON.stringify(b, null, 2)}\n`],
    ['several in a line', `${JSON.stringify(a)}${JSON.stringify(b)}\n`],
  ])('decodes %s, split at every byte', (_name, text) => {
    const all = bytes(text)
    for (let at = 0; at <= all.length; at++) {
      expect(decode([all.subarray(0, at), all.subarray(at)])).toEqual({ values: [a, b], complete: true })
    }
    expect(decode(Array.from(all, (byte) => Uint8Array.of(byte)))).toEqual({ values: [a, b], complete: true })
  })

  it('gives a document out as soon as it is complete, newline or not', () => {
    const decoder = new JSONStreamDecoder()
    expect([...given(decoder, bytes('{"a":{"b":1}'))]).toEqual([])
    expect([...given(decoder, bytes('}'))]).toEqual([{ a: { b: 1 } }])
    expect([...given(decoder, bytes('\n'))]).toEqual([])
    expect(decoder.isComplete).toBe(true)
  })

  it('decodes documents of several MiB in small pieces', () => {
    const big = { data: 'x{"'.repeat(1 << 20) }
    const all = bytes(`${JSON.stringify(big)}\n${JSON.stringify(b)}\n`)
    const chunks: Uint8Array[] = []
    for (let i = 0; i < all.length; i += 4096) chunks.push(all.subarray(i, i + 4096))
    expect(decode(chunks).values).toEqual([big, b])
  })

  it.each(['\n', '', ' \n', '\n\n'])(
    'counts what is incomplete, not what is past: between documents %j',
    (separator) => {
      const decoder = new JSONStreamDecoder(20)
      const chunk = (text: string): unknown[] => [...given(decoder, bytes(text))]
      for (let i = 0; i < 100; i++)
        expect(chunk(`{"a":1}${separator}{"a":`).concat(chunk(`2}${separator}`))).toHaveLength(2)
      expect(chunk('{\n"a":\n"0123456789')).toEqual([])
      expect(() => chunk('0123456789\n')).toThrow(RangeError)
    },
  )

  const cuts = fc.array(fc.nat(), { maxLength: 10 })
  const text = fc.string({ unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', '\n', 'ü', '😀', ' ') })
  const documents = fc.array(fc.oneof(fc.dictionary(text, fc.jsonValue()), fc.array(text)))
  const between = fc.constantFrom('\n', '', ' ', '\n\n', '\r\n', '\n ')
  const indent = fc.constantFrom(undefined, undefined, 1)

  it('gives what JSON.parse gives of each document, cut anywhere, whatever is between them', () => {
    fc.assert(
      fc.property(documents, cuts, between, indent, (values, at, separator, space) => {
        const all = bytes(values.map((value) => JSON.stringify(value, null, space) + separator).join(''))
        const offsets = [0, ...at.map((offset) => offset % (all.length + 1)), all.length].sort((x, y) => x - y)
        const chunks = offsets.slice(1).map((end, i) => all.subarray(offsets[i], end))
        const expected = values.map((value) => JSON.parse(JSON.stringify(value)))
        expect(decode(chunks)).toEqual({ values: expected, complete: true })
      }),
    )
  })

  it('knows that something is missing at the end', () => {
    expect(decode([bytes('{"a":1}\n{"a":')])).toEqual({ values: [{ a: 1 }], complete: false })
    expect(decode([bytes('{"a":1}\n \r\n')])).toEqual({ values: [{ a: 1 }], complete: true })
  })

  it.each(['nonsense\n', '{"a":tru}\n', '{"a":1}}\n', '<html>\n', '"text"\n{]\n'])(
    'gives out what comes before %j, then throws',
    (bad) => {
      const decoder = new JSONStreamDecoder()
      const values: unknown[] = []
      expect(() => {
        for (const value of given(decoder, bytes(`{"ok":1}\n${bad}`))) values.push(value)
      }).toThrow(SyntaxError)
      expect(values[0]).toEqual({ ok: 1 })
    },
  )
})
