// Suites that need what not every machine has: skipped, by name, on somebody's machine; a failure in CI.
import { describe, it } from 'vitest'

/** Whether this run is CI's: the environment variable CI is set, and to something other than `0` and `false`. */
const inCI: boolean = !['', '0', 'false'].includes(process.env['CI'] ?? '')

/**
 * Vitest's `describe`, of tests that are reported as skipped where something is missing; in CI the suite fails instead.
 *
 * @param missing what is missing, and what to do; undefined: nothing.
 */
export function describeWherePossible(name: string, missing: string | undefined, define: () => void): void {
  if (missing === undefined) {
    describe(name, define)
  } else if (inCI) {
    describe(name, () => {
      it('has what it needs', () => {
        throw new Error(missing)
      })
    })
  } else {
    describe.skip(name, define)
  }
}
