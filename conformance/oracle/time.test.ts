import fc from 'fast-check'
import {
  formatDuration,
  formatMicroTime,
  formatTime,
  parseDurationNanoseconds,
  parseMicroTimeNanoseconds,
  parseTimeNanoseconds,
} from 'kubewright/meta'
import { expect, it } from 'vitest'
import { mostlyValid, runs } from './arbitraries.js'
import { type Ask, answerOf, describeWithOracle } from './describe-with-oracle.js'

interface GoInstant {
  /** Seconds and the nanoseconds after them. */
  nanoseconds: string
  time: string | null
  microTime: string | null
}

const zeroTime = -62_135_596_800n * 1_000_000_000n

function instant(nanoseconds: bigint): GoInstant | undefined {
  const fraction = ((nanoseconds % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n
  const seconds = (nanoseconds - fraction) / 1_000_000_000n
  const year = new Date(Number(seconds) * 1000).getUTCFullYear()
  // An offset may lead out of what can be written.
  if (year < 0 || year > 9999) return undefined
  // Go writes the first moment of the year 1 as null: it is its absent time.
  const absent = nanoseconds === zeroTime
  return {
    nanoseconds: `${seconds}:${fraction}`,
    time: absent ? null : formatTime(nanoseconds),
    microTime: absent ? null : formatMicroTime(nanoseconds),
  }
}

async function expectAgreement(oracle: Ask, text: string, kind: 'time' | 'micro time'): Promise<void> {
  const go = await oracle.ask<GoInstant>(kind === 'time' ? 'time.parse' : 'time.parseMicro', { text })
  const ours = answerOf(() => (kind === 'time' ? parseTimeNanoseconds(text) : parseMicroTimeNanoseconds(text)))
  if ('error' in go || 'error' in ours) {
    expect(ours).toEqual(go)
    return
  }
  const described = instant(ours.result)
  if (described) expect(described).toEqual(go.result)
}

const pad = (n: number, width: number): string => String(n).padStart(width, '0')
const range = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max })
const date = fc
  .tuple(range(0, 9999), range(0, 13), range(0, 32))
  .map(([y, m, d]) => `${pad(y, 4)}-${pad(m, 2)}-${pad(d, 2)}`)
const clock = fc
  .tuple(range(0, 24), range(0, 60), range(0, 60))
  .map(([h, m, s]) => `${pad(h, 2)}:${pad(m, 2)}:${pad(s, 2)}`)
const fraction = fc.oneof(
  fc.constant(''),
  fc
    .tuple(fc.constantFrom('.', ','), fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 12 }))
    .map((parts) => parts.join('')),
  range(0, 999_999).map((micros) => `.${pad(micros, 6)}`),
)
const zone = fc.oneof(
  fc.constant('Z'),
  fc.tuple(fc.constantFrom('+', '-'), range(0, 26), range(0, 62)).map(([s, h, m]) => `${s}${pad(h, 2)}:${pad(m, 2)}`),
)
const valid = fc.tuple(date, clock, fraction, zone).map(([d, c, f, z]) => `${d}T${c}${f}${z}`)
const alphabet = '0123456789-+:TZ.,tz '

const times = [
  ...['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000006Z', '2026-01-02T03:04:05.123456789Z', '0001-01-01T00:00:00Z'],
  ...['2026-01-02T03:04:05+01:00', '2026-01-02T03:04:05.5-12:34', '2026-01-02T3:04:05Z', '2026-01-02t03:04:05z'],
  ...['', 'x', '2026', '2026-02-30T00:00:00Z', '2024-02-29T00:00:00Z', '2023-02-29T00:00:00Z', '1900-02-29T00:00:00Z'],
  ...['2026-01-02T03:04:05', '2026-01-02 03:04:05Z', '2026-01-02T03:04:05Zx', '2026-01-02T03:04:05,5Z'],
  ...['2026-01-02T03:04:05.1234567890123Z', '2026-01-02T03:04:05.Z', '2026-01-02T24:00:00Z', '2026-01-02T00:60:00Z'],
  ...['2026-01-02T00:00:60Z', '2026-01-02T00:00:00+24:60', '2026-01-02T00:00:00+25:00', '2026-01-02T00:00:00é99:00'],
  ...['2026-01-02T03:04:05.+00001Z', '2026-01-02T03:04:05.-00001Z', '20é6-01-02T03:04:05Z', '9999-12-31T23:59:59Z'],
]

