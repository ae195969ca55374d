// A new ID token for a refresh token: discovery, then the refresh_token grant.

import { goQuote } from '../../../meta/index.js'
import type { Transport } from '../../transport/transport.js'
import type { OAuthLibrary } from './oauth-library.js'

/** Bytes of an identity provider's answer that are read. */
const maxAnswer = 1024 * 1024

/** Options of {@link refreshTokens}. */
export interface RefreshOptions {
  issuer: string
  clientId: string
  clientSecret: string | undefined
  refreshToken: string
  /** Reaches the identity provider. */
  transport: Transport
  signal: AbortSignal
}

/** What the identity provider gave. */
export interface RefreshedTokens {
  idToken: string
  /** Undefined: the old one stays good. */
  refreshToken: string | undefined
}

/**
 * Asks the identity provider.
 *
 * @throws Error without any of the secrets, also none in its cause; the signal's reason when it aborts.
 */
export async function refreshTokens(oauth: OAuthLibrary, options: RefreshOptions): Promise<RefreshedTokens> {
  const { issuer, clientId, clientSecret, refreshToken, signal } = options
  const http = { signal, [oauth.customFetch]: fetchOver(options.transport) }
  try {
    const url = new URL(issuer)
    const found = await oauth.discoveryRequest(url, http)
    const server = await oauth.processDiscoveryResponse(url, found)
    if (!server.token_endpoint) throw new Error("oidc: discovery object doesn't contain a token_endpoint")
    const client = { client_id: clientId }
    const authentication = clientAuthentication(oauth, clientSecret, server.token_endpoint_auth_methods_supported)
    const answer = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, http)
    const tokens = await oauth.processRefreshTokenResponse(server, client, answer)
    if (!tokens.id_token) {
      throw new Error(
        'the token response has no id_token: the scope "openid" was not requested at login, or the provider gives none when refreshing',
      )
    }
    return { idToken: tokens.id_token, refreshToken: tokens.refresh_token }
  } catch (err) {
    signal.throwIfAborted()
    throw withoutSecrets(err, options)
  }
}

/** As the server wants it; in the header where it does not say. */
function clientAuthentication(
  oauth: OAuthLibrary,
  secret: string | undefined,
  supported: readonly string[] | undefined,
): ReturnType<OAuthLibrary['None']> {
  if (!secret) return oauth.None()
  const inHeader = supported === undefined || supported.includes('client_secret_basic')
  return inHeader ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret)
}

/** `fetch`, as far as it is needed here, on our own transport: node's own can be told of no certificate authority. */
function fetchOver(transport: Transport) {
  return async (
    url: string,
    request: {
      method: string
      headers: Record<string, string>
      body?: URLSearchParams | null | undefined
      signal?: AbortSignal | undefined
    },
  ): Promise<Response> => {
    const { method, headers, body, signal } = request
    const response = await transport.roundTrip({
      method,
      url: new URL(url),
      headers,
      body: body?.toString(),
      signal,
    })
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of response.body) {
      size += chunk.length
      if (size > maxAnswer) throw new Error(`the answer of ${printable(url)} is longer than ${maxAnswer} bytes`)
      chunks.push(chunk)
    }
    return new Response(Buffer.concat(chunks), {
      status: response.status,
      headers: { 'content-type': response.headers.get('content-type') ?? '' },
    })
  }
}

/** An error of its own: the library's holds what was sent and received, and the server's words may quote it. */
function withoutSecrets(err: unknown, { issuer, refreshToken, clientSecret }: RefreshOptions): Error {
  const { message, error, error_description, cause } = err as Error & { error?: string; error_description?: string }
  let reason = error === undefined ? message : [error, error_description].filter(Boolean).join(': ')
  if (error === undefined && cause instanceof Response) reason += ` (HTTP status ${cause.status})`
  for (const secret of [refreshToken, clientSecret]) if (secret) reason = reason.replaceAll(secret, '(redacted)')
  return new Error(`cannot refresh the OIDC token at ${printable(issuer)}: ${reason}`)
}

function printable(issuer: string): string {
  return URL.canParse(issuer) ? `${new URL(issuer).origin}${new URL(issuer).pathname}` : goQuote(issuer)
}
