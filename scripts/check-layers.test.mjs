import { describe, expect, it } from 'vitest'
import { brokenRules, importsOf } from './check-layers.mjs'

const broken = (sources) => brokenRules(new Map(Object.entries(sources)))

describe('importsOf', () => {
  it.each([
    ["import { a } from './a.js'", './a.js', 1],
    ["import type { A } from './a.js'", './a.js', 1],
    ["import './a.js'", './a.js', 1],
    ["import * as a from './a.js'", './a.js', 1],
    ["export * from './a.js'", './a.js', 1],
    ["\nexport {\n  a,\n  b,\n} from './a.js'", './a.js', 5],
    ["const a = await import('./a.js')", './a.js', 1],
    ["let a: import('./a.js').A", './a.js', 1],
  ])('finds the import in %j', (text, specifier, line) => {
    expect(importsOf(text)).toEqual([{ specifier, line }])
  })

  it.each([
    " * import { a } from './a.js'",
    "// import('./a.js')",
    "export const a = 'a'",
    "export interface A {\n  /** read from 'a' */\n  a: string\n}",
  ])('finds none in %j', (text) => {
    expect(importsOf(text)).toEqual([])
  })
})

describe('brokenRules', () => {
  it('accepts imports downwards through index.ts, and of generated code from anywhere above it', () => {
    expect(
      broken({
        'clock/index.ts': "export { c } from './clock.js'",
        'clock/clock.ts': "import { a } from 'node:timers'",
        'meta/kind.ts': '',
        'gen/api/apps/v1.ts': "import { kind } from '../../../meta/kind.js'",
        'meta/errors.ts': "import type { Status } from '../gen/api/apps/v1.js'",
        'rest/rest.ts': "import { c } from '../clock/index.js'",
        'kubernetes/verbs.ts': '',
        'gen/clientset.ts': "import { v } from '../kubernetes/verbs.js'",
        'kubernetes/index.ts': "import { k } from '../gen/clientset.js'",
      }),
    ).toEqual([])
  })

  it.each([
    [
      'an import upwards',
      { 'clock/clock.ts': "\nimport { r } from '../rest/index.js'" },
      /^clock\/clock.ts:2: .*downwards/,
    ],
    ['a room entered past its index', { 'rest/rest.ts': "import { c } from '../clock/clock.js'" }, /only through/],
    ['a way out of the package', { 'rest/rest.ts': "import '../../../../conformance/a.js'" }, /outside its own src/],
    ['the same in a test', { 'rest/rest.test.ts': "import '../../../../examples/a.js'" }, /outside its own src/],
    ['its own name', { 'rest/rest.ts': "import 'kubewright/cache'" }, /relative path/],
    ['a room without a place', { 'attic/a.ts': '' }, /no place in the order/],
    [
      'a circle, of types too',
      { 'rest/a.ts': "import { b } from './b.js'", 'rest/b.ts': "import type { A } from './a.js'" },
      /^rest\/b.ts:1: closes a circle of imports: rest\/a.ts -> rest\/b.ts -> rest\/a.ts$/,
    ],
  ])('refuses %s', (_what, sources, message) => {
    expect(broken(sources)).toEqual([expect.stringMatching(message)])
  })
})
