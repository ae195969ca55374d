import { describe, expect, it } from 'vitest'
import { parallelizeUntil } from './parallelize-until.js'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('parallelizeUntil', () => {
  it.each([
    { pieces: 1000, workers: 10, chunkSize: 1 },
    { pieces: 1000, workers: 10, chunkSize: 10 },
    { pieces: 1000, workers: 10, chunkSize: 100 },
    { pieces: 999, workers: 10, chunkSize: 13 },
    { pieces: 3, workers: 10, chunkSize: 0 },
    { pieces: 1000, workers: 1, chunkSize: 2000 },
  ])('does each of $pieces pieces once: $workers workers, chunks of $chunkSize', async (each) => {
    const seen = Array<number>(each.pieces).fill(0)
    let running = 0
    let most = 0
    await parallelizeUntil(
      each.workers,
      each.pieces,
      async (piece) => {
        most = Math.max(most, ++running)
        await turn()
        running--
        seen[piece] = (seen[piece] ?? 0) + 1
      },
      { chunkSize: each.chunkSize },
    )
    expect(seen.every((times) => times === 1)).toBe(true)
    expect(running).toBe(0)
    expect(most).toBe(Math.min(each.workers, Math.ceil(each.pieces / Math.max(1, each.chunkSize))))
  })

  it('gives a worker the pieces of a chunk one after the other', async () => {
    const begun: number[] = []
    await parallelizeUntil(
      2,
      6,
      async (piece) => {
        begun.push(piece)
        await turn()
      },
      { chunkSize: 3 },
    )
    expect(begun).toEqual([0, 3, 1, 4, 2, 5])
  })

  it('does nothing where there is nothing to do', async () => {
    await expect(parallelizeUntil(0, 0, () => expect.unreachable())).resolves.toBeUndefined()
  })

  it('begins nothing more once the signal aborts, and ends when what was begun has ended', async () => {
    const stop = new AbortController()
    const begun: number[] = []
    const ended: number[] = []
    await parallelizeUntil(
      2,
      10,
      async (piece) => {
        begun.push(piece)
        if (piece === 3) stop.abort()
        await turn()
        ended.push(piece)
      },
      { signal: stop.signal },
    )
    expect(begun).toEqual([0, 1, 2, 3])
    expect(ended).toEqual(begun)
    await parallelizeUntil(2, 10, (piece) => begun.push(piece), { signal: stop.signal })
    expect(begun).toHaveLength(4)
  })

  it('throws what the first piece to fail threw, after the others under way', async () => {
    const ended: number[] = []
    const work = parallelizeUntil(3, 10, async (piece) => {
      await turn()
      if (piece === 1) throw new Error('one')
      if (piece === 2) throw new Error('two')
      await turn()
      ended.push(piece)
    })
    await expect(work).rejects.toThrow('one')
    expect(ended).toEqual([0])
  })

  it('refuses numbers that are no counts', async () => {
    await expect(parallelizeUntil(0, 1, () => {})).rejects.toThrow(RangeError)
    await expect(parallelizeUntil(1, -1, () => {})).rejects.toThrow(RangeError)
    await expect(parallelizeUntil(1, 1.5, () => {})).rejects.toThrow(RangeError)
  })
})
