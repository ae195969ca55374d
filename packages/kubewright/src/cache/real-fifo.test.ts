import { describe, expect, it } from 'vitest'
import { DeletedFinalStateUnknown, KeyError } from './keys.js'
import { FIFOClosedError } from './pop-gate.js'
import { type Delta, RealFIFO } from './real-fifo.js'
import { object, type TestObject } from './server.test-support.js'

/** An entry in short: `Added a`, `ReplacedAll[a b]@7`, … */
function inShort(delta: Delta<TestObject>): string {
  switch (delta.type) {
    case 'ReplacedAll':
      return `ReplacedAll[${[...delta.objects.values()].map((o) => o.metadata.name).join(' ')}]@${delta.resourceVersion}`
    case 'SyncAll':
      return 'SyncAll'
    case 'Bookmark':
      return `Bookmark@${delta.resourceVersion}`
    default:
      return `${delta.type} ${delta.object instanceof DeletedFinalStateUnknown ? `?${delta.object.key}` : delta.object.metadata.name}`
  }
}

/** Pops all that waits: each entry in short, and whether it belongs to the initial list. */
async function drain(fifo: RealFIFO<TestObject>): Promise<[string, boolean][]> {
  const seen: [string, boolean][] = []
  while (fifo.length > 0) await fifo.pop((delta, initial) => void seen.push([inShort(delta), initial]))
  return seen
}

const a = object('a', '1')
const b = object('b', '2')
const byKey = new Map([a, b].map((obj) => [`ns/${obj.metadata.name}`, obj]))

describe('order', () => {
  it('is that of arrival, and nothing is merged or dropped', async () => {
    const fifo = new RealFIFO<TestObject>()
    fifo.add(a)
    fifo.update(a)
    fifo.add(b)
    fifo.delete(a)
    fifo.delete(a)
    fifo.bookmark('5')
    fifo.replace([a, b], '7')
    fifo.resync()
    fifo.delete(new DeletedFinalStateUnknown<TestObject>('ns/x', undefined))
    expect((await drain(fifo)).map(([short]) => short)).toEqual([
      'Added a',
      'Updated a',
      'Added b',
      'Deleted a',
      'Deleted a',
      'Bookmark@5',
      'ReplacedAll[a b]@7',
      'SyncAll',
      'Deleted ?ns/x',
    ])
  })

  it('is the same for objects that come by their keys, which it makes itself where they are of its own kind', async () => {
    const keys: string[] = []
    const took = (delta: Delta<TestObject>): void => {
      if (delta.type === 'ReplacedAll') keys.push(`${[...delta.objects.keys()].join(' ')}@${delta.resourceVersion}`)
    }
    const transform = (obj: TestObject): TestObject => object(`${obj.metadata.name}-changed`, '9')
    for (const options of [{}, { keyFunc: () => 'own' }, { transform }]) {
      const fifo = new RealFIFO<TestObject>(options)
      fifo.replaceByKey(byKey, '7')
      await fifo.pop(took)
    }
    expect(keys).toEqual(['ns/a ns/b@7', 'own@7', 'ns/a-changed ns/b-changed@7'])
  })

  it('holds for many entries', async () => {
    const fifo = new RealFIFO<TestObject>()
    const expected: string[] = []
    const seen: string[] = []
    for (let i = 0; i < 10_000; i++) {
      fifo.add(object(`o${i}`, String(i)))
      expected.push(`Added o${i}`)
      if (i % 3 === 0) await fifo.pop((delta) => void seen.push(inShort(delta)))
    }
    seen.push(...(await drain(fifo)).map(([short]) => short))
    expect(seen).toEqual(expected)
  })
})

it.each<{ what: string; write: (fifo: RealFIFO<TestObject>) => void; want: string[] }>([
  { what: 'a list', write: (fifo) => fifo.replace([], '123'), want: ['ReplacedAll[]@123'] },
  {
    what: 'a list behind an object that it lacks',
    write: (fifo) => [fifo.add(a), fifo.replace([], '123')],
    want: ['Added a', 'ReplacedAll[]@123'],
  },
  {
    what: 'several lists',
    write: (fifo) => [fifo.add(a), fifo.replace([a], '10'), fifo.replace([a], '20'), fifo.replace([], '56')],
    want: ['Added a', 'ReplacedAll[a]@10', 'ReplacedAll[a]@20', 'ReplacedAll[]@56'],
  },
  {
    what: 'a bookmark before a list',
    write: (fifo) => [fifo.bookmark('123'), fifo.replace([], '1234')],
    want: ['Bookmark@123', 'ReplacedAll[]@1234'],
  },
  { what: 'a resync', write: (fifo) => fifo.resync(), want: ['SyncAll'] },
  { what: 'a resync behind an object', write: (fifo) => [fifo.add(a), fifo.resync()], want: ['Added a', 'SyncAll'] },
])('$what is one entry in its place', async ({ write, want }) => {
  const fifo = new RealFIFO<TestObject>()
  write(fifo)
  expect((await drain(fifo)).map(([short]) => short)).toEqual(want)
})

