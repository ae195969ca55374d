// What both HTTP versions share: a request's headers as sent, an answer's headers as received, and sending a body.

import type { Writable } from 'node:stream'
import type { ResponseHeaders } from './headers.js'
import { bodySize } from './request-body.js'
import type { TransportRequest } from './transport.js'

/** Greatest size of an answer's headers, of any number; as client-go has it. Node's own limits are met by a few hundred warnings. */
export const maxHeaderBytes: number = 10 * 2 ** 20

/** Options of {@link wireHeaders}. */
export interface WireHeadersOptions {
  disableCompression: boolean
}

/** Adds the request's headers, with those that follow from its body and the transport, to others. */
export function wireHeaders(
  request: TransportRequest,
  { disableCompression }: WireHeadersOptions,
  headers: Record<string, string | string[]>,
  omitted?: ReadonlySet<string>,
): Record<string, string | string[]> {
  for (const name of Object.keys(request.headers)) {
    const value = request.headers[name]
    if (value === undefined || omitted?.has(name)) continue
    headers[name] = typeof value === 'string' ? utf8(value) : value.map(utf8)
  }
  if (!disableCompression) headers['accept-encoding'] ??= 'gzip'
  const size = bodySize(request.body)
  if (size !== undefined) headers['content-length'] = String(size)
  return headers
}

/** A character for each byte of UTF-8: of a character node sends the low byte, with which a name would be another one. */
function utf8(text: string): string {
  return /[^\0-\x7f]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text
}

/** From node's flat list of names and values: it is short and seldom asked, so it stays a list. */
export function headersFromRaw(raw: readonly string[]): ResponseHeaders {
  const getAll = (name: string): readonly string[] => {
    const lower = name.toLowerCase()
    const values: string[] = []
    for (let i = 0; i + 1 < raw.length; i += 2) {
      if (isNamed(raw[i], lower)) values.push(raw[i + 1] as string)
    }
    return values
  }
  return {
    get(name) {
      const values = getAll(name)
      return values.length > 1 ? values.join(', ') : values[0]
    },
    getAll,
    names: () => [...new Set(raw.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase()))],
  }
}

/** Most names differ in length, which costs nothing to see. */
function isNamed(name: string | undefined, lower: string): boolean {
  return name?.length === lower.length && (name === lower || name.toLowerCase() === lower)
}

/** Writes the body and ends the stream; an iterable that fails destroys it, and the failure is told. */
export function sendBody(
  writable: Writable,
  body: TransportRequest['body'],
  onFailure: (err: Error) => void = () => {},
): void {
  if (body === undefined) writable.end()
  // Not as text: with HTTP/1.1 node would give the headers in front of it the text's encoding.
  else if (typeof body === 'string') writable.end(Buffer.from(body))
  else if (body instanceof Uint8Array) writable.end(body)
  else {
    const { pipeline, Readable } = process.getBuiltinModule('node:stream')
    const source = Readable.from(body, { objectMode: false })
    source.once('error', onFailure)
    // The writable's own error event tells of all other failures.
    pipeline(source, writable, () => {})
  }
}

/** How the content is packed; where there is none, a server may say so all the same. */
export function contentEncodingOf(status: number | undefined, headers: ResponseHeaders): string | undefined {
  const isEmpty = status === 204 || status === 304 || headers.get('content-length') === '0'
  return isEmpty ? undefined : headers.get('content-encoding')
}

/** A URL's host without the brackets of IPv6. */
export function bareHost(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
}