const durations = [
  ...[
    '0',
    '0s',
    '1h0m0s',
    '1.5s',
    '300ms',
    '1m30s',
    '-1.5h',
    '+5s',
    '1us',
    '1\u00b5s',
    '1\u03bcs',
    '1ns',
    '.5s',
    '5.s',
  ],
  ...[
    '',
    '+',
    '-',
    '1',
    's',
    '.s',
    '1x',
    '1d',
    '1h1',
    '1 h',
    '1.1.1s',
    '9223372036854775807ns',
    '-9223372036854775808ns',
  ],
  ...[
    '9223372036854775808ns',
    '9223372036854775809ns',
    '99999999999999999999x',
    '2562047h47m16.854775807s',
    '1é',
    '1"',
  ],
  ...[
    '0.100000000000000000000h',
    '0.3333333333333333333h',
    '9007199254.740993ms',
    '0.9223372036854775807h',
    '3000000h',
  ],
]

describeWithOracle('metav1.Time, MicroTime and Duration', (oracle) => {
  it.each(times)('reads the time %j', (text) => expectAgreement(oracle, text, 'time'))
  it.each(times)('reads the micro time %j', (text) => expectAgreement(oracle, text, 'micro time'))

  it.each(['time', 'micro time'] as const)('reads any text as a %s as Go does', async (kind) => {
    await fc.assert(
      fc.asyncProperty(mostlyValid(valid, alphabet), (text) => expectAgreement(oracle, text, kind)),
      runs(3000),
    )
  })

  it('writes any moment as Go does', async () => {
    const limits = { min: zeroTime + 1n, max: 253_402_300_799n * 1_000_000_000n }
    await fc.assert(
      fc.asyncProperty(fc.bigInt(limits), async (nanoseconds) => {
        const described = instant(nanoseconds)
        const [seconds, rest] = (described?.nanoseconds ?? '').split(':').map(Number)
        const go = await oracle.ask<GoInstant>('time.format', { seconds, nanoseconds: rest })
        expect(go).toEqual({ result: described })
      }),
      runs(1000),
    )
  })

  async function expectSameDuration(text: string): Promise<void> {
    const go = await oracle.ask('duration.parse', { text })
    const ours = answerOf(() => {
      const nanoseconds = parseDurationNanoseconds(text)
      return { nanoseconds: String(nanoseconds), string: formatDuration(nanoseconds) }
    })
    expect(ours).toEqual(go)
  }

  it.each(durations)('reads the duration %j', expectSameDuration)

  it('reads any text as a duration as Go does', async () => {
    const amount = fc.oneof(
      fc.nat(100).map(String),
      fc.tuple(fc.nat(1e9), fc.nat(1e9)).map(([whole, part]) => `${whole}.${part}`),
      fc.bigInt({ min: 0n, max: 2n ** 64n }).map(String),
      fc.bigInt({ min: 0n, max: 2n ** 66n }).map((n) => `0.${n}`),
    )
    const unit = fc.constantFrom('ns', 'us', '\u00b5s', '\u03bcs', 'ms', 's', 'm', 'h')
    const parts = fc.array(
      fc.tuple(amount, unit).map((part) => part.join('')),
      { minLength: 1, maxLength: 4 },
    )
    const duration = fc.tuple(fc.constantFrom('', '-', '+'), parts).map(([sign, list]) => sign + list.join(''))
    await fc.assert(fc.asyncProperty(mostlyValid(duration, '0123456789.+-nuµmsh '), expectSameDuration), {
      ...runs(4000),
    })
  })

  it('writes any duration as Go does', async () => {
    const any = fc.oneof(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.bigInt({ min: -(10n ** 10n), max: 10n ** 10n }),
    )
    await fc.assert(
      fc.asyncProperty(any, async (nanoseconds) => {
        const go = await oracle.ask('duration.format', { nanoseconds: String(nanoseconds) })
        expect({ result: formatDuration(nanoseconds) }).toEqual(go)
      }),
      runs(1000),
    )
  })
})
