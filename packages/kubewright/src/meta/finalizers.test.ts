import { describe, expect, it } from 'vitest'
import { addFinalizer, containsFinalizer, removeFinalizer } from './finalizers.js'

describe('finalizers', () => {
  it('are added once', () => {
    const object: { metadata?: { finalizers?: string[] } } = {}
    expect([addFinalizer(object, 'a/b'), addFinalizer(object, 'a/b'), addFinalizer(object, 'c')]).toEqual([
      true,
      false,
      true,
    ])
    expect(object).toEqual({ metadata: { finalizers: ['a/b', 'c'] } })
  })

  it('are removed, however often they are there', () => {
    const object = { metadata: { finalizers: ['a', 'b', 'a'] } }
    expect([removeFinalizer(object, 'a'), removeFinalizer(object, 'a'), removeFinalizer({}, 'a')]).toEqual([
      true,
      false,
      false,
    ])
    expect(object.metadata.finalizers).toEqual(['b'])
    expect([containsFinalizer(object, 'a'), containsFinalizer(object, 'b'), containsFinalizer({}, 'b')]).toEqual([
      false,
      true,
      false,
    ])
  })
})
