// Requests with an OIDC token.

import type { Transport } from '../../transport/transport.js'
import type { OidcProvider } from './provider.js'

/** Adds the user's ID token to requests that name no credentials. */
export function withOidcToken(inner: Transport, provider: OidcProvider): Transport {
  return {
    close: () => inner.close(),
    async roundTrip(request) {
      if (request.headers.authorization !== undefined) return inner.roundTrip(request)
      const token = await provider.idToken({ signal: request.signal })
      return inner.roundTrip({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } })
    },
  }
}
