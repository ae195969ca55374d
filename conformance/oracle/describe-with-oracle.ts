// Tests that ask the oracle: skipped, by name, where there is no Go; required in CI.
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll } from 'vitest'
import { describeWherePossible } from '../describe-where-possible.js'
import { type Answer, Oracle } from './oracle.js'

const whyNot = 'there is no Go, which the oracle is built with: install 1.26 or newer'
const withoutGo = spawnSync('go', ['version'], { cwd: tmpdir(), stdio: 'ignore' }).status !== 0

/** What the tests of {@link describeWithOracle} are given: an {@link Oracle} that is started before the first of them. */
export type Ask = Pick<Oracle, 'ask' | 'askMany'>

/** Vitest's `describe` with an oracle, closed after the last test. */
export function describeWithOracle(name: string, define: (oracle: Ask) => void): void {
  describeWherePossible(withoutGo ? `${name} (needs Go)` : name, withoutGo ? whyNot : undefined, () => {
    let oracle: Oracle | undefined
    const started = (): Oracle => {
      if (!oracle) throw new Error('the oracle is asked from within tests only')
      return oracle
    }
    // Without its modules in the cache, the build takes a minute or two.
    beforeAll(async () => {
      oracle = await Oracle.start()
    }, 300_000)
    afterAll(() => oracle?.close())
    define({
      ask: (room, input) => started().ask(room, input),
      askMany: (room, inputs) => started().askMany(room, inputs),
    })
  })
}

/** What a function of ours answers, in the form of the oracle's answers. */
export function answerOf<T>(ours: () => T): Answer<T> {
  try {
    return { result: ours() }
  } catch (err) {
    return { error: (err as Error).message }
  }
}
