// What Secrets and ConfigMaps hold, as bytes: the API has them as base64.

/** What is read of a Secret. */
export interface SecretLike {
  readonly data?: Readonly<Record<string, string>>
  readonly stringData?: Readonly<Record<string, string>>
}

/**
 * A Secret's content by key, as bytes; `stringData`, which the server never sends, counts as it would when written.
 *
 * @throws TypeError naming the key whose value is not base64
 * @example
 * ```ts
 * const password = new TextDecoder().decode(secretData(secret).password)
 * ```
 */
export function secretData({ data = {}, stringData = {} }: SecretLike): Record<string, Uint8Array> {
  const encoder = new TextEncoder()
  return Object.fromEntries([
    ...Object.entries(data).map(([key, text]) => [key, decoded(key, text)] as const),
    ...Object.entries(stringData).map(([key, text]) => [key, encoder.encode(text)] as const),
  ])
}

/**
 * The `data` of a Secret, or the `binaryData` of a ConfigMap: bytes as they are, text as UTF-8.
 *
 * @example
 * ```ts
 * secret.data = { ...secret.data, ...encodeSecretData({ password: 'hunter2', key: bytes }) }
 * ```
 */
export function encodeSecretData(data: Readonly<Record<string, Uint8Array | string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, bytesToBase64(value)]))
}

/** Bytes, or text as UTF-8, to base64. */
export function bytesToBase64(value: Uint8Array | string): string {
  if (typeof value === 'string') return Buffer.from(value, 'utf8').toString('base64')
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
}

/**
 * Base64 to bytes. Line ends in it count for nothing.
 *
 * @throws TypeError when it is something else
 */
export function base64ToBytes(text: string): Uint8Array {
  const digits = text.replace(/[\r\n]/g, '')
  if (digits.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(digits)) throw new TypeError('the text is not base64')
  // A copy: a Buffer shares its memory with others.
  return new Uint8Array(Buffer.from(digits, 'base64'))
}

function decoded(key: string, text: string): Uint8Array {
  try {
    return base64ToBytes(text)
  } catch (err) {
    throw new TypeError(`cannot decode the value of key ${JSON.stringify(key)}: it is not base64`, { cause: err })
  }
}
