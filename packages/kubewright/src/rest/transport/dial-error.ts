// Why a connection could not be made, in words that say what to look at.

import type { ConnectionErrorReason } from './connection-error.js'

/** No connection; becomes a ConnectionError once method and URL are known. */
export class DialError extends Error {
  override readonly name: string = 'DialError'
  readonly reason: ConnectionErrorReason

  constructor(reason: ConnectionErrorReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

const serverHint = 'is the server running, and is the host of the Config right?'
const proxyHint = 'is the proxy running, and is its URL (proxyUrl, HTTPS_PROXY or HTTP_PROXY) right?'

/** What the codes of failed connections mean; `hint` says what to look at. */
const connectProblems: Readonly<Record<string, (hint: string) => string>> = {
  ECONNREFUSED: (hint) => `connection refused; ${hint}`,
  ENOTFOUND: (hint) => `the name is not known; ${hint}`,
  EAI_AGAIN: () => 'the name could not be looked up just now; is the name service reachable?',
  EHOSTUNREACH: () => 'there is no route to the host; is the network, or a VPN, up?',
  ENETUNREACH: () => 'there is no route to the network; is the network, or a VPN, up?',
  ETIMEDOUT: () => 'no answer; is the network, or a VPN, up, and does a firewall let it through?',
}

const serverTrustHint =
  "give the CA that signed it in tlsClientConfig.caData or caFile (it replaces the system's), " +
  'or check that the host is the right server'
const proxyTrustHint = 'add the CA that signed it to those of the system, or name its file in NODE_EXTRA_CA_CERTS'

const trustProblems: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed and not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'signed by an unknown CA',
  UNABLE_TO_GET_ISSUER_CERT: 'signed by an unknown CA',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'signed by an unknown CA',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'signed by an unknown CA',
  CERT_SIGNATURE_FAILURE: 'not signed by the CA it names',
}

/** Whom a step of connecting talks to. */
export interface Peer {
  /** What cannot be done: `cannot connect to 10.0.0.1:443`. */
  label: string
  /** Name that its certificate must have. */
  name: string
  is: 'server' | 'proxy'
}

/** Facts of a failure to connect. */
export interface DialFailure {
  peer: Peer
  phase: 'connect' | 'tls'
  cause: Error
}

/** Says what failed and what to look at. */
export function explainDialFailure({ peer, phase, cause }: DialFailure): DialError {
  const code = (cause as { code?: string }).code ?? ''
  const isProxy = peer.is === 'proxy'
  const explain = (reason: ConnectionErrorReason, problem: string): DialError =>
    new DialError(reason, `${peer.label}: ${problem}`, { cause })
  if (phase === 'connect') {
    const hint = isProxy ? proxyHint : serverHint
    const who = isProxy ? 'connecting to the proxy: ' : ''
    const problem = connectProblems[code]?.(hint) ?? (cause.message || code)
    return explain(code === 'ETIMEDOUT' ? 'timeout' : 'connect', who + problem)
  }
  const certificate = `the ${peer.is}'s certificate`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const problem = `${certificate} is not for ${peer.name} (${(cause as { reason?: string }).reason ?? cause.message})`
    const hint = isProxy
      ? 'use a host that it names in the URL of the proxy'
      : 'use a host that it names, or give its name in tlsClientConfig.serverName'
    return explain('tls', `${problem}; ${hint}`)
  }
  const trustProblem = trustProblems[code]
  if (trustProblem) {
    return explain('tls', `${certificate} is ${trustProblem}; ${isProxy ? proxyTrustHint : serverTrustHint}`)
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    const [problem, remedy] = code === 'CERT_HAS_EXPIRED' ? ['has expired', 'renew it, or '] : ['is not valid yet', '']
    return explain('tls', `${certificate}, or its CA's, ${problem}; ${remedy}check this machine's clock`)
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') {
    const hint = `should the ${isProxy ? 'URL of the proxy' : 'host of the Config'} begin with http://?`
    return explain('tls', `the ${peer.is} does not speak TLS on this port; ${hint}`)
  }
  if (
    !isProxy &&
    /alert (certificate required|certificate expired|bad certificate|unknown ca|certificate unknown|handshake failure)/i.test(
      cause.message,
    )
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
      `the connection was closed during the TLS handshake; does the ${peer.is} speak TLS on this port?`,
    )
  }
  return explain('tls', `the TLS handshake${isProxy ? ' with the proxy' : ''} failed: ${cause.message}`)
}
