import { describe, expect, it } from 'vitest'
import {
  DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  isDeletedFinalStateUnknown,
  KeyError,
  metaNamespaceKeyFunc,
  splitMetaNamespaceKey,
} from './keys.js'

describe('metaNamespaceKeyFunc', () => {
  it.each([
    [{ metadata: { namespace: 'default', name: 'web' } }, 'default/web'],
    [{ metadata: { name: 'node-1' } }, 'node-1'],
    [{ metadata: { namespace: '', name: 'node-1' } }, 'node-1'],
  ])('of %j is %s', (obj, key) => {
    expect(metaNamespaceKeyFunc(obj)).toBe(key)
    expect(deletionHandlingMetaNamespaceKeyFunc(obj)).toBe(key)
  })

  it.each([
    [{}, 'object has no metadata'],
    [{ metadata: {} }, 'object has no metadata.name'],
    [{ metadata: { name: '' } }, 'object has no metadata.name'],
    [{ metadata: { name: 5 } }, 'object has no metadata.name'],
    [undefined, 'object has no metadata'],
    [null, 'object has no metadata'],
  ])('of %j is none', (obj, problem) => {
    expect(() => metaNamespaceKeyFunc(obj as object)).toThrow(KeyError)
    expect(() => metaNamespaceKeyFunc(obj as object)).toThrow(problem)
  })

  it('names the kind and nothing else of what has no key', () => {
    const secret = { kind: 'Secret', data: { token: 'c2VjcmV0' }, metadata: {} }
    expect(() => metaNamespaceKeyFunc(secret)).toThrow(
      "couldn't create key for object Secret: object has no metadata.name",
    )
  })
})

describe('a missed deletion', () => {
  const missed = new DeletedFinalStateUnknown('ns/gone', { metadata: { name: 'gone', namespace: 'ns' } })

  it('has its own key', () => {
    expect(deletionHandlingMetaNamespaceKeyFunc(missed)).toBe('ns/gone')
    expect(deletionHandlingMetaNamespaceKeyFunc(new DeletedFinalStateUnknown('a', undefined))).toBe('a')
  })

  it('can be told from an object', () => {
    expect(isDeletedFinalStateUnknown(missed)).toBe(true)
    expect(isDeletedFinalStateUnknown({ metadata: { name: 'here' } })).toBe(false)
  })
})

describe('splitMetaNamespaceKey', () => {
  it.each([
    ['ns/name', { namespace: 'ns', name: 'name' }],
    ['name', { namespace: '', name: 'name' }],
    ['ns/', { namespace: 'ns', name: '' }],
    ['/name', { namespace: '', name: 'name' }],
    ['', { namespace: '', name: '' }],
  ])('takes %j apart', (key, parts) => {
    expect(splitMetaNamespaceKey(key)).toEqual(parts)
  })

  it.each(['a/b/c', '//', 'a/b/'])('refuses %j', (key) => {
    expect(() => splitMetaNamespaceKey(key)).toThrow(`unexpected key format: ${JSON.stringify(key)}`)
  })
})
