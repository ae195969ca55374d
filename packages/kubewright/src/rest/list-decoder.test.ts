import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ListDecoder } from './list-decoder.js'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Cut at the given offsets. */
function cut(all: Uint8Array, at: readonly number[]): Uint8Array[] {
  const offsets = [0, ...at.map((offset) => offset % (all.length + 1)), all.length].sort((a, b) => a - b)
  return offsets.slice(1).map((end, i) => all.subarray(offsets[i], end))
}

function decode(chunks: readonly Uint8Array[], batchSize = 1): unknown {
  const decoder = new ListDecoder({ batchSize })
  for (const chunk of chunks) for (const _ of decoder.push(chunk));
  return decoder.end()
}

/** What a decoder says of a text; all that is not JSON is alike. */
function outcome(run: () => unknown): unknown {
  try {
    return { value: run(), json: JSON.stringify(run()) }
  } catch (err) {
    return err instanceof SyntaxError ? 'no JSON' : err
  }
}

const whole = (all: Uint8Array): unknown => outcome(() => JSON.parse(Buffer.from(all).toString()))

describe('ListDecoder', () => {
  it.each([
    '{"kind":"List","metadata":{"items":[1],"a":"]"},"items":[{"a":"ü😀\\"}]\\\\"},null,[],[[]],{},"x,y",1.5e3,true]}',
    '{"items":[{"a":1}],"kind":"List"}',
    ' { "items" : [ { "a" : 1 } , 2 ] , "b" : { "items" : [ 3 ] } } \n',
    '{"items":[]}',
    '{"items":[ \n ]}',
    '{"items":null,"a":1}',
    '{"items":{"0":1}}',
    '{"items":"[1]"}',
    '{"a":"items","b":[1,2]}',
    '{"items":[1,2],"items":[3]}',
    '{"items":[1,2],"b":1,"items":null}',
    '{"items":null,"b":1,"items":[1,2]}',
    '{"\\u0069tems":[1,2],"b":"\\u0069tems"}',
    '{"items":[1],"\\u0069tems":7}',
    '{"it\\"ems":[1,2],"":[3]}',
    '{"__proto__":{"x":1},"items":[{"__proto__":2}]}',
    '["items",[1,2]]',
    '[{"items":[1,2]}]',
    '"items"',
    '12',
    'null',
    '{}',
    '',
    '{"items":[1,]}',
    '{"items":[,1]}',
    '{"items":[,]}',
    '{"items":[1,,2]}',
    '{"items":[1 2]}',
    '{"items":[1}',
    '{"items":[1]',
    '{"items":[1,{]}]}',
    '{"items":[1]]}',
    '{"items":[1]}}',
    '{"items":[1]} x',
    '{"items" [1]}',
    '{"items"::[1]}',
    '{"items":5,[1,2]}',
    '{"items":"\\',
    '{"items":["\\x"]}',
    '{"items":[1]"a":2}',
    '{"\\x":[1],"items":[2]}',
    '\ufeff{"items":[1]}',
    '{"items":[\u00a0]}',
  ])('says what JSON.parse says of %j, cut at every byte', (text) => {
    const all = bytes(text)
    const expected = whole(all)
    for (const size of [1, 5, 1000]) {
      for (let at = 0; at <= all.length; at++) {
        expect(outcome(() => decode([all.subarray(0, at), all.subarray(at)], size))).toEqual(expected)
      }
      expect(
        outcome(() =>
          decode(
            Array.from(all, (byte) => Uint8Array.of(byte)),
            size,
          ),
        ),
      ).toEqual(expected)
    }
  })

  const cuts = fc.array(fc.nat(), { maxLength: 8 })
  const size = fc.integer({ min: 1, max: 40 })
  const indent = fc.constantFrom(undefined, 1, '\t', '\r\n')
  const texts = fc.string({
    unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', ':', 'items', 'ü', '😀', '\u2028', ' '),
  })
  const value = fc.jsonValue({ maxDepth: 4 })
  const item = fc.oneof(value, texts, fc.record({ metadata: value, items: fc.array(texts), text: texts }))
  const entry = fc.tuple(fc.oneof(fc.constant('items'), fc.constantFrom('kind', '__proto__'), texts), item)
  const list = fc.tuple(fc.array(entry), fc.array(item), fc.array(entry))

  it('says what JSON.parse says of any document, cut anywhere', () => {
    fc.assert(
      fc.property(value, cuts, size, indent, (document, at, batchSize, space) => {
        const all = bytes(JSON.stringify(document, null, space))
        expect(outcome(() => decode(cut(all, at), batchSize))).toEqual(whole(all))
      }),
    )
  })

  it('says what JSON.parse says of any list, with keys in any place and more than once', () => {
    const field = ([key, of]: [string, unknown]): string => `${JSON.stringify(key)}:${JSON.stringify(of)}`
    fc.assert(
      fc.property(list, cuts, size, ([before, items, after], at, batchSize) => {
        const fields = [...before, ['items', items] as [string, unknown], ...after].map(field)
        const all = bytes(`{${fields.join(',')}}`)
        expect(outcome(() => decode(cut(all, at), batchSize))).toEqual(whole(all))
      }),
    )
  })

  it('says what JSON.parse says of bytes that are nearly a list', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"items"',
      '"',
      '\\',
      '1',
      'null',
      ' ',
      '\u00a0',
      '"a"',
      '{}',
    )
    const broken = fc.oneof(
      fc.array(piece).map((pieces) => bytes(`{"items":[${pieces.join('')}`)),
      fc.array(piece).map((pieces) => bytes(`{"items":[{"a":[1]},${pieces.join('')}]}`)),
      fc.array(piece).map((pieces) => bytes(pieces.join(''))),
      fc
        .tuple(fc.uint8Array(), fc.uint8Array())
        .map(([a, b]) => Buffer.concat([bytes('{"items":["'), a, bytes('","'), b, bytes('"]}')])),
    )
    fc.assert(
      fc.property(broken, cuts, size, (all, at, batchSize) => {
        expect(outcome(() => decode(cut(all, at), batchSize))).toEqual(whole(all))
      }),
      { numRuns: 1000 },
    )
  })

  it('gives the items out in batches of about the size asked for', () => {
    const all = bytes(JSON.stringify({ items: Array.from({ length: 100 }, (_, i) => ({ i, text: 'x'.repeat(80) })) }))
    const decoder = new ListDecoder({ batchSize: 1000 })
    expect([...decoder.push(all)].length).toBe(10)
  })
})
