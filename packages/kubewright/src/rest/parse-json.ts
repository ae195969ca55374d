// The one place where JSON of a server becomes values: whole answers, slices of long lists, events of a watch.

/**
 * Bytes of UTF-8 to a value.
 *
 * **Caveats**: numbers are doubles, so integers beyond 2^53 lose their last digits.
 *
 * @throws SyntaxError
 */
export function parseJSON(bytes: Uint8Array): unknown {
  return parseJSONText(textOf(bytes))
}

/** As {@link parseJSON}, of text. */
export function parseJSONText(text: string): unknown {
  return JSON.parse(text)
}

/** UTF-8 to text. */
export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}
