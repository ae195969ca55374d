import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DelayHeap } from './delay-heap.js'

describe('DelayHeap', () => {
  it('gives the soonest first, each key once, the earliest time holding, ties by arrival', () => {
    const command = fc.oneof(
      fc.record({ key: fc.integer({ min: 0, max: 15 }), readyAt: fc.integer({ min: 0, max: 20 }) }),
      fc.constant('pop' as const),
    )
    fc.assert(
      fc.property(fc.array(command, { maxLength: 200 }), (commands) => {
        const heap = new DelayHeap<number>()
        let model: { key: number; readyAt: number }[] = []
        const soonest = () => [...model].sort((a, b) => a.readyAt - b.readyAt)[0]
        for (const each of [...commands, ...Array<'pop'>(20).fill('pop')]) {
          if (each === 'pop') {
            const want = soonest()
            expect(heap.peek()).toBe(heap.peek())
            const got = heap.pop()
            expect(got && { key: got.item, readyAt: got.readyAt }).toEqual(want)
            model = model.filter((entry) => entry !== want)
          } else {
            heap.insert(each.key, each.key, each.readyAt)
            const held = model.find((entry) => entry.key === each.key)
            if (held) held.readyAt = Math.min(held.readyAt, each.readyAt)
            else model.push({ ...each })
          }
          expect(heap.size).toBe(model.length)
          expect(heap.peek()?.readyAt).toBe(soonest()?.readyAt)
        }
      }),
    )
  })

  it('forgets all on clear', () => {
    const heap = new DelayHeap<string>()
    heap.insert('a', 'a', 1)
    heap.clear()
    expect([heap.size, heap.peek(), heap.pop()]).toEqual([0, undefined, undefined])
    heap.insert('a', 'a', 2)
    expect(heap.pop()?.readyAt).toBe(2)
  })
})
