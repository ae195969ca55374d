// The transport of a Config: made once, shared by all clients of that Config.

import { channel } from 'node:diagnostics_channel'
import type { ExecAuthenticator } from '../auth/exec/authenticator.js'
import { execAuthenticatorFor } from '../auth/exec/for-config.js'
import { withExecCredentials } from '../auth/exec/wrapper.js'
import { oidcProviderFor } from '../auth/oidc/for-config.js'
import { withOidcToken } from '../auth/oidc/wrapper.js'
import { TokenFileSource } from '../auth/token-source.js'
import {
  withBasicAuth,
  withBearerToken,
  withBearerTokenFile,
  withImpersonation,
  withURLCredentials,
  withUserAgent,
} from '../auth/wrappers.js'
import type { Config, TLSClientConfig } from '../config.js'
import type { Environment } from '../environment.js'
import { withRequestLog } from '../request-log.js'
import { userAgentOf } from '../user-agent.js'
import type { CertificateSource } from './certificate-source.js'
import { connectionSettings } from './connection-settings.js'
import { HttpTransport } from './http-transport.js'
import { type Proxy, parseProxy } from './proxy.js'
import { proxyFromEnvironment } from './proxy-from-environment.js'
import { withRedirects } from './redirects.js'
import { hasTLSSettings, loadTLSSettings } from './tls-settings.js'
import type { Transport } from './transport.js'

/** On `kubewright:rest:transport-create`: a client asked for its transport. client-go's `TransportCreateCalls`. */
export interface TransportCreateEvent {
  readonly config: Config
  /** `hit`: it shares the one of another client of this Config. */
  readonly result: 'hit' | 'miss'
}

const created = channel('kubewright:rest:transport-create')
const transports = new WeakMap<Config, Transport>()

/**
 * The transport of a Config, with its authentication. Made at the first call; the same one from then on.
 *
 * `await transportFor(config).close()` ends its connections, for good.
 *
 * Without a proxy in the Config, those of the environment count: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. So do
 * `DISABLE_HTTP2`, `HTTP2_READ_IDLE_TIMEOUT_SECONDS` and `HTTP2_PING_TIMEOUT_SECONDS`.
 *
 * @throws Error when fields of the Config contradict each other or a file that they name cannot be used.
 */
export function transportFor(config: Config): Transport {
  let transport = transports.get(config)
  created.publish({ config, result: transport ? 'hit' : 'miss' } satisfies TransportCreateEvent)
  if (transport === undefined) {
    transport = newTransport(config, process.env)
    transports.set(config, transport)
  }
  return transport
}

/** A transport of its own for a Config, in an environment. */
export function newTransport(config: Config, env: Environment): Transport {
  const authenticator = execAuthenticatorFor(config)
  const connect = connector(config, env)
  return withAuthentication(config, baseTransport(config, connect, authenticator), { connect, authenticator })
}

/** Makes transports that reach servers as the Config says. */
type Connect = (tls: TLSClientConfig, certificates?: CertificateSource) => HttpTransport

function connector(config: Config, env: Environment): Connect {
  const { clock, logger, disableCompression, dial } = config
  return (tls, certificates) =>
    new HttpTransport({
      tls: loadTLSSettings(tls, { clock, logger, certificates }),
      clock,
      disableCompression,
      settings: connectionSettings(env, logger),
      proxyFor: proxyFunction(config, env),
      connect: dial,
    })
}

function baseTransport(config: Config, connect: Connect, certificates: CertificateSource | undefined): Transport {
  const { transport, wrapTransport, tlsClientConfig } = config
  if (transport && hasTLSSettings(tlsClientConfig)) {
    throw new Error('using a custom transport with TLS certificate options or the insecure flag is not allowed')
  }
  const redirected = withRedirects(transport ?? connect(tlsClientConfig, certificates))
  return withRequestLog(wrapTransport ? wrapTransport(redirected) : redirected, config)
}

/** What goes through which proxy: as the Config's function says, or through the Config's proxy, or as the environment says. */
function proxyFunction({ proxy, proxyUrl }: Config, env: Environment): (url: URL) => Proxy | undefined {
  if (proxy) {
    return (url) => {
      const chosen = proxy(new URL(url))
      return chosen ? parseProxy(chosen, 'what proxy of the Config gave') : undefined
    }
  }
  if (proxyUrl) {
    const parsed = parseProxy(proxyUrl, 'proxyUrl of the Config')
    return () => parsed
  }
  const fromEnvironment = proxyFromEnvironment(env)
  return (url) => {
    const found = fromEnvironment(url)
    return found && parseProxy(found, url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY')
  }
}

/** From the inside out; so the impersonation is set first, and the Config's own wrapper sees the headers as sent. */
function withAuthentication(
  config: Config,
  base: Transport,
  { connect, authenticator }: { connect: Connect; authenticator: ExecAuthenticator | undefined },
): Transport {
  const { username, password = '', bearerToken, bearerTokenFile, impersonate, clock, logger } = config
  if (username && (bearerToken || bearerTokenFile)) {
    throw new Error('username/password or bearer token may be set, but not both')
  }
  const oidc = oidcProviderFor(config, { connect })
  let transport = withURLCredentials(base)
  if (authenticator) {
    transport = withExecCredentials(transport, authenticator)
  } else if (oidc) {
    transport = withOidcToken(transport, oidc)
  } else if (bearerTokenFile) {
    const source = new TokenFileSource({ file: bearerTokenFile, clock, logger })
    if (!bearerToken) source.token()
    transport = withBearerTokenFile(transport, source, clock, bearerToken)
  } else if (bearerToken) {
    transport = withBearerToken(transport, bearerToken)
  } else if (username) {
    transport = withBasicAuth(transport, username, password)
  }
  transport = withUserAgent(transport, userAgentOf(config))
  const { userName, uid, groups, extra } = impersonate ?? {}
  if (userName || uid || (groups?.length ?? 0) > 0 || Object.keys(extra ?? {}).length > 0) {
    transport = withImpersonation(transport, { userName, uid, groups, extra })
  }
  return transport
}
