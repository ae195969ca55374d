import { describe, expect, it } from 'vitest'
import { atomicStruct, field, granular, keyedListOf, string, struct } from './schema-build.js'

describe('a struct', () => {
  it('makes its fields when they are first looked at, and once', () => {
    let made = 0
    const schema = struct('example.v1.Widget', () => {
      made++
      return { name: string }
    })
    expect(made).toBe(0)
    expect(schema.fields).toBe(schema.fields)
    expect(schema.fields).toEqual({ name: { schema: string } })
    expect(made).toBe(1)
  })

  it('may contain itself', () => {
    const schema = struct('example.v1.Node', () => ({ next: schema }))
    expect(schema.fields['next']?.schema).toBe(schema)
  })

  it('has no fields but its own', () => {
    const { fields } = struct('example.v1.Widget', () => ({}))
    expect(fields['constructor']).toBeUndefined()
    expect(Object.isFrozen(fields)).toBe(true)
  })

  it('may be atomic in all places but one', () => {
    const atomic = atomicStruct('example.v1.Reference', () => ({ name: string }))
    expect(atomic.atomic).toBe(true)
    expect(granular(atomic).atomic).toBeUndefined()
    expect(granular(atomic).fields['name']).toEqual({ schema: string })
    expect(granular(atomic).name).toBe('example.v1.Reference')
  })
})

it('a field says what there is to say, as Go does in its tags', () => {
  const list = keyedListOf(string, ['name'], { name: '' })
  expect(field(list, 'merge,retainKeys', 'name')).toEqual({
    schema: list,
    patchStrategy: ['merge', 'retainKeys'],
    patchMergeKey: 'name',
  })
  expect(field(list, 'merge')).toEqual({ schema: list, patchStrategy: ['merge'] })
})
