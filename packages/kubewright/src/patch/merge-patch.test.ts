import { describe, expect, it } from 'vitest'
import { frozen } from './frozen.test-support.js'
import { applyMergePatch, createMergePatch, createThreeWayMergePatch } from './index.js'

describe('JSON merge patches', () => {
  it('merge objects, delete with null and replace lists', () => {
    const document = frozen({ a: { b: 1, c: 2 }, l: [1, 2] })
    expect(applyMergePatch(document, frozen({ a: { c: null, d: 3 }, l: [3], n: { x: null } }))).toEqual({
      a: { b: 1, d: 3 },
      l: [3],
      n: {},
    })
  })

  it('are what differs', () => {
    expect(createMergePatch(frozen({ a: 1, b: { c: 1, d: 1 }, l: [1] }), frozen({ b: { c: 2 }, l: [1] }))).toEqual({
      a: null,
      b: { c: 2, d: null },
    })
  })

  it('of three objects keep what others have added', () => {
    const original = frozen({ spec: { a: 1, gone: 1 } })
    const modified = frozen({ spec: { a: 2 } })
    const current = frozen({ spec: { a: 1, gone: 1, theirs: 1 } })
    const patch = createThreeWayMergePatch(original, modified, current)
    expect(patch).toEqual({ spec: { a: 2, gone: null } })
    expect(applyMergePatch(current, patch)).toEqual({ spec: { a: 2, theirs: 1 } })
  })
})
