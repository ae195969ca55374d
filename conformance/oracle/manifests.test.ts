import fc from 'fast-check'
import { decodeYAMLOrJSON, parseLossless } from 'kubewright/meta'
import { expect, it } from 'vitest'
import { runs } from './arbitraries.js'
import { describeWithOracle } from './describe-with-oracle.js'

const scalar = fc.oneof(
  fc.constantFrom(
    '0644',
    '0o644',
    '08',
    '1_000',
    '1.10',
    '1e3',
    'yes',
    'no',
    'on',
    'Off',
    'true',
    'y',
    'N',
    '~',
    'null',
  ),
  fc.constantFrom(
    '2026-01-01',
    '12:30:45',
    '0x1F',
    '0b11',
    '+5',
    '-0',
    'web',
    "'0644'",
    '"yes"',
    '!!str 5',
    '.5',
    '1.2.3',
  ),
  fc.constantFrom('9007199254740993', '-9223372036854775808', '18446744073709551615', '18446744073709551616', '1Gi'),
  fc.constantFrom('[1, a, {b: c}]', '{a: 0400, b: [yes]}', '"a\\u00e9\\n"', '[]', '{}'),
  fc.integer().map(String),
)
const key = fc.constantFrom('kind', 'data', 'mode', 'name', 'spec')
const block = fc
  .uniqueArray(fc.tuple(key, scalar), { minLength: 1, maxLength: 4, selector: ([name]) => name })
  .map((members) => members.map(([name, value]) => `${name}: ${value}\n`).join(''))
const nested = block.map((text) => `spec2:\n${text.replace(/^/gm, '  ').trimEnd()}\nitems:\n- ${text.split('\n')[0]}\n`)
const json = fc.dictionary(key, fc.jsonValue({ maxDepth: 2 })).map((value) => JSON.stringify(value))
const document = fc.oneof(block, nested, json, fc.constantFrom('', '# nothing\n', 'null\n'))
const text = fc.array(document, { minLength: 1, maxLength: 4 }).map((all) => all.join('\n---\n'))

describeWithOracle('manifests', (oracle) => {
  it('have the objects that client-go finds in them', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (given) => {
        const go = await oracle.ask<string[]>('manifests.decode', { text: given })
        if (!('result' in go)) throw new Error(`${go.error}: ${given}`)
        expect(await decodeYAMLOrJSON(given), given).toEqual(go.result.map(parseLossless))
      }),
      runs(1000),
    )
  })
})
