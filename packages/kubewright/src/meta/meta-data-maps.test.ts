import { describe, expect, it } from 'vitest'
import { hasAnnotation, hasLabel, setMetaDataAnnotation, setMetaDataLabel } from './meta-data-maps.js'

describe('labels and annotations', () => {
  it('are set where there are none yet', () => {
    const metadata: { labels?: Record<string, string>; annotations?: Record<string, string> } = {}
    setMetaDataLabel(metadata, 'a', '1')
    setMetaDataLabel(metadata, 'b', '')
    setMetaDataAnnotation(metadata, 'c', '3')
    expect(metadata).toEqual({ labels: { a: '1', b: '' }, annotations: { c: '3' } })
    expect([hasLabel(metadata, 'b'), hasLabel(metadata, 'c'), hasAnnotation(metadata, 'c')]).toEqual([
      true,
      false,
      true,
    ])
    expect([hasLabel(undefined, 'b'), hasLabel(metadata, 'toString'), hasAnnotation({}, 'c')]).toEqual([
      false,
      false,
      false,
    ])
  })

  it('may have any name', () => {
    const metadata: { annotations?: Record<string, string> } = {}
    setMetaDataAnnotation(metadata, '__proto__', 'x')
    expect(JSON.stringify(metadata)).toBe('{"annotations":{"__proto__":"x"}}')
    expect(Object.getPrototypeOf(metadata.annotations)).toBe(Object.prototype)
  })
})
