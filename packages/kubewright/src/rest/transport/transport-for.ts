// The transport of a Config: made once, shared by all clients of that Config.

import { TokenFileSource } from '../auth/token-source.js'
import {
  withBasicAuth,
  withBearerToken,
  withBearerTokenFile,
  withImpersonation,
  withURLCredentials,
  withUserAgent,
} from '../auth/wrappers.js'
import type { Config } from '../config.js'
import { defaultUserAgent } from '../user-agent.js'
import { HttpTransport } from './http-transport.js'
import { hasTLSSettings, loadTLSSettings } from './tls-settings.js'
import type { Transport } from './transport.js'

const transports = new WeakMap<Config, Transport>()

/**
 * The transport of a Config, with its authentication. Made at the first call; the same one from then on.
 *
 * `await transportFor(config).close()` ends its connections, for good.
 *
 * @throws Error when fields of the Config contradict each other or a file that they name cannot be used.
 */
export function transportFor(config: Config): Transport {
  let transport = transports.get(config)
  if (transport === undefined) {
    transport = withAuthentication(config, baseTransport(config))
    transports.set(config, transport)
  }
  return transport
}

function baseTransport(config: Config): Transport {
  const { transport, wrapTransport, tlsClientConfig, clock, disableCompression, proxyUrl } = config
  if (transport && hasTLSSettings(tlsClientConfig)) {
    throw new Error('using a custom transport with TLS certificate options or the insecure flag is not allowed')
  }
  if (proxyUrl) throw new Error('cannot make a transport for this Config: proxyUrl is not supported')
  const base = transport ?? new HttpTransport({ tls: loadTLSSettings(tlsClientConfig), clock, disableCompression })
  return wrapTransport ? wrapTransport(base) : base
}

/** From the inside out; so the impersonation is set first, and the Config's own wrapper sees the headers as sent. */
function withAuthentication(config: Config, base: Transport): Transport {
  const { username, password = '', bearerToken, bearerTokenFile, execProvider, impersonate, clock, logger } = config
  if (execProvider) {
    throw new Error(
      `cannot authenticate with the credential plugin ${JSON.stringify(execProvider.command)}: ` +
        'running exec plugins is not supported; give the Config a bearerToken or a client certificate',
    )
  }
  if (username && (bearerToken || bearerTokenFile)) {
    throw new Error('username/password or bearer token may be set, but not both')
  }
  let transport = withURLCredentials(base)
  if (bearerTokenFile) {
    const source = new TokenFileSource({ file: bearerTokenFile, clock, logger })
    if (!bearerToken) source.token()
    transport = withBearerTokenFile(transport, source, clock, bearerToken)
  } else if (bearerToken) {
    transport = withBearerToken(transport, bearerToken)
  } else if (username) {
    transport = withBasicAuth(transport, username, password)
  }
  transport = withUserAgent(transport, config.userAgent || defaultUserAgent())
  const { userName, uid, groups, extra } = impersonate ?? {}
  if (userName || uid || (groups?.length ?? 0) > 0 || Object.keys(extra ?? {}).length > 0) {
    transport = withImpersonation(transport, { userName, uid, groups, extra })
  }
  return transport
}
