// There was no answer, or not the whole of it: what failed, where, and what to look at.

/**
 * - `connect`: no connection could be made (refused, name unknown, no route).
 * - `tls`: there was a server, but no trust between it and us.
 * - `timeout`: connecting took too long.
 * - `lost`: the connection was there and broke.
 * - `protocol`: what came back was not HTTP as it should be.
 * - `proxy`: the proxy refused, or could not reach the server.
 * - `size`: the answer is larger than `maxResponseBytes` of the Config allows.
 */
export type ConnectionErrorReason = 'connect' | 'tls' | 'timeout' | 'lost' | 'protocol' | 'proxy' | 'size'

/** Facts of a {@link ConnectionError}. */
export interface ConnectionErrorFacts {
  method: string
  /** Without credentials: see {@link printableURL}. */
  url: string
  reason: ConnectionErrorReason
  /** What failed, for the message. */
  message: string
  cause?: unknown
}

/** The server could not be reached, or the connection to it broke. Whether it carried out the request is not known when `reason` is `lost`. */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError'
  readonly method: string
  /** URL of the request, without credentials. */
  readonly url: string
  /** What failed, to decide by; the message says what to look at. */
  readonly reason: ConnectionErrorReason

  constructor({ method, url, reason, message, cause }: ConnectionErrorFacts) {
    super(`${method} ${url}: ${message}`, cause === undefined ? undefined : { cause })
    this.method = method
    this.url = url
    this.reason = reason
  }
}

/** A URL for messages: without user name, password and fragment. */
export function printableURL(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}${url.search}`
}

const lostCodes = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_HTTP2_SESSION_ERROR',
  'ERR_HTTP2_STREAM_ERROR',
  'ERR_HTTP2_STREAM_CANCEL',
  'ERR_HTTP2_GOAWAY_SESSION',
  'ERR_HTTP2_INVALID_SESSION',
  'ERR_HTTP2_INVALID_STREAM',
  'ERR_HTTP2_PING_CANCEL',
  'Z_BUF_ERROR',
])

/**
 * Whether an error of node says that what came was not what it should be, rather than that it ended early: of its HTTP/1.1
 * parser, its HTTP/2 library, or its decompression.
 */
export function isMalformed(err: unknown): boolean {
  const code = (err as { code?: unknown } | undefined)?.code
  if (typeof code !== 'string' || lostCodes.has(code)) return false
  return code.startsWith('HPE_') || code.startsWith('Z_') || code === 'ERR_HTTP2_ERROR'
}

/** Why an error of a transport happened, own or foreign; undefined when it is no failure of a connection. */
export function connectionErrorReason(err: unknown): ConnectionErrorReason | undefined {
  if (err instanceof ConnectionError) return err.reason
  const code = (err as { code?: unknown } | undefined)?.code
  if (typeof code !== 'string') return undefined
  if (lostCodes.has(code)) return 'lost'
  return code === 'ETIMEDOUT' ? 'timeout' : undefined
}
