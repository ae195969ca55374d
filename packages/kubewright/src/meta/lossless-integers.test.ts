import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseLossless } from './lossless-integers.js'

describe('parseLossless', () => {
  it.each([
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9223372036854775807', 2n ** 63n - 1n],
    ['-9223372036854775808', -(2n ** 63n)],
    ['9223372036854775808', 2 ** 63],
    ['-9223372036854775809', -(2 ** 63)],
    ['123456789012345678901234567890', Number('123456789012345678901234567890')],
    ['9007199254740993.0', 9007199254740992],
    ['9007199254740993e0', 9007199254740992],
    ['1.9007199254740993', Number('1.9007199254740993')],
    ['1E+0000000000000001', 10],
    ['0', 0],
    ['-0', -0],
    [' \t\r\n9007199254740993\n ', 9007199254740993n],
    ['"9007199254740993"', '9007199254740993'],
    ['"a 9007199254740993, b: 9007199254740993"', 'a 9007199254740993, b: 9007199254740993'],
    ['["\\\\",9007199254740993,"\\"",9007199254740993]', ['\\', 9007199254740993n, '"', 9007199254740993n]],
    [String.raw`["\u00019007199254740993",9007199254740993]`, ['\u00019007199254740993', 9007199254740993n]],
    [String.raw`["\u0001\u0001\u0001",9007199254740993]`, ['\u0001\u0001\u0001', 9007199254740993n]],
    ['{"a":9007199254740993,"a":1}', { a: 1 }],
    ['{"a":1,"a":9007199254740993}', { a: 9007199254740993n }],
    ['{"9007199254740993":9007199254740993}', { '9007199254740993': 9007199254740993n }],
    ['{"a" : 9007199254740993 , "b" : [ 9007199254740993 ] }', { a: 9007199254740993n, b: [9007199254740993n] }],
  ])('%s', (text, value) => {
    expect(parseLossless(text)).toStrictEqual(value)
  })

  it.each([
    '{9007199254740993:1}',
    '{"a":1,9007199254740993 : 2}',
    '[09007199254740993]',
    '[--9007199254740993]',
    '[9007199254740993 9007199254740993]',
    '[9007199254740993"a"]',
    '[9007199254740993,]',
    '[+9007199254740993]',
    '"9007199254740993',
    '[9007199254740993',
    '',
  ])('refuses %s in JSON.parse’s words', (text) => {
    let message = ''
    try {
      JSON.parse(text)
    } catch (err) {
      message = (err as Error).message
    }
    expect(message).not.toBe('')
    expect(() => parseLossless(text)).toThrow(new SyntaxError(message))
  })

  it('keeps a key named __proto__ a key', () => {
    const value = parseLossless('{"__proto__":9007199254740993,"a":{"__proto__":{"b":9007199254740993}}}') as object
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.entries(value)[0]).toEqual(['__proto__', 9007199254740993n])
    const inner = Object.entries(value)[1]?.[1] as object
    expect(Object.getPrototypeOf(inner)).toBe(Object.prototype)
    expect(Object.entries(inner)).toEqual([['__proto__', { b: 9007199254740993n }]])
  })

  it('goes as deep as JSON.parse', () => {
    const depth = 5000
    let value = parseLossless(`${'['.repeat(depth)}9007199254740993${']'.repeat(depth)}`)
    for (let i = 0; i < depth; i++) value = (value as unknown[])[0]
    expect(value).toBe(9007199254740993n)
  })

  // JSON of any kind, broken too: the two agree on what is JSON, and on everything but large integers.
  const integer = fc.oneof(
    fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }),
    fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  )
  const token = fc.oneof(
    integer.map(String),
    fc.string().map((text) => JSON.stringify(text)),
    fc.constantFrom('"\\u0001"', '"\\""', '"\\\\"', '"a"', '1', '-', '1.5', '1e5', 'null', 'true', '0', '.', 'e'),
    fc.constantFrom('{', '}', '[', ']', ',', ':', ' ', '\n', '"', '\\'),
  )
  const value = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      integer.map(String),
      fc.oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
        fc
          .string({ unit: fc.constantFrom('"', '\\', '\u0001', '9', 'é', ':', ',', '[') })
          .map((t) => JSON.stringify(t)),
        integer.map((n) => `"${n}"`),
      ),
      fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(' ,')}]`),
      fc
        .array(fc.tuple(fc.constantFrom('a', 'b', '__proto__', '9007199254740993'), tie('value')), { maxLength: 4 })
        .map((entries) => `{${entries.map(([key, item]) => `"${key}": ${item}`).join(',\n')}}`),
    ),
  })).value

  const rounded = (value: unknown): unknown => {
    if (typeof value === 'bigint') return Number(value)
    if (Array.isArray(value)) return value.map(rounded)
    if (typeof value !== 'object' || value === null) return value
    return Object.entries(value).map(([key, part]) => [key, rounded(part)])
  }
  const outcome = (parse: (text: string) => unknown, text: string): unknown => {
    try {
      return { value: rounded(parse(text)) }
    } catch (err) {
      return { error: (err as Error).message }
    }
  }
  const expectAgreement = (text: string): void => {
    expect(outcome(parseLossless, text)).toStrictEqual(outcome(JSON.parse, text))
  }

  it('agrees with JSON.parse on every document but for large integers', () => {
    fc.assert(fc.property(value, expectAgreement), { seed: 1, numRuns: 2000 })
    fc.assert(fc.property(fc.json(), expectAgreement), { seed: 1, numRuns: 500 })
  })

  it('agrees with JSON.parse on what is none', () => {
    fc.assert(
      fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
        expectAgreement(tokens.join(''))
      }),
      { seed: 1, numRuns: 5000 },
    )
    const broken = fc.tuple(value, fc.nat(), fc.nat(2), token).map(([text, at, remove, insert]) => {
      const start = at % (text.length + 1)
      return text.slice(0, start) + insert + text.slice(start + remove)
    })
    fc.assert(fc.property(broken, expectAgreement), { seed: 1, numRuns: 3000 })
  })

  it('finds every integer wherever it stands', () => {
    for (let padding = 0; padding < 40; padding++) {
      const text = `{${' '.repeat(padding)}"a":9007199254740993,"b":"${'1'.repeat(padding)}","c":[1,-9007199254740995]}`
      expect(parseLossless(text)).toEqual({ a: 9007199254740993n, b: '1'.repeat(padding), c: [1, -9007199254740995n] })
    }
  })
})
