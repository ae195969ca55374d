// Requests with an OIDC token.

import type { Transport } from '../../transport/transport.js'
import { UntilClosed } from '../until-closed.js'
import type { OidcProvider } from './provider.js'

/**
 * Adds the user's ID token to requests that name no credentials. Closing ends the requests that wait for a new one; the
 * refresh itself goes on, as its answer may hold the only refresh token that still works.
 */
export function withOidcToken(inner: Transport, provider: OidcProvider): Transport {
  const untilClosed = new UntilClosed()
  return {
    close: () => {
      untilClosed.close()
      return inner.close()
    },
    async roundTrip(request) {
      if (request.headers.authorization !== undefined) return inner.roundTrip(request)
      const token = await untilClosed.run(request, (options) => provider.idToken(options))
      return inner.roundTrip({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } })
    },
  }
}
