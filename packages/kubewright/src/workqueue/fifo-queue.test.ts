import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FifoQueue } from './fifo-queue.js'

describe('FifoQueue', () => {
  it('behaves as an array does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -40, max: 60 })), (bursts) => {
        const queue = new FifoQueue<number>()
        const model: number[] = []
        let next = 0
        for (const burst of bursts) {
          for (let i = 0; i < burst; i++) {
            queue.push(next)
            model.push(next++)
          }
          for (let i = 0; i < -burst && model.length > 0; i++) expect(queue.pop()).toBe(model.shift())
          expect(queue.length).toBe(model.length)
        }
      }),
    )
  })

  it('keeps its order through many of them', () => {
    const queue = new FifoQueue<number>()
    for (let i = 0; i < 200_000; i++) queue.push(i)
    for (let i = 0; i < 200_000; i++) if (queue.pop() !== i) expect.unreachable(`item ${i} is out of order`)
    expect(queue.length).toBe(0)
  })

  it('holds nothing of what was taken', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage: () => void = runInNewContext('gc')
    const queue = new FifoQueue<object>()
    const refs = Array.from({ length: 100 }, () => {
      const item = {}
      queue.push(item)
      return new WeakRef(item)
    })
    for (let i = 0; i < 90; i++) queue.pop()
    // A weak reference holds its target until the end of the job that made it.
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
    expect(refs.map((ref) => ref.deref() !== undefined)).toEqual([...Array(90).fill(false), ...Array(10).fill(true)])
    expect(queue.length).toBe(10)
  })
})
