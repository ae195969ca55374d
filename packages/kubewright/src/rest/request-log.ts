// Requests and answers in the log, at klog's levels. Credentials are masked at every one of them.

import type { Clock } from '../clock/index.js'
import { hexOf, textOf } from './bytes.js'
import type { LogFields, Logger } from './logger.js'
import { printableURL } from './transport/connection-error.js'
import type { RequestHeaders, ResponseHeaders } from './transport/headers.js'
import type { Transport, TransportRequest, TransportResponse } from './transport/transport.js'

/** Options of {@link withRequestLog}, as a Config has them. */
export interface RequestLogOptions {
  readonly logger: Logger
  readonly verbosity: number
  readonly clock: Clock
}

/**
 * A transport that tells of its exchanges as client-go does: at 6 in a line each, at 7 with the request's headers, at 8
 * with the answer's too, from 9 on with a curl command and where the time went. Bodies are told by {@link logBody}.
 *
 * Belongs around the transport that the Config's `wrapTransport` gives, inside of what sets credentials.
 */
export function withRequestLog(inner: Transport, options: RequestLogOptions): Transport {
  if (options.verbosity < 6) return inner
  return {
    close: () => inner.close(),
    roundTrip: (request) => roundTrip(inner, request, options),
  }
}

async function roundTrip(
  inner: Transport,
  request: TransportRequest,
  { logger, verbosity, clock }: RequestLogOptions,
): Promise<TransportResponse> {
  const about = { verb: request.method, url: printableURL(request.url) }
  if (verbosity >= 9) logger.debug('Request', { curlCommand: curlCommand(request) })
  else if (verbosity >= 7) logger.debug('Request', { ...about, headers: maskHeaders(requestHeaders(request.headers)) })
  const start = clock.monotonic()
  const told = verbosity === 6 || verbosity >= 9 ? about : {}
  const milliseconds = (): number => Math.round(clock.monotonic() - start)
  try {
    const response = await inner.roundTrip(request)
    logger.debug('Response', {
      ...told,
      status: statusLine(response.status),
      ...(verbosity >= 8 && { headers: maskHeaders(answerHeaders(response.headers)) }),
      milliseconds: milliseconds(),
      ...(verbosity >= 9 && timingFields(response)),
    })
    return response
  } catch (err) {
    logger.debug('Response', { ...told, status: '', milliseconds: milliseconds(), error: err })
    throw err
  }
}

/** How much of a body is shown, in bytes; 0: none of it. */
export function shownBodySize(verbosity: number): number {
  if (verbosity >= 10) return Number.POSITIVE_INFINITY
  return verbosity >= 9 ? 10240 : verbosity >= 8 ? 1024 : 0
}

/** Paths whose bodies are secrets themselves: Secrets, tokens of service accounts, token reviews. */
const secretPath = /\/(secrets|tokenreviews)(\/|$)|\/serviceaccounts\/[^/]+\/token$/

/**
 * Shows the beginning of a body, from level 8 on.
 *
 * @param body its beginning, at least
 * @param size of all of it
 */
export function logBody(
  { logger, verbosity }: Pick<RequestLogOptions, 'logger' | 'verbosity'>,
  title: 'Request Body' | 'Response Body',
  { url, body, size }: { url: URL; body: Uint8Array; size: number },
): void {
  const shown = body.subarray(0, shownBodySize(verbosity))
  const text = secretPath.test(url.pathname) ? '<masked>' : isText(shown) ? textOf(shown) : hexOf(shown)
  const rest = size - shown.length
  logger.debug(title, { body: rest > 0 ? `${text} [truncated ${rest} bytes]` : text })
}

function isText(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte >= 0x09)
}

function statusLine(status: number): string {
  const text = process.getBuiltinModule('node:http').STATUS_CODES[status]
  return text === undefined ? `${status}` : `${status} ${text}`
}

function timingFields({ timings = {} }: TransportResponse): LogFields {
  const { reused, dnsMs, connectMs, tlsMs, getConnectionMs, firstByteMs } = timings
  const fields = reused
    ? { getConnectionMilliseconds: getConnectionMs }
    : { dnsLookupMilliseconds: dnsMs, dialMilliseconds: connectMs, tlsHandshakeMilliseconds: tlsMs }
  const known = Object.entries({ ...fields, serverProcessingMilliseconds: firstByteMs })
  return Object.fromEntries(known.flatMap(([name, ms]) => (ms === undefined ? [] : [[name, Math.round(ms)]])))
}

type HeaderList = readonly (readonly [name: string, values: readonly string[]])[]

function requestHeaders(headers: RequestHeaders): HeaderList {
  return Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? [value] : value])
}

function answerHeaders(headers: ResponseHeaders): HeaderList {
  return headers.names().map((name) => [name, headers.getAll(name)])
}

function maskHeaders(headers: HeaderList): Record<string, string | readonly string[]> {
  const masked: Record<string, string | readonly string[]> = {}
  for (const [name, values] of [...headers].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const shown = values.map((value) => maskHeader(name, value))
    masked[name] = shown.length === 1 && shown[0] !== undefined ? shown[0] : shown
  }
  return masked
}

const schemes = new Set(['bearer', 'basic', 'negotiate'])

/** Names that say that the value is a secret, of headers that a proxy or a wrapper of the user's own may need. */
const secretName = /cookie|token|secret|passw|credential|api-?key/i

/** A header's value as it may be shown. Of a scheme of authentication that is known, the name stays. */
export function maskHeader(name: string, value: string): string {
  if (/^(proxy-)?authorization$/i.test(name)) {
    const [scheme = ''] = value.split(' ', 1)
    if (!schemes.has(scheme.toLowerCase())) return value === '' ? '' : '<masked>'
    return value.length > scheme.length + 1 ? `${scheme} <masked>` : scheme
  }
  if (secretName.test(name)) return '<masked>'
  // A bearer token in disguise, for browsers.
  return value.replace(/(base64url\.bearer\.authorization\.k8s\.io\.)[^\s,]+/g, '$1<masked>')
}

function curlCommand({ method, url, headers }: TransportRequest): string {
  const flags = requestHeaders(headers).flatMap(([name, values]) =>
    values.map((value) => ` -H ${shellQuote(`${name}: ${maskHeader(name, value)}`)}`),
  )
  return `curl -v -X${method}${flags.join('')} ${shellQuote(printableURL(url))}`
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
