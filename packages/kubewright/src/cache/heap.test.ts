import { describe, expect, it } from 'vitest'
import { Heap } from './heap.js'

interface Thing {
  name: string
  val: number
}

const make = (): Heap<Thing> => new Heap({ keyFunc: ({ name }) => name, lessFunc: (a, b) => a.val < b.val })
const thing = (name: string, val: number): Thing => ({ name, val })

async function drain(heap: Heap<Thing>): Promise<string[]> {
  const taken: string[] = []
  while (heap.length > 0) taken.push((await heap.pop()).name)
  return taken
}

describe('Heap', () => {
  it('gives the least first, each object once', async () => {
    const heap = make()
    heap.bulkAdd([thing('foo', 10), thing('bar', 1), thing('baz', 11)])
    heap.add(thing('zab', 30))
    heap.update(thing('foo', 13))
    heap.addIfNotPresent(thing('bar', 99))
    heap.addIfNotPresent(thing('bal', 12))
    expect(heap.length).toBe(5)
    expect(await drain(heap)).toEqual(['bar', 'baz', 'bal', 'foo', 'zab'])
  })

  it('removes and finds by key', async () => {
    const heap = make()
    heap.bulkAdd([thing('foo', 10), thing('bar', 1), thing('baz', 11)])
    heap.delete(thing('bar', 200))
    expect(() => heap.delete(thing('bar', 1))).toThrow('object not found')
    expect(heap.get(thing('foo', 0))).toEqual(thing('foo', 10))
    expect([heap.getByKey('baz')?.val, heap.getByKey('bar')]).toEqual([11, undefined])
    expect(heap.listKeys().sort()).toEqual(['baz', 'foo'])
    expect(new Set(heap.list().map(({ val }) => val))).toEqual(new Set([10, 11]))
    expect(await drain(heap)).toEqual(['foo', 'baz'])
  })

  it('lets several wait', async () => {
    const heap = make()
    const [first, second] = [heap.pop(), heap.pop()]
    heap.bulkAdd([thing('b', 2), thing('a', 1)])
    expect([(await first).name, (await second).name]).toEqual(['a', 'b'])
  })

  it('ends a wait by a signal, and loses nothing by it', async () => {
    const heap = make()
    const stop = new AbortController()
    const waiting = heap.pop({ signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    heap.add(thing('a', 1))
    await expect(heap.pop({ signal: stop.signal })).rejects.toThrow('enough')
    expect(heap.length).toBe(1)
  })

  it('accepts nothing once it is closed, and gives what it has', async () => {
    const heap = make()
    heap.add(thing('a', 1))
    heap.close()
    expect(heap.isClosed()).toBe(true)
    for (const write of [() => heap.add(thing('b', 1)), () => heap.addIfNotPresent(thing('b', 1))]) {
      expect(write).toThrow('heap is closed')
    }
    expect(await drain(heap)).toEqual(['a'])
    await expect(heap.pop()).rejects.toThrow('heap is closed')
    const other = make()
    const waiting = other.pop()
    other.close()
    await expect(waiting).rejects.toThrow('heap is closed')
  })
})
