// An HTTP answer as bytes of a file: a SHA-256 of what follows, then the answer as HTTP/1.1 has it. client-go's form.

/** An answer. */
export interface Stored {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Uint8Array
}

const sumLength = 32

/** The bytes of an answer. */
export function serializeStored({ status, headers, body }: Stored): Uint8Array {
  const lines = [`HTTP/1.1 ${status} ${status === 200 ? 'OK' : 'Status'}`]
  for (const [name, value] of headers) lines.push(`${canonical(name)}: ${value.replace(/[\r\n]/g, ' ')}`)
  const head = Buffer.from(`${lines.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n`, 'latin1')
  const response = Buffer.concat([head, body])
  return Buffer.concat([sumOf(response), response])
}

/** Undefined for bytes that are no such answer, or not all of it. */
export function parseStored(file: Uint8Array): Stored | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const response = bytes.subarray(sumLength)
  if (!sumOf(response).equals(bytes.subarray(0, sumLength))) return undefined
  const end = response.indexOf('\r\n\r\n')
  const [first = '', ...lines] = response.toString('latin1', 0, Math.max(0, end)).split('\r\n')
  const status = /^HTTP\/\d(?:\.\d)? (\d{3})/.exec(first)?.[1]
  if (end < 0 || status === undefined) return undefined
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    const known = headers.get(name)
    headers.set(name, known === undefined ? value : `${known}, ${value}`)
  }
  const body = contentOf(response.subarray(end + 4), headers)
  for (const name of ['content-length', 'transfer-encoding', 'connection']) headers.delete(name)
  return body && !headers.has('content-encoding') ? { status: Number(status), headers, body } : undefined
}

function contentOf(rest: Buffer, headers: ReadonlyMap<string, string>): Uint8Array | undefined {
  if (headers.get('transfer-encoding') === 'chunked') return unchunked(rest)
  const length = headers.get('content-length')
  if (length === undefined) return rest
  return rest.length >= Number(length) ? rest.subarray(0, Number(length)) : undefined
}

/** Go writes what came in chunks in chunks. */
function unchunked(rest: Buffer): Uint8Array | undefined {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(rest.toString('latin1', at, lineEnd), 16)
    if (size === 0) return Buffer.concat(chunks)
    const start = lineEnd + 2
    // NaN included.
    if (!(start + size <= rest.length)) return undefined
    chunks.push(rest.subarray(start, start + size))
    at = start + size + 2
  }
}

function sumOf(bytes: Uint8Array): Buffer {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(bytes).digest()
}

/** `content-type` as `Content-Type`. */
function canonical(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
}
