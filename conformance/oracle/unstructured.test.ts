import fc from 'fast-check'
import * as meta from 'kubewright/meta'
import { expect, it } from 'vitest'
import { runs } from './arbitraries.js'
import { type Ask, answerOf, describeWithOracle } from './describe-with-oracle.js'

const readers = {
  nestedFieldCopy: meta.nestedFieldCopy,
  nestedFieldNoCopy: meta.nestedFieldNoCopy,
  nestedString: meta.nestedString,
  nestedBool: meta.nestedBool,
  nestedInt64: meta.nestedInt64,
  nestedNumberAsFloat64: meta.nestedNumberAsFloat64,
  nestedStringSlice: meta.nestedStringSlice,
  nestedSlice: meta.nestedSlice,
  nestedStringMap: meta.nestedStringMap,
  nestedNullCoercingStringMap: meta.nestedNullCoercingStringMap,
  nestedMap: meta.nestedMap,
}
type Reader = keyof typeof readers

// Few names, so that a path often leads somewhere.
const name = fc.constantFrom('a', 'b', 'c', '', 'x.y', '__proto__', 'constructor', 'é', '\u{10000}', '\uFFFD')
// JSON text of integers beyond 2^53 says another one than the number is.
const number = fc
  .oneof(
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(0.000001, 0.0001, 1e20, 1e21, -1e21, 2 ** 63, 1.5e-7, 123456789.25),
  )
  .filter((n) => !Number.isInteger(n) || Number.isSafeInteger(n) || Math.abs(n) >= 2 ** 63)
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, depthSize: 'large' },
    fc.string({ unit: fc.constantFrom('a', '"', ' ', 'é', '\n'), maxLength: 4 }),
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.array(fc.string({ maxLength: 2, unit: 'grapheme' }), { maxLength: 3 }),
    mapOf(tie('json')),
    mapOf(fc.oneof(fc.constantFrom('x', 'y'), fc.constant(null))),
  ),
}))
const object = mapOf(json)
const path = fc.array(name, { maxLength: 4 })

/** Maps as JSON.parse makes them: `__proto__` is a key like others. */
function mapOf(values: fc.Arbitrary<unknown>): fc.Arbitrary<object> {
  return fc
    .array(fc.tuple(name, values), { maxLength: 4 })
    .map(
      (entries) =>
        JSON.parse(`{${entries.map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v)}`).join()}}`) as object,
    )
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null')

/** Which of several wrong values Go comes upon first is chance. */
const firstWrong = (answer: object): unknown =>
  'error' in answer ? String(answer.error).replace(/(value in the map under key ).*/s, '$1…') : answer

async function expectSameReading(oracle: Ask, reader: Reader, obj: object, fields: string[]): Promise<void> {
  const go = await oracle.ask<{ value: unknown; found: boolean }>(`unstructured.${reader}`, { object: obj, fields })
  const before = JSON.stringify(obj)
  const ours = answerOf(() => readers[reader](obj, ...fields))
  expect(JSON.stringify(obj)).toBe(before)
  if ('error' in go || 'error' in ours) {
    expect(firstWrong(ours)).toEqual(firstWrong(go))
    return
  }
  expect(ours.result !== undefined).toBe(go.result.found)
  if (go.result.found) expect(plain(ours.result)).toEqual(plain(go.result.value))
}

describeWithOracle('fields of unstructured objects', (oracle) => {
  it.each(Object.keys(readers) as Reader[])('%s', async (reader) => {
    await fc.assert(
      fc.asyncProperty(object, path, (obj, fields) => expectSameReading(oracle, reader, obj, fields)),
      runs(500),
    )
  })

  it('setNestedField', async () => {
    await fc.assert(
      fc.asyncProperty(object, fc.array(name, { minLength: 1, maxLength: 4 }), json, async (obj, fields, value) => {
        const go = await oracle.ask('unstructured.setNestedField', { object: obj, fields, value })
        const before = JSON.stringify(obj)
        const ours = answerOf(() => {
          meta.setNestedField(obj, value, ...fields)
          return plain(obj)
        })
        expect(ours).toEqual('error' in go ? go : { result: plain(go.result) })
        // Go has made the maps on the way by then.
        if ('error' in go) expect(JSON.stringify(obj)).toBe(before)
      }),
      runs(1000),
    )
  })

  it('removeNestedField', async () => {
    await fc.assert(
      fc.asyncProperty(object, fc.array(name, { minLength: 1, maxLength: 4 }), async (obj, fields) => {
        const go = await oracle.ask('unstructured.removeNestedField', { object: obj, fields })
        meta.removeNestedField(obj, ...fields)
        expect({ result: plain(obj) }).toEqual('error' in go ? go : { result: plain(go.result) })
      }),
      runs(1000),
    )
  })
})
