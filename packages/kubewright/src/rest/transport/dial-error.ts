// Why a connection could not be made, in words that say what to look at.

import type { ConnectionErrorReason } from './connection-error.js'
import type { TLSSettings } from './tls-settings.js'

/** No connection; becomes a ConnectionError once method and URL are known. */
export class DialError extends Error {
  override readonly name: string = 'DialError'
  readonly reason: ConnectionErrorReason

  constructor(reason: ConnectionErrorReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

const connectProblems: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused; is the server running, and is the host of the Config right?',
  ENOTFOUND: 'the name is not known; is the host of the Config right?',
  EAI_AGAIN: 'the name could not be looked up just now; is the name service reachable?',
  EHOSTUNREACH: 'there is no route to the host; is the network, or a VPN, up?',
  ENETUNREACH: 'there is no route to the network; is the network, or a VPN, up?',
  ETIMEDOUT: 'no answer; is the network, or a VPN, up, and does a firewall let it through?',
}

const trustProblem = (what: string): string =>
  `${what}; give the CA that signed it in tlsClientConfig.caData or caFile (it replaces the system's), ` +
  'or check that the host is the right server'

const tlsProblems: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: trustProblem("the server's certificate is self-signed and not trusted"),
  SELF_SIGNED_CERT_IN_CHAIN: trustProblem("the server's certificate is signed by an unknown CA"),
  UNABLE_TO_GET_ISSUER_CERT: trustProblem("the server's certificate is signed by an unknown CA"),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: trustProblem("the server's certificate is signed by an unknown CA"),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: trustProblem("the server's certificate is signed by an unknown CA"),
  CERT_SIGNATURE_FAILURE: trustProblem("the server's certificate is not signed by the CA it names"),
  CERT_HAS_EXPIRED: "the server's certificate, or its CA's, has expired; renew it, or check this machine's clock",
  CERT_NOT_YET_VALID: "the server's certificate, or its CA's, is not valid yet; check this machine's clock",
  ERR_SSL_WRONG_VERSION_NUMBER:
    'the server does not speak TLS on this port; should the host of the Config begin with http://?',
}

/** Facts of a failure to connect. */
export interface DialFailure {
  host: string
  port: number
  phase: 'connect' | 'tls'
  cause: Error
  tls: TLSSettings | undefined
}

/** Says what failed and which field of the Config to look at. */
export function explainDialFailure({ host, port, phase, cause, tls }: DialFailure): DialError {
  const code = (cause as { code?: string }).code ?? ''
  const where = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  const explain = (reason: ConnectionErrorReason, problem: string): DialError =>
    new DialError(reason, `cannot connect to ${where}: ${problem}`, { cause })
  if (phase === 'connect') {
    return explain(code === 'ETIMEDOUT' ? 'timeout' : 'connect', connectProblems[code] ?? (cause.message || code))
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const name = tls?.serverName ?? host
    return explain(
      'tls',
      `the server's certificate is not for ${name} (${(cause as { reason?: string }).reason ?? cause.message}); ` +
        'use a host that it names, or give its name in tlsClientConfig.serverName',
    )
  }
  if (
    /alert (certificate required|bad certificate|unknown ca|certificate unknown|handshake failure)/i.test(cause.message)
  ) {
    return explain(
      'tls',
      `the server refused the TLS handshake (${cause.message.trim()}); check the client certificate in ` +
        'tlsClientConfig.certData/keyData or certFile/keyFile',
    )
  }
  if (code === 'ECONNRESET' || cause.message === 'the connection was closed') {
    return explain(
      'lost',
      'the connection was closed during the TLS handshake; does the server speak TLS on this port?',
    )
  }
  return explain('tls', tlsProblems[code] ?? `the TLS handshake failed: ${cause.message}`)
}
