// The authenticator that a Config asks for.

import { readFileSync } from 'node:fs'
import { messageOf } from '../../../meta/index.js'
import type { Config } from '../../config.js'
import { defaultServerUrlFor } from '../../url.js'
import type { ExecAuthenticator } from './authenticator.js'
import { sharedAuthenticators } from './authenticators.js'
import type { ExecCluster } from './exec-info.js'

/**
 * The authenticator of a Config's `execProvider`; undefined when there is none, or when other credentials are there,
 * which win.
 *
 * @throws Error when the stanza or the policy is not valid, or the certificate authority or the proxy that the plugin is to
 * be told cannot be had.
 */
export function execAuthenticatorFor(config: Config): ExecAuthenticator | undefined {
  const { execProvider, bearerToken, bearerTokenFile, username, tlsClientConfig: tls, execPlugins, clock } = config
  const hasCertificate = (tls.certData || tls.certFile) && (tls.keyData || tls.keyFile)
  if (!execProvider || bearerToken || bearerTokenFile || username || hasCertificate) return undefined
  const { authenticators = sharedAuthenticators, policy, stdinUnavailable } = execPlugins ?? {}
  return authenticators.get({
    config: execProvider,
    cluster: execProvider.provideClusterInfo ? execClusterFor(config) : undefined,
    policy,
    stdinUnavailable,
    clock,
  })
}

function execClusterFor(config: Config): ExecCluster {
  const { host, tlsClientConfig: tls, disableCompression, execProvider } = config
  return {
    server: host,
    'tls-server-name': tls.serverName,
    'insecure-skip-tls-verify': tls.insecure,
    'certificate-authority-data': authority(tls),
    'proxy-url': proxyOf(config),
    'disable-compression': disableCompression,
    config: execProvider?.config,
  }
}

/** What the server is reached through: what the function of the Config says, which wins, or its URL. */
function proxyOf(config: Config): string | undefined {
  if (!config.proxy) return config.proxyUrl
  const { baseUrl } = defaultServerUrlFor(config)
  try {
    return config.proxy(baseUrl)?.toString()
  } catch (cause) {
    throw new Error(`failed to get proxy URL for execProvider: ${messageOf(cause)}`, { cause })
  }
}

function authority({ caData, caFile }: Config['tlsClientConfig']): string | undefined {
  try {
    if (caData) return Buffer.from(caData, 'utf8').toString('base64')
    return caFile ? readFileSync(caFile).toString('base64') : undefined
  } catch (cause) {
    throw new Error(`failed to load CA bundle for execProvider: ${messageOf(cause)}`, { cause })
  }
}
