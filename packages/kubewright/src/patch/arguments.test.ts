// What every function of the room takes, and what it refuses.

import { describe, expect, it } from 'vitest'
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  createMergePatch,
  createThreeWayStrategicMergePatch,
  createTwoWayStrategicMergePatch,
  mergePatchesConflict,
  mergeStrategicMergePatches,
  strategicMergePatchesConflict,
} from './index.js'

describe('every argument', () => {
  const apply = (value: unknown) => applyMergePatch({}, { value })

  it('may have members of any name', () => {
    const odd = JSON.parse('{"__proto__":{"a":1},"constructor":{"b":1},"prototype":1}') as object
    expect(JSON.stringify(applyMergePatch({}, odd))).toBe(JSON.stringify(odd))
    expect(JSON.stringify(createMergePatch({}, odd))).toBe(JSON.stringify(odd))
    expect(applyJsonPatch({}, [{ op: 'add', path: '/__proto__', value: { a: 1 } }])).not.toHaveProperty('a')
    expect(() => applyJsonPatch({}, [{ op: 'add', path: '/constructor/x', value: 1 }])).toThrow('missing path')
    expect({}).not.toHaveProperty('a')
  })

  it('keeps integers beyond 2^53', () => {
    expect(apply(2n ** 62n)).toEqual({ value: 2n ** 62n })
    expect(createMergePatch({ n: 5 }, { n: 5n })).toEqual({})
  })

  it('may have undefined members, which are none', () => {
    expect(apply(undefined)).toEqual({})
    expect(Object.keys(applyMergePatch({ a: undefined, b: 1 }, {}))).toEqual(['b'])
  })

  it.each([
    [Number.NaN, 'the merge patch has a value that JSON has not: NaN'],
    [Number.POSITIVE_INFINITY, 'the merge patch has a value that JSON has not: Infinity'],
    [new Date(0), 'the merge patch has a value that JSON has not: a Date'],
    [() => 1, 'the merge patch has a value that JSON has not: a function'],
    [[undefined], 'the merge patch has a value that JSON has not: undefined'],
  ])('is refused with %s in it', (value, message) => {
    expect(() => apply(value)).toThrow(new TypeError(message))
  })

  it('is refused when it contains itself', () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    expect(() => apply(circle)).toThrow('the merge patch is nested more than 1000 deep, or contains itself')
  })

  it('is refused when two patches that contain themselves are compared', () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    expect(() => mergePatchesConflict(circle, circle)).toThrow('the left patch is nested more than 1000 deep')
  })

  it.each([[undefined], [null], [{ op: 'remove', path: '/a' }]])(
    'is a list of operations in a JSON patch: %j',
    (given) => {
      expect(() => applyJsonPatch({}, given as never)).toThrow(
        'a JSON patch is a list of operations; applyMergePatch takes an object',
      )
      expect(() => applyJsonPatch({}, [given && 'remove'] as never)).toThrow(
        /^step 0 of the JSON patch has to be an object, not (undefined|null|a string|a String)$/,
      )
    },
  )

  it.each([[undefined], [null], [{ group: 'apps', version: 'v1', kind: 'Deployment' }]])(
    'has a schema, where lists merge: %j is none',
    (schema) => {
      const given = schema as never
      for (const call of [
        () => applyStrategicMergePatch({}, {}, given),
        () => createTwoWayStrategicMergePatch({}, {}, given),
        () => createThreeWayStrategicMergePatch({}, {}, {}, given),
        () => mergeStrategicMergePatches([{}], given),
        () => strategicMergePatchesConflict({}, {}, given),
      ]) {
        expect(call).toThrow(/^a strategic merge patch needs the schema of its object, such as DeploymentSchema/)
      }
    },
  )

  it('has to be an object', () => {
    expect(() => applyMergePatch({}, [])).toThrow('the merge patch has to be an object, not a list')
    expect(() => createMergePatch(null as never, {})).toThrow('the original has to be an object, not null')
  })

  it('shares nothing with a result', () => {
    const [document, patch] = [{ a: { b: 1 } }, { c: { d: 1 } }]
    const result = applyMergePatch(document, patch) as typeof document & typeof patch
    expect(result.a).not.toBe(document.a)
    expect(result.c).not.toBe(patch.c)
  })
})
