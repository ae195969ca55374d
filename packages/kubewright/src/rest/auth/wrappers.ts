// Who a request comes from: wrappers around a transport that set the headers for it.

import type { Clock } from '../../clock/index.js'
import { basicAuth } from '../basic-auth.js'
import type { ImpersonationConfig } from '../config.js'
import type { Transport, TransportRequest } from '../transport/transport.js'
import type { TokenFileSource } from './token-source.js'

/** A transport that changes requests before another one sends them. */
function changing(inner: Transport, change: (request: TransportRequest) => TransportRequest): Transport {
  return {
    roundTrip: (request) => inner.roundTrip(change(request)),
    close: () => inner.close(),
  }
}

function withHeader(request: TransportRequest, name: string, value: string): TransportRequest {
  if (request.headers[name] !== undefined) return request
  return { ...request, headers: { ...request.headers, [name]: value } }
}

/** Adds a bearer token to requests that name no credentials. */
export function withBearerToken(inner: Transport, token: string): Transport {
  const value = `Bearer ${token.trim()}`
  return changing(inner, (request) => withHeader(request, 'authorization', value))
}

/** As {@link withBearerToken}, from a file. A 401 has the file read again, for the requests after it. */
export function withBearerTokenFile(
  inner: Transport,
  source: TokenFileSource,
  clock: Clock,
  fallback?: string,
): Transport {
  const current = (): string => {
    try {
      return source.token()
    } catch (err) {
      if (fallback) return fallback.trim()
      throw err
    }
  }
  return {
    close: () => inner.close(),
    async roundTrip(request) {
      if (request.headers.authorization !== undefined) return inner.roundTrip(request)
      const startedAt = clock.monotonic()
      const response = await inner.roundTrip(withHeader(request, 'authorization', `Bearer ${current()}`))
      if (response.status === 401) source.reset(startedAt)
      return response
    },
  }
}

/** Adds name and password to requests that name no credentials. */
export function withBasicAuth(inner: Transport, username: string, password: string): Transport {
  const value = basicAuth(username, password)
  return changing(inner, (request) => withHeader(request, 'authorization', value))
}

/** Takes name and password out of URLs that carry them; they count as credentials where there are no others. */
export function withURLCredentials(inner: Transport): Transport {
  return changing(inner, (request) => {
    const { username, password } = request.url
    if (username === '' && password === '') return request
    const url = new URL(request.url)
    url.username = ''
    url.password = ''
    const value = basicAuth(decoded(username), decoded(password))
    return withHeader({ ...request, url }, 'authorization', value)
  })
}

/** The system's own error says neither what was being decoded nor where it comes from. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error(
      'host has a % in its user name or password that stands for no character: write a % of theirs as %25',
    )
  }
}

/** Names the program to the server, on requests that do not. */
export function withUserAgent(inner: Transport, userAgent: string): Transport {
  return changing(inner, (request) => withHeader(request, 'user-agent', userAgent))
}

/** Asks the server to act as somebody else; requests that ask for that themselves are left alone. */
export function withImpersonation(
  inner: Transport,
  { userName = '', uid, groups, extra }: ImpersonationConfig,
): Transport {
  const impersonated: Record<string, string | readonly string[]> = { 'impersonate-user': userName }
  if (uid) impersonated['impersonate-uid'] = uid
  if (groups && groups.length > 0) impersonated['impersonate-group'] = groups
  for (const [key, values] of Object.entries(extra ?? {})) {
    if (values.length > 0) impersonated[`impersonate-extra-${escapeHeaderKey(key).toLowerCase()}`] = values
  }
  return changing(inner, (request) =>
    request.headers['impersonate-user'] === undefined
      ? { ...request, headers: { ...request.headers, ...impersonated } }
      : request,
  )
}

/** Escapes what a header's name cannot hold, and `%`, byte by byte. */
function escapeHeaderKey(key: string): string {
  return key.replace(/[^A-Za-z0-9!#$&'*+\-.^_`|~]+/g, (text) =>
    Array.from(Buffer.from(text, 'utf8'), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )
}
