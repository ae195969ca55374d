import { expect, it } from 'vitest'
import { goType, goValue } from './go-format.js'

it.each<[string, string, unknown]>([
  ['<nil>', '<nil>', null],
  ['web', 'string', 'web'],
  ['true', 'bool', true],
  ['1000000', 'int64', 1_000_000],
  ['4611686018427388000', 'int64', 2 ** 62],
  ['4611686018427387904', 'int64', 2n ** 62n],
  ['1.2345675e+06', 'float64', 1_234_567.5],
  ['123456.5', 'float64', 123_456.5],
  ['1.8446744073709552e+19', 'float64', 2 ** 64],
  ['1.5e-05', 'float64', 1.5e-5],
  ['[1 a <nil>]', '[]interface {}', [1, 'a', null]],
  ['map[a:1 b:[map[]]]', 'map[string]interface {}', { b: [{}], a: 1, c: undefined }],
  ['map[\uFFFD:1 😀:2]', 'map[string]interface {}', { '\uFFFD': 1, '😀': 2 }],
])('%s is the text of a %s', (text, type, value) => {
  expect([goValue(value), goType(value)]).toEqual([text, type])
})
