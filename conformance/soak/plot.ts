// A small SVG of what a soak took.

import type { Sample } from './soak.js'

const [width, height, left, bottom] = [720, 260, 50, 30]
const lines = { rss: '#999999', heapUsed: '#1f77b4', external: '#d62728' } as const

/** Memory in MiB over time in minutes. */
export function plot(samples: readonly Sample[]): string {
  const last = samples.at(-1)?.seconds ?? 1
  const most = Math.max(1, ...samples.map(({ rss }) => rss / 2 ** 20)) * 1.05
  const x = (seconds: number): string => (left + (seconds / last) * (width - left - 10)).toFixed(1)
  const y = (mebibytes: number): string => (height - bottom - (mebibytes / most) * (height - bottom - 10)).toFixed(1)
  const text = (atX: string | number, atY: string | number, what: string, color = '#333'): string =>
    `<text x="${atX}" y="${atY}" fill="${color}" font-family="sans-serif" font-size="11">${what}</text>`
  const paths = Object.entries(lines).map(([name, color], i) => {
    const points = samples.map((sample) => `${x(sample.seconds)},${y(sample[name as keyof typeof lines] / 2 ** 20)}`)
    return `<polyline fill="none" stroke="${color}" points="${points.join(' ')}"/>${text(left + 10 + i * 90, 20, name, color)}`
  })
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(
    (part) =>
      text(8, y(part * most), (part * most).toFixed(0)) +
      text(x(part * last), height - 10, ((part * last) / 60).toFixed(1)),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="#fff"/>${ticks.join('')}${paths.join('')}${text(width - 90, height - 10, 'minutes; MiB')}</svg>\n`
}
