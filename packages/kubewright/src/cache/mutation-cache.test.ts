import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import { noLogger } from '../rest/index.js'
import { DeletedFinalStateUnknown } from './keys.js'
import { MutationCache, type MutationCacheOptions } from './mutation-cache.js'
import { newIndexer } from './store.js'

interface Thing {
  apiVersion: string
  kind: string
  metadata: { name: string; uid: string; resourceVersion: string; labels: { app: string } }
}

const thing = (name: string, resourceVersion: string, { uid = name, app = 'x' } = {}): Thing => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name, uid, resourceVersion, labels: { app } },
})

function setup(options: MutationCacheOptions = {}) {
  const clock = new FakeClock()
  const indexer = newIndexer<Thing>({ indexers: { app: (obj) => [obj.metadata.labels.app] } })
  const cache = new MutationCache<Thing>(indexer, { clock, logger: noLogger, ...options })
  const version = (name: string) => cache.getByKey(name)?.metadata.resourceVersion
  const byApp = (app: string) =>
    cache.byIndex('app', app).map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`)
  return { clock, indexer, cache, version, byApp }
}

describe('MutationCache', () => {
  it('gives the newer of cache and write, compared as numbers', () => {
    const { indexer, cache, version } = setup()
    indexer.add(thing('a', '9'))
    cache.mutation(thing('a', '10'))
    expect(version('a')).toBe('10')
    cache.mutation(thing('a', '9'))
    expect(version('a')).toBe('10')
    indexer.update(thing('a', '18446744073709551615'))
    expect(version('a')).toBe('18446744073709551615')
    cache.mutation(thing('a', '18446744073709551614'))
    expect(version('a')).toBe('18446744073709551615')
  })

  it('finds what the cache does not have only if it is asked to', () => {
    const without = setup()
    without.cache.mutation(thing('a', '1'))
    expect(without.version('a')).toBeUndefined()
    const { cache, version } = setup({ includeAdds: true })
    cache.mutation(thing('a', '1'))
    expect(version('a')).toBe('1')
  })

  it('merges into an index', () => {
    const { indexer, cache, byApp } = setup({ includeAdds: true })
    indexer.add(thing('a', '1'))
    indexer.add(thing('b', '1', { app: 'y' }))
    cache.mutation(thing('a', '2'))
    cache.mutation(thing('b', '2'))
    cache.mutation(thing('c', '3'))
    cache.mutation(thing('d', '3', { app: 'z' }))
    expect(byApp('x')).toEqual(['a@2', 'b@2', 'c@3'])
    indexer.update(thing('b', '4', { app: 'y' }))
    expect(byApp('x')).toEqual(['a@2', 'c@3'])
    expect(() => cache.byIndex('none', 'x')).toThrow('Index with name none does not exist')
    const without = setup()
    without.indexer.add(thing('a', '1'))
    without.cache.mutation(thing('a', '2'))
    without.cache.mutation(thing('c', '3'))
    expect(without.byApp('x')).toEqual(['a@2'])
  })

  it('forgets after a time, and beyond a number', async () => {
    const { clock, cache, version } = setup({ includeAdds: true, size: 2 })
    cache.mutation(thing('a', '1'))
    cache.mutation(thing('b', '1'))
    expect(version('a')).toBe('1')
    cache.mutation(thing('c', '1'))
    expect([version('a'), version('b'), version('c')]).toEqual(['1', undefined, '1'])
    await clock.advance(5 * 60_000)
    expect(version('a')).toBe('1')
    await clock.advance(1)
    expect([version('a'), version('c')]).toEqual([undefined, undefined])
  })

  it('drops a write when its object is deleted, and does not take a late answer for it', () => {
    const { cache, version } = setup({ includeAdds: true })
    cache.mutation(thing('a', '5'))
    cache.onDelete(thing('a', '6'))
    expect(version('a')).toBeUndefined()
    cache.mutation(thing('a', '7'))
    expect(version('a')).toBeUndefined()
    cache.mutation(thing('a', '8', { uid: 'another' }))
    expect(version('a')).toBe('8')
  })

  it('keeps the write of an object that was created anew when the deletion of the old one comes', () => {
    const { cache, version } = setup({ includeAdds: true })
    cache.mutation(thing('a', '8', { uid: 'new' }))
    cache.onDelete(thing('a', '6', { uid: 'old' }))
    expect(version('a')).toBe('8')
    cache.onDelete(new DeletedFinalStateUnknown('a', thing('a', '5', { uid: 'old' })))
    expect(version('a')).toBe('8')
    cache.onDelete(new DeletedFinalStateUnknown('a', undefined))
    expect(version('a')).toBeUndefined()
  })

  it('does not take the answer of a creation that was deleted before it came', () => {
    const { cache, version } = setup({ includeAdds: true })
    cache.onAddOrUpdate(thing('a', '5'))
    cache.onDelete(thing('a', '6'))
    cache.mutation(thing('a', '5'))
    expect(version('a')).toBeUndefined()
  })

  it('drops writes that the cache has come to', () => {
    const { cache, version } = setup({ includeAdds: true })
    cache.mutation(thing('a', '5'))
    cache.onAddOrUpdate(thing('a', '4'))
    expect(version('a')).toBe('5')
    cache.onAddOrUpdate(thing('a', '5'))
    expect(version('a')).toBeUndefined()
  })

  it('leaves out what has no key, and refuses versions that are no numbers', () => {
    const { indexer, cache } = setup()
    cache.mutation({} as Thing)
    indexer.add(thing('a', 'x1'))
    cache.mutation(thing('a', '1'))
    expect(() => cache.getByKey('a')).toThrow('"x1" is no number')
  })
})
