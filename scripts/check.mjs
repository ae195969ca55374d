// npm run check: everything that can be said of the project without running its tests. One line a step; the output of
// a step that fails follows its line; all steps run, and the exit code is 1 when one failed.
//
//   npm run check                       all steps
//   npm run check -- lint layers        these
//   npm run check -- --json FILE        also writes [{ step, ok, seconds }] there
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { bin, root } from './lib/repository.mjs'
import { run } from './lib/run.mjs'

const script = (name) => [process.execPath, `scripts/check-${name}.mjs`]

/** Name, what it holds, and the commands of each step. */
const steps = [
  [
    'types',
    'packages, tools and examples compile',
    [
      [bin('tsc'), '-b'],
      [process.execPath, 'scripts/bundle.mjs'],
    ],
  ],
  ['test-types', 'tests and type tests compile', [[bin('tsc'), '-p', 'tsconfig.tests.json']]],
  ['format', 'files are formatted (npm run format does it)', [[bin('biome'), 'check', '--error-on-warnings', '.']]],
  ['lint', 'oxlint, with rules that know types', [[bin('oxlint'), '--type-aware', '--deny-warnings']]],
  ['layers', 'rooms import downwards only, no circles', [script('layers')]],
  ['unused', 'no file, export or dependency without a use', [[bin('knip'), '--no-progress']]],
  [
    'generated',
    'generated files are what npm run generate makes',
    [
      [bin('tsc'), '-b', 'tools'],
      [process.execPath, 'tools/dist/generate/main.js', '--check'],
    ],
  ],
  ['doc-examples', 'the programs in doc comments compile', [script('doc-examples')]],
  ['type-cost', 'type instantiations of programs that use the library are within a budget', [script('type-cost')]],
  [
    'bundle-sizes',
    'sizes of bundles are those in the README',
    [[process.execPath, 'scripts/bundle-sizes.mjs', '--check']],
  ],
  [
    'names',
    "docs/names.md has every name of client-go's, and names of ours that are there",
    [
      [bin('tsc'), '-b', 'tools'],
      [process.execPath, 'tools/dist/names/main.js', '--check'],
    ],
  ],
  ['ported-tests', "client-go's tests have their place among ours", [script('ported-tests')]],
  ['docs', 'links in the documentation lead somewhere', [script('docs')]],
  ['words', 'no machine paths or registry hosts', [script('words')]],
  ['package', 'what would be published: contents, size, exports', [script('package')]],
  ['consumer', 'the packed library, installed and used elsewhere', [script('consumer')]],
]

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'string' } } })
const unknown = positionals.filter((name) => !steps.some(([step]) => step === name))
if (unknown.length > 0) {
  console.error(`There is no step ${unknown.join(', ')}. The steps:`)
  for (const [step, holds] of steps) console.error(`  ${step.padEnd(12)}${holds}`)
  process.exit(2)
}

const results = []
for (const [step, holds, commands] of steps) {
  if (positionals.length > 0 && !positionals.includes(step)) continue
  const start = performance.now()
  let failure
  for (const [command, ...args] of commands) {
    const { code, output } = await run(command, args, { cwd: root })
    if (code !== 0) {
      failure = output || `exit code ${code}\n`
      break
    }
  }
  const seconds = Math.round((performance.now() - start) / 100) / 10
  console.log(
    `${failure === undefined ? 'ok    ' : 'FAILED'} ${step.padEnd(12)}${`${seconds.toFixed(1)} s`.padStart(7)}  ${holds}`,
  )
  if (failure !== undefined) console.log(failure.replace(/^(?=.)/gm, '    '))
  results.push({ step, ok: failure === undefined, seconds })
}
if (values.json) writeFileSync(values.json, JSON.stringify(results))
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1
