// The value of a `--request-timeout` flag.

const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}
const part = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g

/**
 * Milliseconds of a whole number of seconds (`30`) or a Go duration (`1m30s`, `1.5h`, `250ms`).
 *
 * @throws Error for anything else.
 */
export function parseTimeout(text: string): number {
  if (/^\+?\d+$/.test(text)) return Number(text) * 1000
  const [, sign, rest = ''] = /^([-+]?)(.*)$/s.exec(text) ?? []
  const parts = [...rest.matchAll(part)]
  if (rest !== '0' && (rest === '' || parts.map((match) => match[0]).join('') !== rest)) {
    throw new Error(
      `invalid timeout ${JSON.stringify(text)}: give a whole number of seconds, or a number with a unit (1s, 2m, 3h)`,
    )
  }
  const ms = parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (unitMs[unit as string] as number), 0)
  return sign === '-' ? -ms : ms
}
