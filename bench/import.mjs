// What `import 'kubewright'` costs over a bare node: milliseconds from start to exit, and resident memory.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { difference, interleaved, report } from './lib/stats.mjs'

const print = 'process.stdout.write(`${process.memoryUsage.rss()} ${names}`)'

/** Runs a program in a fresh process: its wall time, its memory at the end, and the number of exports it saw. */
function start(program) {
  const from = performance.now()
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', `${program}\n${print}`], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  })
  const ms = performance.now() - from
  const [rss, names] = output.split(' ').map(Number)
  return { ms, mb: rss / 1e6, names }
}

const program = `import * as kubewright from 'kubewright'
const names = ['Clientset', 'SharedInformerFactory', 'RateLimitingQueue', 'getConfig'].filter((name) => kubewright[name]).length`

const [bare, loaded] = await interleaved(
  15,
  () => start('const names = 0'),
  () => start(program),
)
for (const { names } of loaded) assert.equal(names, 4, 'the library was not loaded whole')

const column = (rows, key) => rows.map((row) => row[key])
report('import kubewright, over bare node', 'ms', difference(column(loaded, 'ms'), column(bare, 'ms')), 60)
report('import kubewright, memory over bare node', 'MB', difference(column(loaded, 'mb'), column(bare, 'mb')), 15)
