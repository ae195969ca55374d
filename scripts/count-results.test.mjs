import { expect, it } from 'vitest'
import { countStep } from './count-results.mjs'

const vitest = (counts, testResults = []) =>
  JSON.stringify({ numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, ...counts, testResults })

it.each([
  ['passed and skipped', 'vitest', 0, vitest({ numPassedTests: 3, numPendingTests: 1, numTodoTests: 1 }), [3, 0, 2]],
  ['a failed test', 'vitest', 1, vitest({ numPassedTests: 3, numFailedTests: 1 }), [3, 1, 0]],
  [
    'a file that failed to load',
    'vitest',
    1,
    vitest({ numPassedTests: 3 }, [{ status: 'failed', assertionResults: [] }]),
    [3, 1, 0],
  ],
  [
    'a file with a failed test',
    'vitest',
    1,
    vitest({ numFailedTests: 1 }, [{ status: 'failed', assertionResults: [{ status: 'failed' }] }]),
    [0, 1, 0],
  ],
  ['an error between tests', 'vitest', 1, vitest({ numPassedTests: 3 }), [3, 1, 0]],
  ['no tests', 'vitest', 0, vitest({}), [0, 1, 0]],
  ['only skipped tests', 'vitest', 0, vitest({ numPendingTests: 2 }), [0, 1, 2]],
  ['no report', 'vitest', 0, '', [0, 1, 0]],
  ['a cut report', 'vitest', 0, '{"numPassedTests":3', [0, 1, 0]],
  ['check steps', 'check', 1, JSON.stringify([{ ok: true }, { ok: false }]), [1, 1, 0]],
  ['no check steps', 'check', 0, '[]', [0, 1, 0]],
])('counts %s', (_what, kind, code, text, [passed, failed, skipped]) => {
  expect(countStep(kind, code, text)).toMatchObject({ passed, failed, skipped })
})
