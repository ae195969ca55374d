import { expect, it } from 'vitest'
import { cleanANSIEscapeCodes } from './install-hint.js'

it.each([
  ['bold', '\x1b[1mbold tuna\x1b[0m, fish', 'U+001B[1mbold tunaU+001B[0m, fish'],
  ['cursor movement', '\x1b[2Aup up', 'U+001B[2Aup up'],
  ['other controls', 'a\x00b\x7f\u009b\u200b\u{e0001}', 'aU+0000bU+007FU+009BU+200BU+E0001'],
])('spells out %s', (_name, text, expected) => {
  expect(cleanANSIEscapeCodes(text)).toBe(expected)
})

it.each([
  'tuna\nfish\r\nmarlin\t\r\ntuna\vfish\fmarlin',
  'alpha: \u03b1, beta: \u03b2',
  'tu\u0301na, fi\u0302sh, ma\u030Arlin',
  't1na, f2sh; "here\'s a sentence; with! some...punctuation ;)"',
  '\u222b\u2081\u207F f(x) dx \u2248 \u2211, a \u2208 \u2115, 🐟',
  'a paragraph\u2029and here\u2003are em spaces',
])('leaves %j alone', (text) => {
  expect(cleanANSIEscapeCodes(text)).toBe(text)
})
