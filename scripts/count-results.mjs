// Counts what CI's steps reported: node scripts/count-results.mjs FOLDER CRASHES. The folder holds NAME.code, the exit
// code, and NAME.json, the report, of `vitest` and `check`. Prints "N passed, N failed" with ", N skipped" where tests
// were; exits with 1 unless something passed and nothing failed. Never trusts a report against the exit code.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Counts of each kind of report. */
const readers = {
  vitest(report) {
    const count = { passed: report.numPassedTests, failed: report.numFailedTests }
    // A file that could not be loaded has no tests that failed, and is not to be missed.
    const broken = report.testResults.filter(
      ({ status, assertionResults }) =>
        status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed'),
    )
    return { ...count, failed: count.failed + broken.length, skipped: report.numPendingTests + report.numTodoTests }
  },
  check(steps) {
    const passed = steps.filter(({ ok }) => ok).length
    return { passed, failed: steps.length - passed, skipped: 0 }
  },
}

/** What one step comes to: its report's counts, and one failure more when report and exit code do not agree. */
export function countStep(kind, code, text) {
  let count = { passed: 0, failed: 0, skipped: 0 }
  try {
    count = readers[kind](JSON.parse(text))
  } catch {
    return { passed: 0, failed: 1, skipped: 0, problem: `${kind} left no report` }
  }
  if (count.passed + count.failed === 0) return { ...count, failed: 1, problem: `${kind} ran nothing` }
  if (code !== 0 && count.failed === 0) {
    return { ...count, failed: 1, problem: `${kind} ended with exit code ${code}, though nothing it reported failed` }
  }
  return count
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder, crashes] = process.argv.slice(2)
  const total = { passed: 0, failed: Number(crashes), skipped: 0 }
  for (const kind of Object.keys(readers)) {
    const read = (name) => {
      const file = join(folder, `${kind}.${name}`)
      return existsSync(file) ? readFileSync(file, 'utf8') : ''
    }
    const code = read('code')
    // A step that was not reached is part of the crash that came before it.
    if (code === '' && total.failed > 0) continue
    const { passed, failed, skipped, problem } = countStep(kind, Number(code), read('json'))
    if (problem) console.log(problem)
    total.passed += passed
    total.failed += failed
    total.skipped += skipped
  }
  writeFileSync(join(folder, 'counted'), '')
  console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`)
  process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1
}
