import { describe, expect, it } from 'vitest'
import { frozen } from './frozen.test-support.js'
import { applyJsonPatch, createJsonPatch, JsonPatchError } from './index.js'

describe('JSON patches', () => {
  it('do all steps, in their order', () => {
    const result = applyJsonPatch(frozen({ a: { b: [1, 2] }, c: 'x' }), [
      { op: 'test', path: '/c', value: 'x' },
      { op: 'add', path: '/a/b/1', value: 5 },
      { op: 'add', path: '/a/b/-', value: { n: 1 } },
      { op: 'replace', path: '/c', value: 'y' },
      { op: 'move', from: '/c', path: '/a/d' },
      { op: 'copy', from: '/a/d', path: '/e' },
      { op: 'remove', path: '/a/b/0' },
    ])
    expect(result).toEqual({ a: { b: [5, 2, { n: 1 }], d: 'y' }, e: 'y' })
  })

  it('do nothing when a step fails, and say which one', () => {
    const document = { a: 1 }
    const apply = () =>
      applyJsonPatch(document, [
        { op: 'add', path: '/b', value: 2 },
        { op: 'test', path: '/a', value: 2 },
      ])
    expect(apply).toThrow(new JsonPatchError(1, 'testing value /a failed: test failed'))
    expect(document).toEqual({ a: 1 })
  })

  it.each([
    [
      [{ op: 'add', path: '/x/y', value: 1 }],
      'add operation does not apply: doc is missing path: "/x/y": missing value',
    ],
    [
      [{ op: 'remove', path: '/x' }],
      "error in remove for path: '/x': Unable to remove nonexistent key: x: missing value",
    ],
    [
      [{ op: 'add', path: '/l/7', value: 1 }],
      "error in add for path: '/l/7': Unable to access invalid index: 7: invalid index referenced",
    ],
    [[{ op: 'delete', path: '/x' }], 'Unexpected kind: delete'],
  ])('%j fails as at the server', (steps, message) => {
    expect(() => applyJsonPatch({ l: [] }, steps as never)).toThrow(message)
  })

  it('have names with slashes and tildes escaped', () => {
    const changed = { metadata: { annotations: { 'a/b': '1', 'm~n': '2' } } }
    const steps = createJsonPatch({ metadata: { annotations: { 'a/b': '0' } } }, changed)
    expect(steps).toEqual([
      { op: 'replace', path: '/metadata/annotations/a~1b', value: '1' },
      { op: 'add', path: '/metadata/annotations/m~0n', value: '2' },
    ])
  })

  it('are as small as what differs', () => {
    expect(createJsonPatch({ l: [1, 2, 3, 4] }, { l: [1, 3, 4] })).toEqual([{ op: 'remove', path: '/l/1' }])
    expect(createJsonPatch({ a: null }, { a: null })).toEqual([])
    expect(createJsonPatch({ n: 2n ** 60n }, { n: 2n ** 60n + 1n })).toEqual([
      { op: 'replace', path: '/n', value: 2n ** 60n + 1n },
    ])
  })
})
