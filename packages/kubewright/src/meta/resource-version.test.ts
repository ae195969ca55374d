import { describe, expect, it } from 'vitest'
import { compareResourceVersion } from './resource-version.js'

describe('compareResourceVersion', () => {
  it.each([
    ['1', '1', 0],
    ['9', '10', -1],
    ['200', '100', 1],
    ['9007199254740993', '9007199254740992', 1],
    ['9'.repeat(50), `1${'0'.repeat(50)}`, -1],
  ])('%s and %s: %d', (a, b, expected) => {
    expect(compareResourceVersion(a, b)).toBe(expected)
  })

  it.each(['', '0', '01', '-1', '1a', '1\n'])('refuses %j', (version) => {
    expect(() => compareResourceVersion(version, '1')).toThrow(`resource version is not well formed: ${version}`)
    expect(() => compareResourceVersion('1', version)).toThrow(Error)
  })
})
