// An OpenID Connect provider for tests: discovery, keys, and a token endpoint that knows refresh tokens.

import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export interface OidcIssuerOptions {
  /** PEM of the provider's certificate, for 127.0.0.1, and of its key. */
  cert: string
  key: string
  /** The audience of its tokens. */
  clientId: string
  /** Who logs in, by refresh token. A token is good once; the next one for the same user has `+` behind it. */
  users: Readonly<Record<string, string>>
}

export interface OidcIssuer {
  /** What API servers and clients are told of. */
  url: string
  /** The refresh tokens that were handed in so far. */
  readonly refreshes: readonly string[]
  /** A signed token, good for so many seconds. */
  idToken(user: string, seconds: number): string
  stop(): Promise<void>
}

/** Starts a provider that signs with a key of its own. */
export async function startOidcIssuer({ cert, key, clientId, users }: OidcIssuerOptions): Promise<OidcIssuer> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const known = new Map(Object.entries(users))
  const refreshes: string[] = []
  let url = ''

  const idToken = (user: string, seconds: number): string => {
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: url, aud: clientId, sub: user, iat: now, exp: now + seconds }
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    const signed = `${part({ alg: 'RS256', kid: 'test' })}.${part(claims)}`
    return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
  }

  const refresh = (form: URLSearchParams): { status: number; body: object } => {
    const token = form.get('refresh_token') ?? ''
    refreshes.push(token)
    const user = known.get(token)
    if (form.get('grant_type') !== 'refresh_token' || user === undefined) {
      return { status: 400, body: { error: 'invalid_grant' } }
    }
    known.delete(token)
    known.set(`${token}+`, user)
    const body = {
      token_type: 'Bearer',
      access_token: 'unused',
      refresh_token: `${token}+`,
      id_token: idToken(user, 3600),
    }
    return { status: 200, body }
  }

  const documents: Readonly<Record<string, () => object>> = {
    '/.well-known/openid-configuration': () => ({
      issuer: url,
      jwks_uri: `${url}/keys`,
      token_endpoint: `${url}/token`,
      authorization_endpoint: `${url}/unused`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    }),
    '/keys': () => ({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'test', alg: 'RS256', use: 'sig' }] }),
  }
  const answer = (path: string, text: string): { status: number; body: object } => {
    if (path === '/token') return refresh(new URLSearchParams(text))
    const document = documents[path]
    return document === undefined ? { status: 404, body: {} } : { status: 200, body: document() }
  }
  const server = createServer({ cert, key }, (request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    request.on('end', () => {
      const { status, body } = answer(request.url ?? '', text)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    refreshes,
    idToken,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
