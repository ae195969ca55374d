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

  it('gives many in their order, however they come', async () => {
    const heap = make()
    const next = heap.pop()
    heap.bulkAdd(Array.from({ length: 500 }, (_, i) => thing(`a${i}`, 500 - i)))
    for (let i = 0; i < 500; i++) heap.add(thing(`b${i}`, i + 1))
    const taken = [(await next).val]
    while (heap.length > 0) taken.push((await heap.pop()).val)
    expect(taken).toEqual(Array.from({ length: 1000 }, (_, i) => 1 + Math.floor(i / 2)))
  })

  it('moves an object that is added again', async () => {
    const heap = make()
    for (const [name, val] of [
      ['foo', 10],
      ['bar', 1],
      ['baz', 11],
      ['zab', 30],
      ['foo', 13],
    ] as const) {
      heap.add(thing(name, val))
    }
    expect([(await heap.pop()).val, (await heap.pop()).val]).toEqual([1, 11])
    expect(() => heap.delete(thing('baz', 11))).toThrow('object not found')
    heap.add(thing('foo', 14))
    expect([(await heap.pop()).val, (await heap.pop()).val, heap.length]).toEqual([14, 30, 0])
  })

  it('keeps what is there when it is added only if not present', async () => {
    const heap = make()
    for (const [name, val] of [
      ['foo', 10],
      ['bar', 1],
      ['baz', 11],
      ['zab', 30],
      ['foo', 13],
    ] as const) {
      heap.addIfNotPresent(thing(name, val))
    }
    expect([heap.length, heap.getByKey('foo')?.val]).toEqual([4, 10])
    expect([(await heap.pop()).val, (await heap.pop()).val]).toEqual([1, 10])
    heap.addIfNotPresent(thing('bar', 14))
    expect([(await heap.pop()).val, (await heap.pop()).val]).toEqual([11, 14])
  })

  it('stays in order when its head, its tail and what is between are deleted', async () => {
    const heap = make()
    heap.bulkAdd([thing('foo', 10), thing('bar', 1), thing('bal', 31), thing('baz', 11)])
    heap.delete(thing('bar', 200))
    expect((await heap.pop()).val).toBe(10)
    heap.bulkAdd([thing('zab', 30), thing('faz', 30)])
    expect(() => heap.delete(thing('non-existent', 10))).toThrow('object not found')
    expect(heap.length).toBe(4)
    heap.delete(thing('bal', 31))
    heap.delete(thing('zab', 30))
    expect(await drain(heap)).toEqual(['baz', 'faz'])
  })

  it('brings an update to the head, and takes one away from it', async () => {
    const heap = make()
    heap.bulkAdd([thing('foo', 10), thing('bar', 1), thing('bal', 31), thing('baz', 11)])
    heap.update(thing('baz', 0))
    expect((await heap.pop()).name).toBe('baz')
    heap.update(thing('bar', 100))
    expect(await drain(heap)).toEqual(['foo', 'bal', 'bar'])
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
    for (const write of [
      () => heap.add(thing('b', 1)),
      () => heap.addIfNotPresent(thing('b', 1)),
      () => heap.bulkAdd([thing('b', 1)]),
    ]) {
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
