// How big the library is: as downloaded, and as installed. Exact, so one look is enough.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { report } from './lib/stats.mjs'

const cwd = fileURLToPath(new URL('../packages/kubewright', import.meta.url))
const [{ size, unpackedSize, files }] = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd, encoding: 'utf8' }),
)
assert(
  files.some(({ path }) => path === 'dist/index.js'),
  'the package holds no build',
)
const exactly = (value) => ({ value, low: value, high: value })
report('package, packed', 'MB', exactly(size / 1e6), 2)
report('package, unpacked', 'MB', exactly(unpackedSize / 1e6))
