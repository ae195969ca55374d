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
}

/** What came back, once the headers are there. */
export interface TransportResponse {
  readonly status: number
  readonly headers: ResponseHeaders
  /** The content, decompressed. To be read once; leaving the loop early releases the connection. */
  readonly body: AsyncIterable<Uint8Array>
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
