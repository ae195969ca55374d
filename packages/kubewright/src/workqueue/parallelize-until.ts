// Independent pieces of work, some of them at a time.

/** Options of {@link parallelizeUntil}. */
export interface ParallelizeOptions {
  /** No piece is begun once it aborts. */
  signal?: AbortSignal | undefined
  /** How many pieces a worker takes at a time, in their order; below 1: 1. @defaultValue 1 */
  chunkSize?: number | undefined
}

/**
 * Calls `doPiece` with each number below `pieces`, by as many workers at a time: client-go's ParallelizeUntil.
 *
 * **Guarantees**
 * - Each piece is done once at most, and all of them unless the signal aborts or one fails.
 * - When this resolves or rejects, none is being done any more.
 *
 * **Caveats**
 * - Resolves when the signal aborts, as it does in Go: ask the signal whether all was done.
 *
 * @throws RangeError when `pieces` is no whole number of 0 or more, or `workers` none of 1 or more.
 * @throws what `doPiece` throws or rejects with first; no further piece is begun then.
 */
export async function parallelizeUntil(
  workers: number,
  pieces: number,
  doPiece: (piece: number) => unknown,
  { signal, chunkSize = 1 }: ParallelizeOptions = {},
): Promise<void> {
  mustBeCount('pieces', pieces, 0)
  if (pieces === 0) return
  mustBeCount('workers', workers, 1)
  const size = chunkSize >= 1 ? Math.floor(chunkSize) : 1
  let next = 0
  const failures: unknown[] = []
  const work = async (): Promise<void> => {
    while (next < pieces) {
      const start = next
      next = Math.min(start + size, pieces)
      for (let piece = start, end = next; piece < end; piece++) {
        if (failures.length > 0 || signal?.aborted) return
        try {
          await doPiece(piece)
        } catch (err) {
          failures.push(err)
        }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(workers, Math.ceil(pieces / size)) }, work))
  if (failures.length > 0) throw failures[0]
}

function mustBeCount(what: string, count: number, least: number): void {
  if (Number.isSafeInteger(count) && count >= least) return
  throw new RangeError(`cannot do work in parallel: ${what} must be a whole number of ${least} or more, got ${count}`)
}
