// The seam between requests and the network: one HTTP exchange, and the connections behind it.

import type { RequestHeaders, ResponseHeaders } from './headers.js'

/** What is sent. A value: wrappers pass on a changed copy. */
export interface TransportRequest {
  readonly method: string
  readonly url: URL
  readonly headers: RequestHeaders
  /** An iterable can be sent once only, so such a request is never repeated. */
  readonly body?: Uint8Array | string | AsyncIterable<Uint8Array> | undefined
  /** Ends the exchange at any time, also while the body is read; its stream or socket is released at once. */
  readonly signal?: AbortSignal | undefined
  /**
   * Bytes of content, decompressed, above which reading the body fails, for those who want it whole.
   *
   * @defaultValue no limit
   */
  readonly maxResponseBytes?: number | undefined
}

/** Where the time of an exchange went, in milliseconds. What is not known, or did not happen, is absent. */
export interface TransportTimings {
  /** The connection was there already, so that it took no `dnsMs`, `connectMs` and `tlsMs`. */
  readonly reused?: boolean | undefined
  /** Looking up the host's name. */
  readonly dnsMs?: number | undefined
  /** Making the connection, the lookup not counted. */
  readonly connectMs?: number | undefined
  /** The TLS handshake. */
  readonly tlsMs?: number | undefined
  /** Until there was a connection for this request, the three above included. */
  readonly getConnectionMs?: number | undefined
  /** From having sent the request to the first byte of the answer. */
  readonly firstByteMs?: number | undefined
}

/** What came back, once the headers are there. */
export interface TransportResponse {
  /** HTTP's, whatever it says. */
  readonly status: number
  readonly headers: ResponseHeaders
  /** The content, decompressed. To be read once; leaving the loop early releases the connection. */
  readonly body: AsyncIterable<Uint8Array>
  readonly timings?: TransportTimings | undefined
  /** Releases the connection, whatever has been read. Idempotent. */
  close(): void
}

/** Carries out HTTP exchanges: client-go's http.RoundTripper. */
export interface Transport {
  /**
   * Sends a request; resolves when the answer's headers are there, whatever its status.
   *
   * @throws ConnectionError when there is no answer; the signal's reason when it aborts.
   */
  roundTrip(request: TransportRequest): Promise<TransportResponse>
  /** Closes all connections; requests that are under way fail. Idempotent. */
  close(): Promise<void>
}
