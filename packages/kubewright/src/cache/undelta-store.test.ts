import { describe, expect, it } from 'vitest'
import { KeyError } from './keys.js'
import { UndeltaStore } from './undelta-store.js'

interface Thing {
  metadata: { name: string }
  val: number
}

const thing = (name: string, val: number): Thing => ({ metadata: { name }, val })

function setup() {
  const pushed: string[] = []
  const store = new UndeltaStore<Thing>({
    push: (objs) => pushed.push(objs.map((obj) => `${obj.metadata.name}=${obj.val}`).join(' ')),
  })
  return { store, pushed }
}

describe('UndeltaStore', () => {
  it('tells its whole content once for each change', () => {
    const { store, pushed } = setup()
    store.add(thing('a', 1))
    store.add(thing('b', 1))
    store.update(thing('a', 2))
    store.update(thing('a', 2))
    store.delete(thing('b', 1))
    store.delete(thing('b', 1))
    store.replace([thing('c', 3), thing('d', 4)], '5')
    expect(pushed).toEqual(['a=1', 'a=1 b=1', 'a=2 b=1', 'a=2 b=1', 'a=2', 'a=2', 'c=3 d=4'])
  })

  it('tells nothing of what failed', () => {
    const { store, pushed } = setup()
    expect(() => store.add({} as Thing)).toThrow(KeyError)
    expect(() => store.replace([{} as Thing], '1')).toThrow(KeyError)
    expect(pushed).toEqual([])
  })

  it('can be read like any store', () => {
    const { store, pushed } = setup()
    store.replace([thing('a', 1)], '5')
    store.bookmark('7')
    expect(pushed).toHaveLength(1)
    expect([store.listKeys(), store.list(), store.lastStoreSyncResourceVersion()]).toEqual([
      ['a'],
      [thing('a', 1)],
      '7',
    ])
    expect([store.getByKey('a'), store.get(thing('a', 9))]).toEqual([thing('a', 1), thing('a', 1)])
  })
})
