import { describe, expect, it } from 'vitest'
import { newIndexer } from '../cache/index.js'
import { nothing, parseLabelSelector } from '../meta/labels/index.js'
import { newClusterLister, newGenericLister, newNamespacedLister } from './lister.js'

interface Thing {
  metadata: { name: string; namespace?: string; labels?: Record<string, string> }
}

const thing = (namespace: string, name: string, labels?: Record<string, string>): Thing => ({
  metadata: { name, ...(namespace ? { namespace } : {}), ...(labels ? { labels } : {}) },
})

const things = [
  thing('one', 'a', { app: 'web', tier: 'front' }),
  thing('one', 'b', { app: 'web' }),
  thing('two', 'a', { app: 'db' }),
  thing('two', 'c'),
]

const keys = (found: readonly { metadata: { name: string; namespace?: string } }[]): string[] =>
  found.map(({ metadata: { namespace, name } }) => `${namespace}/${name}`).sort()

describe.each([
  ['with the index by namespace', undefined],
  ['without it', {}],
])('the lister of a namespaced resource, %s', (_, indexers) => {
  const indexer = newIndexer<Thing>({ indexers })
  indexer.replace(things, '1')
  const lister = newNamespacedLister(indexer, 'things')

  it.each([
    [undefined, ['one/a', 'one/b', 'two/a', 'two/c']],
    ['', ['one/a', 'one/b', 'two/a', 'two/c']],
    ['app=web', ['one/a', 'one/b']],
    ['app=web,tier', ['one/a']],
    ['app!=web', ['two/a', 'two/c']],
    ['!app', ['two/c']],
    [parseLabelSelector('app in (web,db)'), ['one/a', 'one/b', 'two/a']],
    [nothing, []],
  ])('lists %s in all namespaces', (selector, expected) => {
    expect(keys(lister.list(selector))).toEqual(expected)
    expect(keys(lister.things('').list(selector))).toEqual(expected)
  })

  it('lists in one namespace', () => {
    expect(keys(lister.things('one').list())).toEqual(['one/a', 'one/b'])
    expect(keys(lister.things('one').list('tier=front'))).toEqual(['one/a'])
    expect(lister.things('none').list()).toEqual([])
  })

  it('gets by namespace and name, the cached object itself', () => {
    expect(lister.things('two').get('a')).toBe(things[2])
    expect(lister.things('two').get('b')).toBeUndefined()
    expect(lister.things('').get('a')).toBeUndefined()
  })

  it('refuses what is no selector', () => {
    expect(() => lister.list('a b')).toThrow('unable to parse requirement')
    expect(() => lister.things('one').list('=')).toThrow("found '=', expected: !, identifier, or 'end of string'")
  })
})

describe('the lister of a cluster-scoped resource', () => {
  const indexer = newIndexer<Thing>()
  indexer.replace([thing('', 'x', { a: 'b' }), thing('', 'y')], '1')
  const lister = newClusterLister(indexer)

  it('lists and gets', () => {
    expect(lister.list().length).toBe(2)
    expect(lister.list('a=b').map((obj) => obj.metadata.name)).toEqual(['x'])
    expect(lister.get('y')?.metadata.name).toBe('y')
    expect(lister.get('z')).toBeUndefined()
  })
})

describe('the lister of whatever resource', () => {
  it('gets by name, or in a namespace', () => {
    const indexer = newIndexer<Thing>()
    indexer.replace([...things, thing('', 'x')], '1')
    const lister = newGenericLister(indexer)
    expect(lister.get('x')?.metadata.name).toBe('x')
    expect(lister.byNamespace('one').get('b')).toBe(things[1])
    expect(keys(lister.byNamespace('two').list())).toEqual(['two/a', 'two/c'])
  })
})
