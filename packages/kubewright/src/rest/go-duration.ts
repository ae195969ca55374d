// Go's way to write a duration, which is what the server's `timeout` parameter takes.

/** `90_000` → `1m30s`, `1500` → `1.5s`, `250` → `250ms`. Milliseconds in; fractions down to a microsecond are kept. */
export function formatGoDuration(ms: number): string {
  const micros = Math.round(Math.abs(ms) * 1000)
  if (micros === 0) return '0s'
  const sign = ms < 0 ? '-' : ''
  if (micros < 1000) return `${sign}${micros}µs`
  if (micros < 1_000_000) return `${sign}${micros / 1000}ms`
  const hours = Math.floor(micros / 3_600_000_000)
  const minutes = Math.floor(micros / 60_000_000) % 60
  const seconds = (micros % 60_000_000) / 1_000_000
  const h = hours > 0 ? `${hours}h` : ''
  const m = hours > 0 || minutes > 0 ? `${minutes}m` : ''
  return `${sign}${h}${m}${seconds}s`
}
