import fc from 'fast-check'
import { expect, it } from 'vitest'
import { base64ToBytes, bytesToBase64, encodeSecretData, secretData } from './secret-data.js'

it('binary data survives', () => {
  const data = fc.dictionary(fc.string(), fc.uint8Array({ maxLength: 100 }))
  fc.assert(
    fc.property(data, (data) => {
      expect(secretData({ data: encodeSecretData(data) })).toEqual({ ...data })
    }),
    { seed: 1 },
  )
  const every = Uint8Array.from({ length: 256 }, (_, i) => i)
  expect(secretData({ data: { every: bytesToBase64(every) } }).every).toEqual(every)
  // A part of a larger memory, not all of it.
  expect(bytesToBase64(every.subarray(1, 3))).toBe('AQI=')
})

it('text is UTF-8', () => {
  expect(encodeSecretData({ a: 'pässword', b: '' })).toEqual({ a: 'cMOkc3N3b3Jk', b: '' })
  const { a } = secretData({ data: { a: 'cMOkc3N3b3Jk' } })
  expect(new TextDecoder().decode(a)).toBe('pässword')
})

it('bytes are the reader’s own', () => {
  const { a } = secretData({ data: { a: 'AQID' } })
  expect(a?.constructor).toBe(Uint8Array)
  expect(a?.buffer.byteLength).toBe(3)
})

it('stringData wins, as on the server', () => {
  const { a, b } = secretData({ data: { a: 'AQ==', b: 'Ag==' }, stringData: { a: 'x' } })
  expect([a, b]).toEqual([Uint8Array.of(0x78), Uint8Array.of(2)])
  expect(secretData({})).toEqual({})
})

it('a key may have any name', () => {
  const decoded = secretData({ data: JSON.parse('{"__proto__":"AQ=="}') as Record<string, string> })
  expect(Object.entries(decoded)).toEqual([['__proto__', Uint8Array.of(1)]])
  expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype)
})

it('line ends in base64 count for nothing, and anything else is refused', () => {
  expect(base64ToBytes('AQ\r\nID\n')).toEqual(Uint8Array.of(1, 2, 3))
  for (const text of ['AQI', 'A', 'AQ==AQ==', 'AQ-_', 'A Q=', '====', 'é===']) {
    expect(() => base64ToBytes(text)).toThrow(TypeError)
  }
  expect(() => secretData({ data: { password: 'hunter2' } })).toThrow(
    'cannot decode the value of key "password": it is not base64',
  )
  expect(() => secretData({ data: { password: 'hunter2' } })).not.toThrow('hunter2')
})
