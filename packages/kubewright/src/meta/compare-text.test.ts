import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compareText } from './compare-text.js'

it('texts are in the order of their bytes', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\uD7FF', '\uE000', '\uFFFD', '😀', '𐀀') })
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }),
    { seed: 1 },
  )
})
