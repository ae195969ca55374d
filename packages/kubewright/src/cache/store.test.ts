import { describe, expect, it } from 'vitest'
import { type Indexers, metaNamespaceIndexFunc, namespaceIndex } from './indexer.js'
import { DeletedFinalStateUnknown, KeyError } from './keys.js'
import { object, type TestObject } from './server.test-support.js'
import { newIndexer, Store } from './store.js'

/** The words of `spec.value` are an object's values in the index `words`. */
const words: Indexers<TestObject> = { words: (obj) => obj.spec?.value?.split(' ').filter(Boolean) ?? [] }

const withValue = (name: string, value: string, version = '1'): TestObject => object(name, version, { spec: { value } })

const names = (objs: readonly { metadata: { name: string } }[]): string[] => objs.map((o) => o.metadata.name).sort()

describe('store', () => {
  it('adds, updates, gets, lists and deletes by key', () => {
    const store = newIndexer<TestObject>()
    store.add(withValue('a', 'one'))
    store.add(withValue('b', 'two'))
    expect(store.getByKey('ns/a')?.spec?.value).toBe('one')
    expect(store.get(withValue('b', 'whatever'))?.spec?.value).toBe('two')
    expect(store.getByKey('ns/c')).toBeUndefined()
    expect(store.listKeys().sort()).toEqual(['ns/a', 'ns/b'])
    store.update(withValue('a', 'new'))
    expect(store.list().map((obj) => obj.spec?.value)).toEqual(['new', 'two'])
    store.delete(object('a', '1'))
    store.delete(object('never', '1'))
    store.delete(new DeletedFinalStateUnknown<TestObject>('ns/b', undefined))
    expect(store.list()).toEqual([])
  })

  it('replaces all', () => {
    const store = newIndexer<TestObject>({ indexers: words })
    store.add(withValue('a', 'old'))
    store.replace([withValue('b', 'new'), withValue('c', 'new')], '7')
    expect(names(store.list())).toEqual(['b', 'c'])
    expect([store.listIndexFuncValues('words'), store.lastStoreSyncResourceVersion()]).toEqual([['new'], '7'])
  })

  it.each([
    ['add', (store: Store<TestObject>) => store.add({} as TestObject)],
    ['update', (store: Store<TestObject>) => store.update({} as TestObject)],
    ['delete', (store: Store<TestObject>) => store.delete({} as TestObject)],
    ['get', (store: Store<TestObject>) => store.get({} as TestObject)],
    ['replace', (store: Store<TestObject>) => store.replace([object('b', '2'), {} as TestObject], '9')],
  ])('refuses to %s what has no key, and stays as it was', (_, call) => {
    const store = new Store<TestObject>({})
    store.add(object('a', '1'))
    expect(() => call(store)).toThrow(KeyError)
    expect([store.listKeys(), store.lastStoreSyncResourceVersion()]).toEqual([['ns/a'], '1'])
  })

  it('takes another key function', () => {
    const store = newIndexer<TestObject>({ keyFunc: (obj) => `key of ${obj.metadata?.name}` })
    store.add(object('a', '1'))
    expect(store.listKeys()).toEqual(['key of a'])
  })

  it('remembers the newest version it was told of', () => {
    const store = newIndexer<TestObject>()
    const after = (change: () => void): string => {
      change()
      return store.lastStoreSyncResourceVersion()
    }
    expect(after(() => {})).toBe('')
    expect(after(() => store.add(object('a', '1')))).toBe('1')
    expect(after(() => store.update(object('a', '2')))).toBe('2')
    expect(after(() => store.bookmark('5'))).toBe('5')
    expect(after(() => store.delete(object('a', '6')))).toBe('6')
    expect(after(() => store.delete(object('never', '7')))).toBe('7')
    expect(after(() => store.delete(new DeletedFinalStateUnknown('ns/x', object('x', '99'))))).toBe('7')
    expect(after(() => store.replace([object('b', '3')], '10'))).toBe('10')
  })
})

it('a store keeps its version at what has none: text, or a deletion that was missed', () => {
  const store = newIndexer<unknown>({ indexers: {}, keyFunc: (obj) => JSON.stringify(obj) })
  const after = (change: () => void): string => {
    change()
    return store.lastStoreSyncResourceVersion()
  }
  expect(after(() => store.add({ metadata: { name: 'a', resourceVersion: '10' } }))).toBe('10')
  expect(after(() => store.add({ metadata: { name: 'b', resourceVersion: '10' } }))).toBe('10')
  expect(after(() => store.add({ metadata: { name: 'c', resourceVersion: '20' } }))).toBe('20')
  expect(after(() => store.delete({ metadata: { name: 'c', resourceVersion: '30' } }))).toBe('30')
  expect(after(() => store.add('just a string'))).toBe('30')
  expect(after(() => store.update({ metadata: { name: 'd', resourceVersion: '25' } }))).toBe('25')
})

