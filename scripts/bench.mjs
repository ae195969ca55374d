// npm run bench: runs bench/*.mjs one after the other, or those named, and prints one table of what they report.
// A goal is met when the upper end of the interval is within it. Exit code 1: a goal missed, or a benchmark failed.
import { readdirSync } from 'node:fs'
import { root } from './lib/repository.mjs'
import { run } from './lib/run.mjs'

const wanted = process.argv.slice(2)
const scripts = readdirSync(`${root}/bench`)
  .filter((file) => file.endsWith('.mjs'))
  .filter((file) => wanted.length === 0 || wanted.includes(file.replace('.mjs', '')))
if (scripts.length === 0) throw new Error(`there is no benchmark ${wanted.join(', ')} in bench/`)

const rows = [['', 'median', '95 % interval', 'goal', '']]
for (const script of scripts) {
  process.stderr.write(`bench/${script} …\n`)
  const { code, stdout, output } = await run(process.execPath, [`bench/${script}`], { cwd: root })
  const results = stdout.split('\n').filter((line) => line.startsWith('{"what"'))
  for (const { what, unit, value, low, high, goal } of results.map((line) => JSON.parse(line))) {
    const number = (n) => n.toFixed(Math.abs(n) < 10 ? 2 : 0)
    const verdict = goal === undefined ? '' : high <= goal ? 'met' : 'MISSED'
    const interval = low === high ? '' : `${number(low)} – ${number(high)}`
    rows.push([what, `${number(value)} ${unit}`, interval, goal === undefined ? '' : `<= ${goal} ${unit}`, verdict])
  }
  if (code === 0 && results.length > 0) continue
  rows.push([script, '', '', '', 'FAILED'])
  process.stderr.write(output || `${script} reported nothing\n`)
}

const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
for (const row of rows)
  console.log(
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  )
process.exitCode = rows.some((row) => ['MISSED', 'FAILED'].includes(row[4])) ? 1 : 0
