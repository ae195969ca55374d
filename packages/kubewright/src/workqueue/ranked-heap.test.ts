import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Placed, RankedHeap } from './ranked-heap.js'

interface Item extends Placed {
  readonly name: number
  order: number
}

describe('RankedHeap', () => {
  it('gives the least rank first, by order where ranks are equal, whatever is moved and removed', () => {
    const command = fc.record({
      op: fc.constantFrom('push', 'push', 'move', 'remove', 'pop'),
      name: fc.nat(63),
      rank: fc.oneof(fc.integer({ min: -4, max: 4 }), fc.double({ noNaN: true })),
    })
    fc.assert(
      fc.property(fc.array(command, { maxLength: 300, size: 'max' }), (commands) => {
        const heap = new RankedHeap<Item>((a, b) => a.order < b.order)
        const held = new Map<Item, number>()
        let order = 0
        const first = (): Item | undefined => {
          let best: Item | undefined
          for (const [item, rank] of held) {
            const least = best && (held.get(best) as number)
            if (!best || rank < (least as number) || (rank === least && item.order < best.order)) best = item
          }
          return best
        }
        for (const { op, name, rank } of commands) {
          const known = [...held.keys()].find((item) => item.name === name)
          if (op === 'push' && !known) {
            const item = { name, order: order++, place: 0 }
            heap.push(item, rank)
            held.set(item, rank)
          } else if (op === 'move' && known) {
            known.order = order++
            heap.move(known, rank)
            held.set(known, rank)
          } else if (op === 'remove' && known) {
            heap.remove(known)
            held.delete(known)
          } else if (op === 'pop') {
            const want = first()
            expect(heap.pop()).toBe(want)
            if (want) held.delete(want)
          }
          expect(heap.size).toBe(held.size)
          expect(heap.peek()).toBe(first())
        }
      }),
    )
  })

  it('can be used again after it was cleared', () => {
    const heap = new RankedHeap<Item>((a, b) => a.order < b.order)
    for (let order = 0; order < 100; order++) heap.push({ name: order, order, place: 0 }, -order)
    heap.clear()
    expect([heap.size, heap.peek(), heap.pop()]).toEqual([0, undefined, undefined])
    for (let order = 0; order < 100; order++) heap.push({ name: order, order, place: 0 }, -order)
    expect(heap.pop()?.name).toBe(99)
  })
})
