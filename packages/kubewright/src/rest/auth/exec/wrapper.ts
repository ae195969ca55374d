// Requests with the credentials that a plugin gives.

import { whenAborted } from '../../../clock/index.js'
import type { Transport, TransportRequest } from '../../transport/transport.js'
import type { ExecAuthenticator } from './authenticator.js'
import type { ExecCredentials } from './credentials.js'

/**
 * Adds the plugin's token to requests that name no credentials; the plugin runs for no others. A 401 has it run again,
 * for the requests after it. Closing ends the requests that wait for the plugin.
 */
export function withExecCredentials(inner: Transport, authenticator: ExecAuthenticator): Transport {
  const closing = new AbortController()
  const credentialsFor = async ({ method, url, signal }: TransportRequest): Promise<ExecCredentials> => {
    signal?.throwIfAborted()
    const closed = (): Error => new Error(`${method} ${url.origin}: the transport of this Config was closed`)
    if (closing.signal.aborted) throw closed()
    const waiting = new AbortController()
    const stopListening = [
      whenAborted(closing.signal, () => waiting.abort(closed())),
      signal && whenAborted(signal, () => waiting.abort(signal.reason)),
    ]
    try {
      return await authenticator.credentials({ signal: waiting.signal })
    } finally {
      for (const stop of stopListening) stop?.()
    }
  }
  return {
    close: () => {
      closing.abort()
      return inner.close()
    },
    async roundTrip(request) {
      if (request.headers.authorization !== undefined) return inner.roundTrip(request)
      const credentials = await credentialsFor(request)
      const { token } = credentials
      const headers = token ? { ...request.headers, authorization: `Bearer ${token}` } : request.headers
      const response = await inner.roundTrip({ ...request, headers })
      if (response.status === 401) authenticator.reject(credentials)
      return response
    },
  }
}
