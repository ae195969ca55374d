// Bytes of any kind as text and joined, without a copy where there is none to make.

/** The bytes themselves as a Buffer. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** UTF-8 to text. */
export function textOf(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('utf8')
}

/** Two digits for each byte. */
export function hexOf(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('hex')
}

/** All of them in a row; a single one as it is. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
}
