// Follows redirects, and takes care whom credentials are shown to.

import { ConnectionError, printableURL } from './connection-error.js'
import type { RequestHeaders } from './headers.js'
import { isReplayable } from './request-body.js'
import type { Transport, TransportRequest, TransportResponse } from './transport.js'

const maxRedirects = 10

/** What tells who sends a request, besides `impersonate-*`. */
const credentialHeaders = new Set(['authorization', 'cookie', 'cookie2', 'proxy-authorization', 'www-authenticate'])

/**
 * A transport that follows redirects as Go's http.Client does: 301, 302 and 303 of GET and HEAD, 307 and 308 of all whose
 * body can be sent again, ten in a row at most.
 *
 * Credentials go along to the same host and those below it, and never from https to http.
 *
 * **Caveats**: where Go makes a GET of something else, the redirect is given back as it is: a DELETE that became a GET would
 * look as if it had succeeded.
 */
export function withRedirects(inner: Transport): Transport {
  return {
    close: () => inner.close(),
    roundTrip: (request) =>
      inner.roundTrip(request).then((response) => (isRedirect(response) ? follow(inner, request, response) : response)),
  }
}

function isRedirect({ status }: TransportResponse): boolean {
  return status >= 300 && status < 400
}

async function follow(
  inner: Transport,
  first: TransportRequest,
  firstResponse: TransportResponse,
): Promise<TransportResponse> {
  let request = first
  let response = firstResponse
  for (let redirects = 0; ; redirects++) {
    const target = targetOf(request, response)
    if (target === undefined) return response
    response.close()
    if (redirects === maxRedirects) throw failure(first, `stopped after ${maxRedirects} redirects`)
    const headers = mayKnow(request.url, target) ? request.headers : withoutCredentials(request.headers)
    request = { ...request, url: target, headers }
    response = await inner.roundTrip(request)
  }
}

/** Where to go on; undefined when this is the answer. */
function targetOf(request: TransportRequest, { status, headers }: TransportResponse): URL | undefined {
  const follows =
    status === 307 || status === 308
      ? isReplayable(request)
      : (status === 301 || status === 302 || status === 303) && (request.method === 'GET' || request.method === 'HEAD')
  const location = follows ? headers.get('location') : undefined
  if (!location) return undefined
  if (!URL.canParse(location, request.url.href)) throw failure(request, 'redirected to what is no URL')
  const target = new URL(location, request.url)
  if (target.protocol !== 'http:' && target.protocol !== 'https:') {
    throw failure(request, `redirected to a URL that is not of HTTP (${target.protocol})`)
  }
  // Whoever redirects does not say who we are.
  target.username = ''
  target.password = ''
  return target
}

function mayKnow(from: URL, to: URL): boolean {
  if (from.protocol === 'https:' && to.protocol !== 'https:') return false
  return to.hostname === from.hostname || to.hostname.endsWith(`.${from.hostname}`)
}

function withoutCredentials(headers: RequestHeaders): RequestHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !credentialHeaders.has(name) && !name.startsWith('impersonate-')),
  )
}

function failure({ method, url }: TransportRequest, message: string): ConnectionError {
  return new ConnectionError({ method, url: printableURL(url), reason: 'protocol', message })
}
