// A patch's kind and its body cannot disagree.

import { expect, it } from 'vitest'
import { applyPatch, jsonPatch, mergePatch, strategicMergePatch } from './index.js'

it.each([
  ['json-patch+json', jsonPatch([{ op: 'remove', path: '/a' }])],
  ['merge-patch+json', mergePatch({ a: null })],
  ['strategic-merge-patch+json', strategicMergePatch({ a: null })],
  ['apply-patch+yaml', applyPatch({ a: 1 })],
])('says its content type: %s', (type, { contentType }) => {
  expect(contentType).toBe(`application/${type}`)
})

it.each([[undefined], [null], [{ spec: { replicas: 1 } }], ['[]']])('a JSON patch is a list, not %j', (value) => {
  expect(() => jsonPatch(value as never)).toThrow(
    new TypeError('a JSON patch is a list of operations; an object that is merged goes to mergePatch'),
  )
})

it.each([mergePatch, strategicMergePatch, applyPatch])('other patches are objects: %o', (make) => {
  expect(() => make([{ op: 'remove', path: '/a' }])).toThrow(
    /^an? .* patch is an object, not a list; a list of operations goes to jsonPatch$/,
  )
  for (const value of [undefined, null, 5, '{}']) {
    expect(() => make(value as never)).toThrow(/^an? .* patch is an object, not (undefined|null|a number|a string)$/)
  }
})
