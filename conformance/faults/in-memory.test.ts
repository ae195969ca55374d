// Some fault runs of each kind on every change; `npm run faults` makes a thousand, of any seeds.

import { expect, it } from 'vitest'
import { informerRun } from './informer-run.js'

/** FAULTS_SEED=N starts elsewhere. */
const first = Number(process.env['FAULTS_SEED'] ?? 1)

it.each(Array.from({ length: 24 }, (_, i) => first + i))(
  'an informer ends where its server is, whatever went wrong (seed %i)',
  async (seed) => {
    const { problems, trace } = await informerRun(seed)
    expect(problems, trace.slice(-60).join('\n')).toEqual([])
  },
  30_000,
)

it('a seed says all of a run', async () => {
  const [once, again] = [await informerRun(first), await informerRun(first)]
  expect(again).toEqual(once)
  expect(await informerRun(first + 1)).not.toEqual(once)
}, 30_000)
