import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Piece, Slabs } from './slabs.js'

class Text extends Piece {
  static of(slabs: Slabs, text: string): Text {
    const { bytes, start } = slabs.reserve(text.length)
    bytes.set(Buffer.from(text, 'latin1'), start)
    return new Text(slabs, text.length)
  }

  get memory(): Uint8Array {
    return this.bytes
  }

  override toString(): string {
    return Buffer.from(this.bytes.subarray(this.start, this.start + this.byteLength)).toString('latin1')
  }
}

const memoryOf = (pieces: Iterable<Text>): number => {
  const slabs = new Set([...pieces].map(({ memory }) => memory))
  return [...slabs].reduce((sum, { length }) => sum + length, 0)
}

describe('slabs', () => {
  it('keep what they are given', () => {
    const slabs = new Slabs({ slabSize: 16 })
    const pieces = ['one', 'two', 'a longer one than a slab', '', 'three'].map((text) => Text.of(slabs, text))
    expect(pieces.map(String)).toEqual(['one', 'two', 'a longer one than a slab', '', 'three'])
  })

  it('gather what is left of a slab when most of it is released', () => {
    const slabs = new Slabs({ slabSize: 100 })
    const pieces = Array.from({ length: 100 }, (_, i) => Text.of(slabs, String(i).padStart(10, '.')))
    const kept = pieces.filter((_, i) => i % 10 === 0)
    for (const piece of pieces) if (!kept.includes(piece)) slabs.release(piece)
    expect(kept.map(String)).toEqual(kept.map((_, i) => String(i * 10).padStart(10, '.')))
    expect(memoryOf(kept)).toBeLessThanOrEqual(200)
  })

  it('leave a released piece readable, and release it once', () => {
    const slabs = new Slabs({ slabSize: 10 })
    const [first, second, third] = ['aaaaaa', 'bbbb', 'ccccc'].map((text) => Text.of(slabs, text)) as [Text, Text, Text]
    slabs.release(first)
    slabs.release(first)
    expect([first, second, third].map(String)).toEqual(['aaaaaa', 'bbbb', 'ccccc'])
    expect(second.memory).toBe(third.memory)
  })

  it('hold any sequence of pieces within twice their bytes, and two slabs', () => {
    const step = fc.record({ text: fc.string({ unit: 'grapheme-ascii', maxLength: 40 }), drop: fc.nat() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), fc.integer({ min: 1, max: 10 }), (steps, every) => {
        const slabs = new Slabs({ slabSize: 64 })
        const live = new Map<Text, string>()
        const released = new Map<Text, string>()
        for (const [i, { text, drop }] of steps.entries()) {
          live.set(Text.of(slabs, text), text)
          if (i % every === 0) continue
          const piece = [...live.keys()][drop % live.size]
          if (!piece) continue
          released.set(piece, live.get(piece) as string)
          live.delete(piece)
          slabs.release(piece)
        }
        for (const [piece, text] of [...live, ...released]) expect(String(piece)).toBe(text)
        const bytes = [...live.values()].reduce((sum, { length }) => sum + length, 0)
        // What does not fit behind a full slab's last piece, up to 40 bytes of 64, is lost as well.
        expect(memoryOf(live.keys())).toBeLessThanOrEqual((bytes / 0.5) * (64 / 24) + 2 * 64)
      }),
    )
  })
})
