import { describe, expect, it } from 'vitest'
import {
  formatMicroTime,
  formatTime,
  parseMicroTime,
  parseMicroTimeNanoseconds,
  parseTime,
  parseTimeNanoseconds,
} from './time.js'

describe('Time', () => {
  it.each([
    '2026-01-02T03:04:05Z',
    '1970-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '0000-02-29T00:00:00Z',
    '0099-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ])('%s is the same after reading and writing', (text) => {
    expect(formatTime(parseTime(text))).toBe(text)
    expect(formatTime(new Date(parseTime(text)))).toBe(text)
    expect(formatTime(parseTimeNanoseconds(text))).toBe(text)
  })

  it('understands offsets and fractions, and cuts the latter off when it writes', () => {
    expect(formatTime(parseTime('2026-01-02T03:04:05.999+01:00'))).toBe('2026-01-02T02:04:05Z')
    expect(formatTime(-1)).toBe('1969-12-31T23:59:59Z')
    expect(parseTime('1970-01-01T00:00:01.5Z')).toBe(1500)
    expect(parseTimeNanoseconds('1970-01-01T00:00:01.123456789Z')).toBe(1_123_456_789n)
  })

  it.each([
    ['', 'parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"'],
    ['2026-13-01T00:00:00Z', 'parsing time "2026-13-01T00:00:00Z": month out of range'],
    ['2026-02-30T00:00:00Z', 'parsing time "2026-02-30T00:00:00Z": day out of range'],
    ['2026-01-00T00:00:00Z', 'parsing time "2026-01-00T00:00:00Z": day out of range'],
    ['2026-01-02T24:00:00Z', 'parsing time "2026-01-02T24:00:00Z": hour out of range'],
    ['2026-01-02T00:00:00Zulu', 'parsing time "2026-01-02T00:00:00Zulu": extra text: "ulu"'],
    [
      '2026-01-02 00:00:00Z',
      'parsing time "2026-01-02 00:00:00Z" as "2006-01-02T15:04:05Z07:00": cannot parse " 00:00:00Z" as "T"',
    ],
  ])('%j is refused', (text, message) => {
    expect(() => parseTime(text)).toThrow(new Error(message))
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, new Date(Number.NaN), 253_402_300_800_000, -62_167_219_200_001])(
    '%s cannot be written',
    (at) => {
      expect(() => formatTime(at)).toThrow(RangeError)
    },
  )
})

describe('MicroTime', () => {
  it.each(['2026-01-02T03:04:05.000006Z', '1969-12-31T23:59:59.999999Z', '2026-01-02T03:04:05.000000Z'])(
    '%s is the same after reading and writing',
    (text) => {
      expect(formatMicroTime(parseMicroTime(text))).toBe(text)
      expect(formatMicroTime(parseMicroTimeNanoseconds(text))).toBe(text)
    },
  )

  it('has six digits, whatever it is made of', () => {
    expect(formatMicroTime(0)).toBe('1970-01-01T00:00:00.000000Z')
    expect(formatMicroTime(new Date(1500))).toBe('1970-01-01T00:00:01.500000Z')
    expect(formatMicroTime(1_000_001_999n)).toBe('1970-01-01T00:00:01.000001Z')
  })

  it('must be read with six digits', () => {
    expect(() => parseMicroTime('2026-01-02T03:04:05Z')).toThrow('cannot parse "Z" as ".000000"')
    expect(() => parseMicroTime('2026-01-02T03:04:05.123Z')).toThrow('cannot parse ".123Z" as ".000000"')
  })
})
