// Memory outside the JavaScript heap for many small pieces of bytes.

/** Bytes of a slab: large enough that their number does not matter, small enough to be given up within a millisecond. */
const defaultSlabSize = 1 << 20

/** When less than this of what full slabs hold is in use, the emptiest is given up. */
const worthKeeping = 0.75

interface Slab {
  readonly bytes: Uint8Array
  used: number
  /** Bytes of pieces that are not released. */
  live: number
  /** In the order they were added, released ones too. */
  readonly pieces: Piece[]
}

let move: (piece: Piece, slab: Slab) => void
let slabOfUnreleased: (piece: Piece) => Slab | undefined
let markReleased: (piece: Piece) => void

/** Bytes in a slab. They may be moved, but do not change. */
export class Piece {
  readonly byteLength: number
  #slab: Slab
  #start: number
  #released = false

  static {
    move = (piece, slab) => {
      slab.bytes.set(piece.bytes.subarray(piece.#start, piece.#start + piece.byteLength), slab.used)
      piece.#slab = slab
      piece.#start = slab.used
    }
    slabOfUnreleased = (piece) => (piece.#released ? undefined : piece.#slab)
    markReleased = (piece) => {
      piece.#released = true
    }
  }

  /** The first `byteLength` of the bytes that were reserved. */
  constructor(slabs: Slabs, byteLength: number) {
    this.byteLength = byteLength
    const slab = slabs.current
    this.#slab = slab
    this.#start = slab.used
    take(slab, this)
  }

  /** The memory that it is in, from {@link start} on: to be read at once, not to be kept. */
  protected get bytes(): Uint8Array {
    return this.#slab.bytes
  }

  protected get start(): number {
    return this.#start
  }
}

function take(slab: Slab, piece: Piece): void {
  slab.used += piece.byteLength
  slab.live += piece.byteLength
  slab.pieces.push(piece)
}

/**
 * Gives out memory, and gathers what is in use when little of a slab is.
 *
 * **Guarantees**: bytes that were written do not change: whoever holds a released piece reads in it what it was, and the
 * garbage collector keeps its slab until then. Of all slabs but the newest together at least three quarters are in use.
 *
 * **Caveats**: a piece that is dropped without being released makes its slab look fuller than it is, no more: a slab
 * none of whose pieces anybody holds is free.
 */
export class Slabs {
  readonly #slabSize: number
  /** All but {@link Slabs.current}, and what their fields add up to. */
  readonly #full = new Set<Slab>()
  #fullUsed = 0
  #fullLive = 0
  /** Where pieces are added now. */
  current: Slab

  constructor({ slabSize = defaultSlabSize }: { slabSize?: number } = {}) {
    this.#slabSize = slabSize
    this.current = newSlab(0)
  }

  /** Makes room for a piece of at most so many bytes; they are to be written from `start` on, before the next call. */
  reserve(maxLength: number): { readonly bytes: Uint8Array; readonly start: number } {
    // What is moved out of the slab that has become full may fill the new one.
    while (this.current.bytes.length - this.current.used < maxLength) this.#startSlab(maxLength)
    return { bytes: this.current.bytes, start: this.current.used }
  }

  /** The piece is not needed any more. Idempotent. */
  release(piece: Piece): void {
    const slab = slabOfUnreleased(piece)
    if (!slab) return
    markReleased(piece)
    slab.live -= piece.byteLength
    if (slab === this.current) return
    this.#fullLive -= piece.byteLength
    // What was written together is often replaced together: a slab that waits may become empty, and costs nothing then.
    if (slab.live === 0) this.#giveUp(slab)
    else this.#giveUpWasteful()
  }

  #startSlab(minSize: number): void {
    const full = this.current
    this.current = newSlab(Math.max(this.#slabSize, minSize))
    this.#full.add(full)
    this.#fullUsed += full.used
    this.#fullLive += full.live
    if (full.live === 0) this.#giveUp(full)
    else this.#giveUpWasteful()
  }

  #giveUpWasteful(): void {
    while (this.#fullLive < this.#fullUsed * worthKeeping) {
      let [emptiest, least] = [undefined as Slab | undefined, Number.POSITIVE_INFINITY]
      for (const slab of this.#full) {
        const share = slab.live / slab.used
        if (share < least) [emptiest, least] = [slab, share]
      }
      if (!emptiest) return
      this.#giveUp(emptiest)
    }
  }

  #giveUp(slab: Slab): void {
    if (!this.#full.delete(slab)) return
    this.#fullUsed -= slab.used
    this.#fullLive -= slab.live
    if (slab.live > 0) this.#moveAll(slab)
    slab.pieces.length = 0
    slab.live = 0
  }

  #moveAll(slab: Slab): void {
    for (const piece of slab.pieces) {
      if (slabOfUnreleased(piece) !== slab) continue
      this.reserve(piece.byteLength)
      move(piece, this.current)
      take(this.current, piece)
    }
  }
}

function newSlab(size: number): Slab {
  return { bytes: Buffer.allocUnsafeSlow(size), used: 0, live: 0, pieces: [] }
}
