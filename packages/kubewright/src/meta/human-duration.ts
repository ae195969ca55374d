// Ages as kubectl shows them.

const minute = 60
const hour = 60 * minute
const day = 24 * hour
const year = 365 * day

/** A range of durations: below how many seconds, in which unit, and beside it in which smaller one. */
interface Range {
  readonly below: number
  readonly unit: number
  readonly rest?: number
}

const ranges: readonly Range[] = [
  { below: 2 * minute, unit: 1 },
  { below: 10 * minute, unit: minute, rest: 1 },
  { below: 3 * hour, unit: minute },
  { below: 8 * hour, unit: hour, rest: minute },
  { below: 2 * day, unit: hour },
  { below: 8 * day, unit: day, rest: hour },
  { below: 2 * year, unit: day },
  { below: 8 * year, unit: year, rest: day },
]

const shortRanges: readonly Range[] = [
  { below: minute, unit: 1 },
  { below: hour, unit: minute },
  { below: day, unit: hour },
  { below: year, unit: day },
]

const letters = new Map([
  [1, 's'],
  [minute, 'm'],
  [hour, 'h'],
  [day, 'd'],
  [year, 'y'],
])

/**
 * A duration in two or three digits, as kubectl shows ages: `90_000` → `90s`, `5 * 60_000` → `5m`, `26 * 3_600_000` → `26h`,
 * `3 * 86_400_000` → `3d`. Less than nothing is `0s`, since clocks differ; from two seconds on it is `<invalid>`.
 *
 * @param ms milliseconds.
 * @throws RangeError when the number is not finite.
 */
export function humanDuration(ms: number): string {
  return written(ms, ranges)
}

/**
 * A duration in its greatest unit alone: `90_000` → `1m`; otherwise as {@link humanDuration}.
 *
 * @throws RangeError when the number is not finite.
 */
export function shortHumanDuration(ms: number): string {
  return written(ms, shortRanges)
}

function written(ms: number, of: readonly Range[]): string {
  if (!Number.isFinite(ms)) throw new RangeError(`a duration is a number of milliseconds: got ${ms}`)
  const seconds = Math.trunc(ms / 1000)
  if (seconds < -1) return '<invalid>'
  const length = Math.max(seconds, 0)
  const { unit, rest } = of.find(({ below }) => length < below) ?? { unit: year }
  const beside = rest === undefined ? 0 : Math.trunc((length % unit) / rest)
  const whole = `${Math.trunc(length / unit)}${letters.get(unit)}`
  return rest === undefined || beside === 0 ? whole : `${whole}${beside}${letters.get(rest)}`
}
