// Requests with the credentials that a plugin gives.

import type { Transport } from '../../transport/transport.js'
import { UntilClosed } from '../until-closed.js'
import type { ExecAuthenticator } from './authenticator.js'

/**
 * Adds the plugin's token to requests that name no credentials; the plugin runs for no others. A 401 has it run again,
 * for the requests after it. Closing ends the requests that wait for the plugin.
 */
export function withExecCredentials(inner: Transport, authenticator: ExecAuthenticator): Transport {
  const untilClosed = new UntilClosed()
  return {
    close: () => {
      untilClosed.close()
      return inner.close()
    },
    async roundTrip(request) {
      if (request.headers.authorization !== undefined) return inner.roundTrip(request)
      const credentials = await untilClosed.run(request, (options) => authenticator.credentials(options))
      const { token } = credentials
      const headers = token ? { ...request.headers, authorization: `Bearer ${token}` } : request.headers
      const response = await inner.roundTrip({ ...request, headers })
      if (response.status === 401) authenticator.reject(credentials)
      return response
    },
  }
}