describe('indices', () => {
  it('finds by each value, and by the values of an object', () => {
    const store = newIndexer<TestObject>({ indexers: words })
    store.add(withValue('a', 'red blue'))
    store.add(withValue('b', 'blue'))
    store.add(withValue('c', ''))
    expect(names(store.byIndex('words', 'blue'))).toEqual(['a', 'b'])
    expect(names(store.byIndex('words', 'red'))).toEqual(['a'])
    expect(store.byIndex('words', 'green')).toEqual([])
    expect(names(store.index('words', withValue('x', 'red blue blue')))).toEqual(['a', 'b'])
    expect(store.index('words', withValue('x', ''))).toEqual([])
    expect(store.indexKeys('words', 'blue')).toEqual(['ns/a', 'ns/b'])
    expect(store.listIndexFuncValues('words').sort()).toEqual(['blue', 'red'])
  })

  it('follows updates and deletes, and keeps no values that nothing has', () => {
    const store = newIndexer<TestObject>({ indexers: words })
    store.add(withValue('a', 'one two'))
    store.update(withValue('a', 'two three'))
    expect(store.listIndexFuncValues('words').sort()).toEqual(['three', 'two'])
    for (let i = 0; i < 1000; i++) {
      store.add(withValue('job', `id-${i}`))
      store.delete(object('job', '1'))
    }
    store.delete(object('a', '1'))
    expect(store.listIndexFuncValues('words')).toEqual([])
  })

  it('finds every object of a value, through adds, updates and deletes of objects with several', () => {
    const store = newIndexer<TestObject>({ indexers: words })
    const has = (expected: Record<string, string[]>): void => {
      const values = ['foo', 'bar', 'baz']
      const found = values.map((value) => [value, store.indexKeys('words', value).map((key) => key.slice(3))])
      expect(Object.fromEntries(found)).toEqual({ foo: [], bar: [], baz: [], ...expected })
    }
    store.add(withValue('key1', 'foo'))
    store.add(withValue('key2', 'bar'))
    has({ foo: ['key1'], bar: ['key2'] })
    store.update(withValue('key2', 'foo bar'))
    has({ foo: ['key1', 'key2'], bar: ['key2'] })
    store.update(withValue('key1', 'foo bar'))
    has({ foo: ['key1', 'key2'], bar: ['key1', 'key2'] })
    store.add(withValue('key3', 'foo bar baz'))
    has({ foo: ['key1', 'key2', 'key3'], bar: ['key1', 'key2', 'key3'], baz: ['key3'] })
    store.update(withValue('key1', 'foo'))
    has({ foo: ['key1', 'key2', 'key3'], bar: ['key2', 'key3'], baz: ['key3'] })
    store.update(withValue('key2', 'bar'))
    has({ foo: ['key1', 'key3'], bar: ['key2', 'key3'], baz: ['key3'] })
    store.delete(object('key1', '1'))
    has({ foo: ['key3'], bar: ['key2', 'key3'], baz: ['key3'] })
    store.delete(object('key3', '1'))
    has({ bar: ['key2'] })
    expect(store.listIndexFuncValues('words')).toEqual(['bar'])
  })

  it('loses a value of an object and keeps those of others', () => {
    const store = newIndexer<TestObject>({ indexers: words })
    store.add(withValue('one', 'ernie bert'))
    store.add(withValue('two', 'bert oscar'))
    store.add(withValue('tre', 'ernie elmo'))
    const of = (value: string): string[] => names(store.byIndex('words', value))
    expect(['ernie', 'bert', 'elmo', 'oscar', 'elmo1'].map(of)).toEqual([
      ['one', 'tre'],
      ['one', 'two'],
      ['tre'],
      ['two'],
      [],
    ])
    store.delete(object('tre', '1'))
    expect([of('ernie'), of('elmo')]).toEqual([['one'], []])
    store.update(withValue('two', 'oscar'))
    expect([of('bert'), of('oscar')]).toEqual([['one'], ['two']])
  })

  it('has one by namespace, unless told otherwise', () => {
    const store = newIndexer<TestObject>()
    store.add(object('a', '1'))
    store.add({ metadata: { name: 'cluster' } })
    expect(names(store.byIndex(namespaceIndex, 'ns'))).toEqual(['a'])
    expect(names(store.byIndex(namespaceIndex, ''))).toEqual(['cluster'])
    expect(Object.keys(newIndexer<TestObject>({ indexers: {} }).getIndexers())).toEqual([])
    expect(() => metaNamespaceIndexFunc({})).toThrow('object has no metadata')
  })

  it('adds one later, with what is stored', () => {
    const store = newIndexer<TestObject>()
    store.add(withValue('a', 'red'))
    store.addIndexers(words)
    store.add(withValue('b', 'red'))
    expect(names(store.byIndex('words', 'red'))).toEqual(['a', 'b'])
    expect(() => store.addIndexers({ other: () => [], ...words })).toThrow('indexer conflict: words')
    expect(Object.keys(store.getIndexers())).toEqual(['namespace', 'words'])
  })

  it('knows only those it has', () => {
    const store = newIndexer<TestObject>()
    const message = 'Index with name nope does not exist'
    expect(() => store.byIndex('nope', 'x')).toThrow(message)
    expect(() => store.index('nope', object('a', '1'))).toThrow(message)
    expect(() => store.indexKeys('nope', 'x')).toThrow(message)
    expect(store.listIndexFuncValues('nope')).toEqual([])
  })

  it('stores nothing where a function throws', () => {
    const picky: Indexers<TestObject> = {
      ...words,
      picky: (obj) => {
        if (obj.spec?.value === 'bad') throw new Error('bad value')
        return ['ok']
      },
    }
    const store = newIndexer<TestObject>({ indexers: picky })
    store.add(withValue('a', 'good'))
    const message = 'unable to calculate an index entry for key "ns/a" on index "picky": bad value'
    expect(() => store.update(withValue('a', 'bad', '2'))).toThrow(message)
    expect(() => store.replace([withValue('a', 'bad')], '3')).toThrow(message)
    expect(store.getByKey('ns/a')?.spec?.value).toBe('good')
    expect([store.listIndexFuncValues('words'), store.lastStoreSyncResourceVersion()]).toEqual([['good'], '1'])
  })

  it.each([undefined, 'red', { red: true }])('takes %j for no list of values, and stores nothing', (values) => {
    const indexers = { ...words, wrong: () => values } as unknown as Indexers<TestObject>
    const store = newIndexer<TestObject>({ indexers })
    const message = 'on index "wrong": the index function has to return a list of strings'
    expect(() => store.add(withValue('a', 'red'))).toThrow(message)
    expect([store.listKeys(), store.listIndexFuncValues('words')]).toEqual([[], []])
  })

  it('stores the object without its place in an index where errors are reported', () => {
    const errors: string[] = []
    const fail: Indexers<TestObject> = {
      fail: () => {
        throw new Error('no')
      },
    }
    const store = newIndexer<TestObject>({ indexers: fail, onIndexError: (err) => errors.push(err.message) })
    store.add(object('a', '1'))
    expect([store.listKeys(), store.listIndexFuncValues('fail')]).toEqual([['ns/a'], []])
    expect(errors).toEqual(['unable to calculate an index entry for key "ns/a" on index "fail": no'])
  })

  it('gives out nothing that is gone, even after an object was changed in place', () => {
    const store = newIndexer<TestObject>({ indexers: words })
    const obj = withValue('a', 'red')
    store.add(obj)
    ;(obj.spec as { value: string }).value = 'blue'
    store.delete(obj)
    expect([store.byIndex('words', 'red'), store.byIndex('words', 'blue')]).toEqual([[], []])
  })
})

describe('replacing in two steps', () => {
  it('shows the old content until the new one is put in place, with indices that were added meanwhile', () => {
    const store = new Store<TestObject>({ indexers: {} })
    store.add(withValue('old', 'red'))
    const names = Array.from({ length: 20 }, (_, i) => `new-${i}`)
    const work = store.prepare(new Map(names.map((name) => [`ns/${name}`, withValue(name, 'blue')])))
    expect(work.next().done).toBe(false)
    store.addIndexers(words)
    expect([store.listKeys(), store.listIndexFuncValues('words')]).toEqual([['ns/old'], ['red']])
    let step = work.next()
    while (!step.done) step = work.next()
    store.commit(step.value, '5')
    expect(store.listKeys()).toEqual(names.map((name) => `ns/${name}`))
    expect([store.listIndexFuncValues('words'), store.byIndex('words', 'blue').length]).toEqual([['blue'], 20])
  })
})
