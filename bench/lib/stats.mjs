// Measuring on a noisy machine: what is compared runs in turns, and the middle of many runs counts.

/** The median of `values`, and the interval that holds it with 95 % confidence (order statistics of the sign test). */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (rank) => sorted[Math.min(sorted.length - 1, Math.max(0, rank))]
  const half = (1.96 * Math.sqrt(sorted.length)) / 2
  const middle = (sorted.length - 1) / 2
  return {
    value: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    low: at(Math.floor(middle - half)),
    high: at(Math.ceil(middle + half)),
  }
}

/** Runs the functions in turns, `runs` times each after one uncounted round; resolves to each one's results. */
export async function interleaved(runs, ...measures) {
  const results = measures.map(() => [])
  for (let run = -1; run < runs; run++) {
    for (const [i, measure] of measures.entries()) {
      const result = await measure()
      if (run >= 0) results[i].push(result)
    }
  }
  return results
}

/** The median of `a[i] - b[i]`: what `a` costs over `b`, pair by pair. */
export const difference = (a, b) => median(a.map((value, i) => value - b[i]))

/**
 * Prints one result as a line of JSON, which `npm run bench` puts into its table. `goal` is an upper bound for the
 * interval's high end; a result without one is only told.
 */
export function report(what, unit, { value, low, high }, goal) {
  console.log(JSON.stringify({ what, unit, value, low, high, goal }))
}
