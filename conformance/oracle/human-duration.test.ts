import fc from 'fast-check'
import { humanDuration, shortHumanDuration } from 'kubewright/meta'
import { expect, it } from 'vitest'
import { runs } from './arbitraries.js'
import { describeWithOracle } from './describe-with-oracle.js'

const year = 365 * 86_400_000

// As many of each length, and moments around the changes from unit to unit.
const durations = fc.oneof(
  ...[10_000, 1_000_000, 100_000_000, year, 100 * year].map((max) => fc.integer({ min: -5_000, max })),
  fc
    .record({
      unit: fc.constantFrom(1_000, 60_000, 3_600_000, 86_400_000, year),
      count: fc.integer({ min: 0, max: 200 }),
      off: fc.integer({ min: -1_001, max: 1_001 }),
    })
    .map(({ unit, count, off }) => unit * count + off),
)

describeWithOracle('ages as kubectl shows them', (oracle) => {
  it('are written as Go writes them', async () => {
    await fc.assert(
      fc.asyncProperty(durations, async (milliseconds) => {
        const result = [humanDuration(milliseconds), shortHumanDuration(milliseconds)]
        expect(await oracle.ask('duration.human', { milliseconds })).toEqual({ result })
      }),
      runs(2000),
    )
  })
})
