import { describe, expect, it } from 'vitest'
import { Config, noLogger } from './index.js'
import { parseWarningHeaders, warningHandlerFor } from './warnings.js'

const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

describe('parseWarningHeaders', () => {
  it.each<[string, string[], [number, string, string][]]>([
    ['one', ['299 - "hello"'], [[299, '-', 'hello']]],
    ['an agent', ['199 kube "hello"'], [[199, 'kube', 'hello']]],
    ['escapes', [String.raw`299 - "say \"hi\" \\ done"`], [[299, '-', String.raw`say "hi" \ done`]]],
    ['a date', ['299 - "a" "Wed, 21 Oct 2015 07:28:00 GMT"'], [[299, '-', 'a']]],
    [
      'several in one',
      ['299 - "a, b" , 299 - "c" "date",199 x "d"'],
      [
        [299, '-', 'a, b'],
        [299, '-', 'c'],
        [199, 'x', 'd'],
      ],
    ],
    [
      'several headers',
      ['299 - "a"', '299 - "b"'],
      [
        [299, '-', 'a'],
        [299, '-', 'b'],
      ],
    ],
    ['UTF-8', [latin1('299 - "Größe"')], [[299, '-', 'Größe']]],
    ['encoded words', ['299 - "=?utf-8?q?caf=C3=A9_au_lait?="'], [[299, '-', 'café au lait']]],
    ['base64 words', ['299 - "=?UTF-8?b?w7w=?="'], [[299, '-', 'ü']]],
    ['spaces around', ['  299 - "a"  '], [[299, '-', 'a']]],
    ['an empty text', ['299 - ""'], [[299, '-', '']]],
    ['the next header after a bad one', ['29 - "a"', '299 - "b"'], [[299, '-', 'b']]],
    ['a code that is none', ['2999 - "a"'], []],
    ['no quotes', ['299 - a'], []],
    ['an open quote', ['299 - "a'], []],
    ['something behind', ['299 - "a" x'], []],
    ['control characters', ['299 - "a\tb"'], []],
    ['bytes that are no UTF-8', ['299 - "\xff"'], []],
    ['too few parts', ['299 "a"', '', '299'], []],
  ])('%s', (_name, headers, expected) => {
    expect(parseWarningHeaders(headers)).toEqual(expected.map(([code, agent, text]) => ({ code, agent, text })))
  })

  it('keeps what came before the malformed rest of a header', () => {
    expect(parseWarningHeaders(['299 - "a", nonsense']).map(({ text }) => text)).toEqual(['a'])
  })

  it('is fast on a long header that is malformed', () => {
    expect(parseWarningHeaders([`299 - "${'\\"'.repeat(50_000)}`])).toEqual([])
  })
})

describe('the default handler', () => {
  it('logs each text once for each Config, 299 only', () => {
    const lines: string[] = []
    const logger = { ...noLogger, warn: (line: string) => void lines.push(line) }
    const config = new Config({ logger })
    for (const text of ['a', 'b', 'a']) warningHandlerFor(config)({ code: 299, agent: '-', text })
    warningHandlerFor(config)({ code: 199, agent: '-', text: 'c' })
    warningHandlerFor(config)({ code: 299, agent: '-', text: '' })
    expect(lines).toEqual(['a', 'b'])
    warningHandlerFor(new Config({ logger }))({ code: 299, agent: '-', text: 'a' })
    expect(lines).toEqual(['a', 'b', 'a'])
  })
})
