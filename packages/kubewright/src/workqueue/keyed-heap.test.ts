import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KeyedHeap } from './keyed-heap.js'

interface Item {
  key: number
  rank: number
}

describe('KeyedHeap', () => {
  it('gives the first by order, and holds each key once', () => {
    const command = fc.oneof(
      fc.record({ op: fc.constant('set' as const), key: fc.nat(15), rank: fc.nat(20) }),
      fc.record({ op: fc.constant('delete' as const), key: fc.nat(15) }),
      fc.constant({ op: 'pop' as const }),
    )
    fc.assert(
      fc.property(fc.array(command, { maxLength: 100 }), (commands) => {
        const heap = new KeyedHeap<Item>((a, b) => a.rank < b.rank)
        const model = new Map<number, Item>()
        for (const each of commands) {
          if (each.op === 'set') {
            const item = { key: each.key, rank: each.rank }
            heap.set(each.key, item)
            model.set(each.key, item)
          } else if (each.op === 'delete') {
            expect(heap.delete(each.key)).toBe(model.delete(each.key))
          } else {
            const item = heap.pop()
            expect(item?.rank).toBe(model.size === 0 ? undefined : Math.min(...[...model.values()].map((i) => i.rank)))
            if (item) expect(model.delete(item.key)).toBe(true)
          }
          expect(heap.size).toBe(model.size)
          expect(new Map(heap.entries())).toEqual(model)
          for (let key = 0; key < 16; key++) expect(heap.get(key)).toBe(model.get(key))
        }
        const rest = Array.from({ length: heap.size }, () => heap.pop()?.rank as number)
        expect(rest).toEqual([...rest].sort((a, b) => a - b))
      }),
    )
  })

  it('compares a logarithmic number of times', () => {
    const size = 2 ** 14
    let comparisons = 0
    const heap = new KeyedHeap<number>((a, b) => {
      comparisons++
      return a < b
    })
    const most = (work: () => void): number => {
      let worst = 0
      for (let i = 0; i < size; i++) {
        comparisons = 0
        work()
        worst = Math.max(worst, comparisons)
      }
      return worst
    }
    let next = size
    expect(most(() => heap.set(next, next--))).toBeLessThanOrEqual(14)
    let moved = 0
    expect(most(() => heap.set(++moved, (moved * 7919) % size))).toBeLessThanOrEqual(3 * 14)
    expect(most(() => heap.pop())).toBeLessThanOrEqual(2 * 14)
  })
})
