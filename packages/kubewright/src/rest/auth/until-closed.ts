// Waiting for credentials, which may take for ever, no longer than the transport that wants them is open.

import { whenAborted } from '../../clock/index.js'
import type { TransportRequest } from '../transport/transport.js'

/** Ends what requests wait for when their transport is closed. */
export class UntilClosed {
  readonly #closing = new AbortController()

  close(): void {
    this.#closing.abort()
  }

  /**
   * Does what a request waits for. Its signal aborts with the request's own, and when the transport is closed.
   *
   * @throws what the work throws; an Error that says that the transport was closed.
   */
  async run<T>(
    { method, url, signal }: TransportRequest,
    work: (options: { signal: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted()
    const closed = (): Error => new Error(`${method} ${url.origin}: the transport of this Config was closed`)
    if (this.#closing.signal.aborted) throw closed()
    const waiting = new AbortController()
    const stopListening = [
      whenAborted(this.#closing.signal, () => waiting.abort(closed())),
      signal && whenAborted(signal, () => waiting.abort(signal.reason)),
    ]
    try {
      return await work({ signal: waiting.signal })
    } finally {
      for (const stop of stopListening) stop?.()
    }
  }
}
