// Inputs: valid ones by construction, and what becomes of them when a few characters are changed.
import fc from 'fast-check'

/** Text of characters that the grammars at hand care about, and of some that none expects. */
export function textOf(alphabet: string, maxLength = 24): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...alphabet, 'é', '\u2028', '"', '\\', '\t', '\u007f'), maxLength })
}

/** A text with up to three characters removed, replaced or put in. */
function mutated(valid: fc.Arbitrary<string>, alphabet: string): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.nat(200),
    remove: fc.integer({ min: 0, max: 2 }),
    insert: textOf(alphabet, 2),
  })
  return fc
    .tuple(valid, fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([text, changes]) =>
      changes.reduce((current, { at, remove, insert }) => {
        const start = current.length === 0 ? 0 : at % (current.length + 1)
        return current.slice(0, start) + insert + current.slice(start + remove)
      }, text),
    )
    .filter((text) => text.isWellFormed())
}

/** Valid, mutated and arbitrary texts, in this order of frequency. */
export function mostlyValid(valid: fc.Arbitrary<string>, alphabet: string): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: valid },
    { weight: 3, arbitrary: mutated(valid, alphabet) },
    { weight: 1, arbitrary: textOf(alphabet) },
  )
}

/**
 * How often a property is tried, and from which seed: the same in every run, so that a run says something of the code
 * and not of its luck. `npm run oracle -- --runs N --seed N` explores others.
 */
export function runs(numRuns: number): { numRuns: number; seed: number } {
  const { ORACLE_RUNS, ORACLE_SEED } = process.env
  return { numRuns: Number(ORACLE_RUNS ?? numRuns), seed: Number(ORACLE_SEED ?? 1) }
}
