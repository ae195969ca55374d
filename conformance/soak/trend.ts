// Whether something grows: the straight line through samples of it.

export interface Trend {
  /** The slope, a minute. */
  perMinute: number
  /** Half of the slope's 95 % interval. */
  uncertainty: number
  /** What the line gains from the first sample to the last, as a share of the mean. */
  growth: number
}

/** The line of least squares through points in time. */
export function trend(points: readonly { seconds: number; value: number }[]): Trend {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const minutes = points.map(({ seconds }) => seconds / 60)
  const middle = mean(minutes)
  const level = mean(points.map(({ value }) => value))
  let [spread, together] = [0, 0]
  for (const { seconds, value } of points) {
    spread += (seconds / 60 - middle) ** 2
    together += (seconds / 60 - middle) * (value - level)
  }
  const perMinute = together / spread
  const residuals = points.map(({ seconds, value }) => value - level - perMinute * (seconds / 60 - middle))
  const variance = residuals.reduce((sum, residual) => sum + residual ** 2, 0) / (points.length - 2)
  const time = (minutes.at(-1) ?? Number.NaN) - (minutes[0] ?? Number.NaN)
  return { perMinute, uncertainty: 1.96 * Math.sqrt(variance / spread), growth: (perMinute * time) / level }
}
