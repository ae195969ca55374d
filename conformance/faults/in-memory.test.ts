// Some fault runs on every change: of seeds that are always the same, and of some that nobody has tried; `npm run faults`
// makes a thousand, of any seeds.

import { randomInt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { informerRun } from './informer-run.js'

/** FAULTS_SEED=N says where the fresh ones begin. */
const fresh = Number(process.env['FAULTS_SEED'] ?? randomInt(1_000_000))

const seedsFrom = (first: number, count: number): number[] => Array.from({ length: count }, (_, i) => first + i)

describe('an informer ends where its server is, whatever went wrong', () => {
  it.each([...seedsFrom(1, 30), ...seedsFrom(fresh, 20)])(
    'npm run faults -- --runs 1 --seed %i',
    async (seed) => {
      const { problems, trace } = await informerRun(seed)
      expect(problems, [...trace.slice(0, 1), '…', ...trace.slice(-60)].join('\n')).toEqual([])
    },
    60_000,
  )
})

it('a seed says all of a run', async () => {
  const [once, again] = [await informerRun(fresh), await informerRun(fresh)]
  expect(again).toEqual(once)
  expect((await informerRun(fresh + 1)).hash).not.toBe(once.hash)
}, 60_000)
