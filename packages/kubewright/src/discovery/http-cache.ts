// A cache of HTTP answers in files, in kubectl's places and form: what has not changed is not sent again.

import { join } from 'node:path'
import { type Clock, realClock } from '../clock/index.js'
import {
  type ResponseHeaders,
  responseHeaders,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from '../rest/index.js'
import { readCacheFile, writeCacheFile } from './cache-file.js'
import { parseStored, type Stored, serializeStored } from './stored-response.js'

/** Options of {@link newCacheTransport}. */
export interface CacheTransportOptions {
  /** Of the files; it is made when it is not there. kubectl's is `~/.kube/cache/http`. */
  readonly cacheDirectory: string
  /** @defaultValue the machine's */
  readonly clock?: Clock | undefined
}

/**
 * Keeps answers to GETs that can be recognized later: those with an ETag, a Last-Modified or a lifetime.
 *
 * **Guarantees**: an answer is used without asking as long as it says; else the server is asked whether it has changed. Files
 * that are broken are as good as none.
 *
 * **Caveats**: whoever can write the directory decides what the program believes; answers are kept by URL, whoever asked. Made
 * for discovery and OpenAPI documents, not for lists and secrets. It keeps each answer in memory until it has been read.
 */
export function newCacheTransport(inner: Transport, options: CacheTransportOptions): Transport {
  const { cacheDirectory, clock = realClock } = options
  return {
    close: () => inner.close(),
    async roundTrip(request) {
      if (request.method !== 'GET' || request.headers.range !== undefined) return inner.roundTrip(request)
      const path = join(
        cacheDirectory,
        process.getBuiltinModule('node:crypto').createHash('sha256').update(request.url.href).digest('hex'),
      )
      const file = await readCacheFile(path, { notBefore: Number.NEGATIVE_INFINITY })
      request.signal?.throwIfAborted()
      const found = file && parseStored(file.bytes)
      const usable = found && answersTo(found, request) ? found : undefined
      if (usable && isFresh(usable.headers, clock.now())) return responseOf(usable)
      const response = await inner.roundTrip(usable ? withValidators(request, usable) : request)
      if (response.status === 304 && usable) {
        response.close()
        const renewed = renew(usable, response.headers)
        await store(path, renewed)
        return responseOf(renewed)
      }
      return isWorthKeeping(response) ? keeping(path, request, response) : response
    },
  }
}

/** Whether the request says the same as the one that was answered, as far as the answer depends on it. */
function answersTo({ headers }: Stored, request: TransportRequest): boolean {
  return variedNames(headers).every((name) => (headers.get(`x-varied-${name}`) ?? '') === headerOf(request, name))
}

function variedNames(headers: Pick<ResponseHeaders, 'get'>): string[] {
  const names = (headers.get('vary') ?? '').split(',').map((name) => name.trim().toLowerCase())
  return names.filter((name) => name !== '')
}

function headerOf(request: TransportRequest, name: string): string {
  const value = request.headers[name] ?? ''
  return typeof value === 'string' ? value : (value[0] ?? '')
}

function isFresh(headers: Stored['headers'], now: number): boolean {
  const date = Date.parse(headers.get('date') ?? '')
  return lifetimeOf(headers, date) > now - date
}

/** Milliseconds for which an answer may be used without asking. */
function lifetimeOf(headers: Pick<ResponseHeaders, 'get'>, date: number): number {
  const control = headers.get('cache-control') ?? ''
  if (/\bno-(cache|store)\b/.test(control) || Number.isNaN(date)) return 0
  const maxAge = /\bmax-age=(\d+)/.exec(control)?.[1]
  if (maxAge !== undefined) return Number(maxAge) * 1000
  const expires = Date.parse(headers.get('expires') ?? '')
  return Number.isNaN(expires) ? 0 : expires - date
}

function withValidators(request: TransportRequest, { headers }: Stored): TransportRequest {
  const etag = headers.get('etag')
  const modified = headers.get('last-modified')
  return {
    ...request,
    headers: {
      ...request.headers,
      ...(etag !== undefined && { 'if-none-match': etag }),
      ...(modified !== undefined && { 'if-modified-since': modified }),
    },
  }
}

function isWorthKeeping({ status, headers }: TransportResponse): boolean {
  if (status !== 200 || /\bno-store\b/.test(headers.get('cache-control') ?? '')) return false
  const isRecognizable = headers.get('etag') !== undefined || headers.get('last-modified') !== undefined
  return isRecognizable || lifetimeOf(headers, Date.parse(headers.get('date') ?? '')) > 0
}

/** The same answer, which is kept once it has been read to its end. */
function keeping(path: string, request: TransportRequest, response: TransportResponse): TransportResponse {
  const headers = endToEnd(response.headers)
  for (const name of variedNames(response.headers)) {
    const value = headerOf(request, name)
    if (value !== '') headers.set(`x-varied-${name}`, value)
  }
  async function* body(): AsyncIterable<Uint8Array> {
    const chunks: Uint8Array[] = []
    for await (const chunk of response.body) {
      chunks.push(chunk)
      yield chunk
    }
    await store(path, { status: response.status, headers, body: Buffer.concat(chunks) })
  }
  return { ...response, headers: response.headers, body: body(), close: () => response.close() }
}

/** What was kept, with what the server says of it now. */
function renew(stored: Stored, headers: ResponseHeaders): Stored {
  return { ...stored, headers: new Map([...stored.headers, ...endToEnd(headers)]) }
}

/** Headers that belong to one connection, or to the form in which the content came. */
const hopByHop =
  /^(connection|keep-alive|proxy-.*|te|trailers?|transfer-encoding|upgrade|content-length|content-encoding|:.*)$/

function endToEnd(headers: ResponseHeaders): Map<string, string> {
  const names = headers.names().filter((name) => !hopByHop.test(name))
  return new Map(names.map((name) => [name, headers.get(name) ?? '']))
}

/** That it cannot be kept is no failure of the request. */
async function store(path: string, stored: Stored): Promise<void> {
  await writeCacheFile(path, serializeStored(stored)).catch(() => {})
}

function responseOf({ status, headers, body }: Stored): TransportResponse {
  async function* chunks(): AsyncIterable<Uint8Array> {
    yield body
  }
  return { status, headers: responseHeaders(Object.fromEntries(headers)), body: chunks(), close() {} }
}