describe('hasSynced', () => {
  it.each<[string, (fifo: RealFIFO<TestObject>) => void, synced: boolean, pops: number]>([
    ['nothing happened', () => {}, false, 0],
    ['an add came first', (fifo) => fifo.add(a), true, 0],
    ['an update came first', (fifo) => fifo.update(a), true, 0],
    ['a delete came first', (fifo) => fifo.delete(a), true, 0],
    ['an empty list came first', (fifo) => fifo.replace([], '0'), false, 1],
    ['a list came first', (fifo) => fifo.replace([a, b], '0'), false, 1],
    ['a list came by keys', (fifo) => fifo.replaceByKey(byKey, '0'), false, 1],
    ['a bookmark came before the list', (fifo) => [fifo.bookmark('1'), fifo.replace([a], '0')], false, 2],
    ['more came after the list', (fifo) => [fifo.replace([a], '0'), fifo.add(b)], false, 1],
    ['only a resync was asked for', (fifo) => fifo.resync(), false, 0],
  ])('where %s', async (_, fill, synced, pops) => {
    const fifo = new RealFIFO<TestObject>()
    fill(fifo)
    expect(fifo.hasSynced()).toBe(synced)
    for (let i = 1; i <= pops; i++) {
      await fifo.pop(() => expect(fifo.hasSynced()).toBe(false))
      expect(fifo.hasSynced()).toBe(i === pops)
    }
  })

  it('becomes true after the processing, however that ends', async () => {
    const fifo = new RealFIFO<TestObject>()
    fifo.replace([], '1')
    let finish: () => void = () => {}
    const popped = fifo.pop(() => new Promise<void>((_, reject) => (finish = () => reject(new Error('oops')))))
    expect(fifo.hasSynced()).toBe(false)
    finish()
    await expect(popped).rejects.toThrow('oops')
    expect([fifo.hasSynced(), fifo.length]).toEqual([true, 0])
  })

  it('tells entries of the initial list from later ones', async () => {
    const fifo = new RealFIFO<TestObject>()
    fifo.replace([a], '1')
    fifo.add(b)
    expect(await drain(fifo)).toEqual([
      ['ReplacedAll[a]@1', true],
      ['Added b', false],
    ])
  })
})

describe('transform', () => {
  const upper = (obj: TestObject): TestObject => ({ ...obj, spec: { value: `${obj.spec?.value ?? ''}!` } })

  it('is applied once to each object, and to no missed deletion', async () => {
    const fifo = new RealFIFO<TestObject>({ transform: upper })
    const values: unknown[] = []
    fifo.add(a)
    fifo.update(a)
    fifo.delete(a)
    fifo.delete(new DeletedFinalStateUnknown<TestObject>('ns/x', a))
    fifo.replace([a], '1')
    fifo.replace([a], '1', { transformed: true })
    while (fifo.length > 0) {
      await fifo.pop((delta) => {
        if (delta.type === 'ReplacedAll') values.push(delta.objects.get('ns/a')?.spec?.value)
        else if ('object' in delta)
          values.push('obj' in delta.object ? delta.object.obj?.spec : delta.object.spec?.value)
      })
    }
    expect(values).toEqual(['!', '!', '!', undefined, '!', undefined])
  })

  it.each<[string, (fifo: RealFIFO<TestObject>) => void]>([
    ['add', (fifo) => fifo.add(a)],
    ['update', (fifo) => fifo.update(a)],
    ['replace', (fifo) => fifo.replace([b, a], '1')],
  ])('that throws at %s lets nothing in', (_, call) => {
    const fifo = new RealFIFO<TestObject>({
      transform: (obj) => {
        if (obj === a) throw new Error('not this one')
        return obj
      },
    })
    expect(() => call(fifo)).toThrow('not this one')
    expect(fifo.length).toBe(0)
  })

  it('that throws at delete leaves a deletion without a last state', async () => {
    const fifo = new RealFIFO<TestObject>({
      transform: () => {
        throw new Error('not this one')
      },
    })
    expect(() => fifo.delete(a)).toThrow('not this one')
    const deltas: Delta<TestObject>[] = []
    await fifo.pop((delta) => void deltas.push(delta))
    const key = 'ns/a'
    expect(deltas).toEqual([{ type: 'Deleted', key, object: new DeletedFinalStateUnknown(key, undefined) }])
  })
})

it('refuses what has no key', () => {
  const fifo = new RealFIFO<TestObject>()
  const keyless = { metadata: {} } as TestObject
  for (const call of [() => fifo.add(keyless), () => fifo.delete(keyless), () => fifo.replace([a, keyless], '1')]) {
    expect(call).toThrow(KeyError)
  }
  expect(fifo.length).toBe(0)
})

describe('pop', () => {
  it('waits for an entry', async () => {
    const fifo = new RealFIFO<TestObject>()
    const seen: string[] = []
    const popped = fifo.pop((delta) => void seen.push(inShort(delta)))
    await Promise.resolve()
    expect(seen).toEqual([])
    fifo.add(a)
    await popped
    expect(seen).toEqual(['Added a'])
  })

  it('gives one entry to one of several who wait, and the close to the others', async () => {
    const fifo = new RealFIFO<TestObject>()
    const seen: string[] = []
    const waiting = Promise.allSettled(
      Array.from({ length: 10 }, () => fifo.pop((delta) => void seen.push(inShort(delta)))),
    )
    fifo.add(a)
    await Promise.resolve()
    fifo.close()
    const ended = (await waiting).filter(({ status }) => status === 'rejected')
    expect([seen, ended.length]).toEqual([['Added a'], 9])
  })

  it('is ended by close, once nothing is left', async () => {
    const fifo = new RealFIFO<TestObject>()
    const waiting = fifo.pop(() => {})
    fifo.close()
    await expect(waiting).rejects.toThrow(FIFOClosedError)
    fifo.add(a)
    await fifo.pop(() => {})
    await expect(fifo.pop(() => {})).rejects.toThrow('DeltaFIFO: manipulating with closed queue')
  })
})
