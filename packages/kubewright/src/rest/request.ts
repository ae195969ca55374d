// Request: builds one call step by step, then makes it. The first mistake is kept and thrown when the call is made.

import { sharedByMany } from '../clock/index.js'
import type { RateLimiter } from '../flowcontrol/index.js'
import { type CallOptions, formatDuration, goQuote, pathSegmentNameProblems, type Watch } from '../meta/index.js'
import type { Config, WarningHandler } from './config.js'
import { encodeJSON } from './encode.js'
import { callDo, callDoRaw } from './execute.js'
import { type ByteStream, callStream, callWatch } from './execute-stream.js'
import { kindOf } from './kind-of.js'
import type { ObjectDecoder } from './object-decoder.js'
import type { PreparedCall } from './prepared-call.js'
import { encodeQuery, optionParams, type ParamValue } from './query.js'
import type { Result } from './result.js'
import type { RequestHeaders } from './transport/headers.js'
import type { SentBody } from './transport/request-body.js'
import type { Transport } from './transport/transport.js'
import { canonicalPath, escapePath, joinPath } from './url.js'
import { defaultMaxRetries } from './with-retry.js'

/** What a client hands to its requests. */
export interface RequestOptions {
  transport: Transport
  config: Config
  /** The server with its path prefix, which ends in `/`. */
  baseUrl: URL
  /** Path of the base URL and the group-version. */
  pathPrefix: string
  /** Undefined: no limit. */
  rateLimiter: RateLimiter | undefined
  /** Group of the resources, for messages. */
  group?: string | undefined
  decoder?: ObjectDecoder<unknown> | undefined
  /** Sent where nothing else is set. Names in lower case. */
  headers: RequestHeaders
}

/** Options of {@link Request.do}. */
export interface RequestDoOptions extends CallOptions {
  /** Have the content as it came too, in {@link Result.raw}. @defaultValue false */
  keepRaw?: boolean | undefined
}

/** The parts of the path that can be set once, by what messages call them. */
const partNames = { namespace: 'namespace', resource: 'resource', name: 'resource name', subresource: 'subresource' }

type Part = keyof typeof partNames

/** What {@link Request.body} takes: bytes, text and streams are sent as they are, objects as JSON. */
export type RequestBody = Uint8Array | string | AsyncIterable<Uint8Array> | object | null | undefined

/**
 * A request under construction; every method but the last returns it.
 *
 * **Guarantees**: nothing is sent before `do`, `doRaw`, `stream` or `watch`.
 *
 * **Caveats**: not to be shared or used twice; make a new one for each call.
 *
 * @example
 * ```ts
 * const result = await client.get().namespace('default').resource('pods').name('web').do<Pod>()
 * console.log(result.object.metadata.name)
 * ```
 */
export class Request {
  readonly #method: string
  readonly #options: RequestOptions
  #err: Error | undefined
  #pathPrefix: string
  /** Undefined: not set. */
  readonly #parts: Record<Part, string | undefined> = {
    namespace: undefined,
    resource: undefined,
    name: undefined,
    subresource: undefined,
  }
  #suffix = ''
  readonly #params = new Map<string, string[]>()
  /** Never changed, only replaced: most requests share one. */
  #headers: RequestHeaders
  #body: SentBody
  /** Milliseconds; 0: the Config's. */
  #timeout: number
  #maxRetries = defaultMaxRetries
  #warningHandler: WarningHandler | undefined

  constructor(method: string, options: RequestOptions) {
    this.#method = method
    this.#options = options
    this.#timeout = options.config.timeout ?? 0
    this.#pathPrefix = options.pathPrefix
    this.#headers = options.headers
  }

  /** Path segments before the resource and the namespace. */
  prefix(...segments: readonly string[]): this {
    if (this.#areNoStrings('prefix', segments)) return this
    this.#pathPrefix = joinPath(this.#pathPrefix, joinPath(...segments.map(escapePath)))
    return this
  }

  /** Path segments at the end. */
  suffix(...segments: readonly string[]): this {
    if (this.#areNoStrings('suffix', segments)) return this
    this.#suffix = joinPath(this.#suffix, joinPath(...segments.map(escapePath)))
    return this
  }

  /** The resource's plural: `pods`. */
  resource(resource: string): this {
    return this.#setOnce('resource', [resource])
  }

  /** A subresource, such as `status`; more names make a longer path. */
  subResource(...subresources: readonly string[]): this {
    return this.#setOnce('subresource', subresources)
  }

  /** The object's name. */
  name(name: string): this {
    if (name === '') return this.#fail('resource name may not be empty')
    return this.#setOnce('name', [name])
  }

  /** The namespace; `''` is all of them. */
  namespace(namespace: string): this {
    return this.#setOnce('namespace', [namespace])
  }

  /** The namespace, when the resource has one. */
  namespaceIfScoped(namespace: string, { scoped }: { scoped: boolean }): this {
    return scoped ? this.namespace(namespace) : this
  }

  /** Replaces the path below the server's URL: `absPath('/healthz')`. A single segment keeps its slash at the end. */
  absPath(...segments: readonly string[]): this {
    if (this.#areNoStrings('path', segments)) return this
    return this.#absolute(segments.map(escapePath))
  }

  /** Replaces path and parameters by those of a URI such as `/api/v1/pods?limit=5`. */
  requestURI(uri: string): this {
    if (this.#areNoStrings('request URI', [uri])) return this
    const { path: escaped, query } = pathAndQuery(uri)
    const path = canonicalPath(escaped)
    if (path === undefined) return this.#fail(`cannot parse the request URI ${goQuote(uri)}`)
    this.#params.clear()
    for (const [name, value] of new URLSearchParams(query)) this.param(name, value)
    return this.#absolute([path])
  }

  #absolute(segments: readonly string[]): this {
    const base = this.#options.baseUrl.pathname
    const [path = ''] = segments
    const keepSlash = segments.length === 1 && path.endsWith('/') && (base.length > 1 || path.length > 1)
    this.#pathPrefix = joinPath(base, joinPath(...segments)) + (keepSlash ? '/' : '')
    return this
  }

  /** Adds a query parameter; the same name again adds another value. */
  param(name: string, value: ParamValue): this {
    if (this.#err) return this
    const values = this.#params.get(name)
    if (values) values.push(String(value))
    else this.#params.set(name, [String(value)])
    return this
  }

  /**
   * Adds an options object's fields as parameters: `versionedParams({ labelSelector: 'a=b', limit: 500 })`.
   *
   * Left out are: undefined and null, `''`, `false` (where absent means the same), `limit: 0`, and `signal` and `timeout`,
   * which are no parameters. A list gives a parameter for each of its items.
   */
  versionedParams(options: object): this {
    if (typeof options !== 'object' || options === null) {
      return this.#fail(`the options must be an object such as { labelSelector: 'a=b' }, not ${kindOf(options)}`)
    }
    for (const [name, value] of optionParams(options)) {
      if (value === undefined) {
        return this.#fail(`the option ${name} cannot be sent as a parameter: give a string, number or boolean`)
      }
      this.param(name, value)
    }
    return this
  }

  /** Sets a header, replacing earlier values. */
  setHeader(name: string, ...values: readonly string[]): this {
    if (this.#areNoStrings('header', [name, ...values])) return this
    const [first] = values
    return this.#setHeader(name.toLowerCase(), values.length === 1 && first !== undefined ? first : values)
  }

  /**
   * Milliseconds for the call; also sent to the server. See {@link CallOptions}, whose `timeout` wins. 0: the Config's,
   * without telling the server.
   */
  timeout(ms: number): this {
    if (this.#err) return this
    if (!(ms >= 0 && Number.isFinite(ms))) return this.#fail(`a timeout must be 0 or more milliseconds, not ${ms}`)
    this.#timeout = ms
    return this
  }

  /** How often the request may be repeated; below 0 counts as 0. @defaultValue 10 */
  maxRetries(count: number): this {
    this.#maxRetries = Math.max(0, count)
    return this
  }

  /** What to send. An object sets the content type to JSON where none is set. */
  body(body: RequestBody): this {
    if (this.#err || body === undefined || body === null) return this
    if (typeof body !== 'string' && typeof body !== 'object') {
      return this.#fail(
        `unknown type used for body: ${typeof body}; give an object, which is sent as JSON, or text, bytes or an async iterable of bytes`,
      )
    }
    if (typeof body === 'string' || body instanceof Uint8Array || Symbol.asyncIterator in body) {
      this.#body = body as SentBody
      return this
    }
    try {
      this.#body = encodeJSON(body)
    } catch (err) {
      this.#err = err as Error
      return this
    }
    return this.#headers['content-type'] === undefined ? this.#setHeader('content-type', 'application/json') : this
  }

  /** Receives this request's warnings instead of the Config's handler. */
  warningHandler(handler: WarningHandler): this {
    this.#warningHandler = handler
    return this
  }

  /** The first mistake made while building, if any: it is what the call rejects with. */
  get error(): Error | undefined {
    return this.#err
  }

  /** The URL as it stands: parameters sorted by name, `timeout` written Go's way. */
  url(): URL {
    const { namespace, resource, name, subresource } = this.#parts
    let parts = namespace ? `/namespaces/${namespace}` : ''
    if (resource !== undefined) parts += `/${resource.toLowerCase()}`
    if (name !== undefined) parts += `/${name}`
    if (subresource !== undefined) parts += `/${subresource}`
    const below = joinPath(escapePath(parts), this.#suffix)
    // Alone, the prefix keeps a slash at its end.
    const path = below === '' ? this.#pathPrefix : joinPath(this.#pathPrefix, below)
    let params = this.#params
    if (this.#timeout !== 0) params = new Map(params).set('timeout', [formatDuration(this.#timeout)])
    // Whole, as every change of a URL has it parsed again.
    return new URL(`${this.#options.baseUrl.origin}${path}${params.size > 0 ? `?${encodeQuery(params)}` : ''}`)
  }

  /**
   * Makes the call, reads the whole answer and decodes it.
   *
   * **Guarantees**: long lists are decoded while they arrive, and other work of the program gets its turn every few
   * milliseconds.
   *
   * @throws ApiError when the server refuses, or answers with a Status that does not say success
   * @throws ConnectionError when there is no answer, or not all of it
   * @throws RequestTimeoutError after the call's timeout
   * @throws Error for what was wrong in building the request, and when the answer calls itself JSON and is not
   */
  async do<T = unknown>({ signal, timeout, keepRaw = false }: RequestDoOptions = {}): Promise<Result<T>> {
    return callDo<T>(this.#prepare({ timeout, signal, preflight: true }), { signal: sharedByMany(signal), keepRaw })
  }

  /** As {@link Request.do}, and gives the content as it came, without decoding it. */
  async doRaw({ signal, timeout }: CallOptions = {}): Promise<Uint8Array> {
    return callDoRaw(this.#prepare({ timeout, signal, preflight: true }), sharedByMany(signal))
  }

  /** Makes the call; the content is to be read from what it gives, which must be read or closed. Throws as {@link Request.do}. */
  async stream({ signal, timeout }: CallOptions = {}): Promise<ByteStream> {
    return callStream(this.#prepare({ timeout, signal, preflight: false }), sharedByMany(signal))
  }

  /**
   * Makes the call and reads the answer as a stream of events. Takes no token of the client's limit.
   *
   * Resolves when the server has accepted the watch. When the connection cannot be kept up through all retries, gives
   * a watch that has ended. Throws as {@link Request.do}.
   */
  async watch<T>({ signal, timeout }: CallOptions = {}): Promise<Watch<T>> {
    return callWatch<T>(this.#prepare({ timeout, signal, preflight: false }), sharedByMany(signal))
  }

  #prepare({ timeout, signal, preflight }: CallOptions & { preflight: boolean }): PreparedCall {
    if (!isSignal(signal)) {
      this.#fail(`the signal must be an AbortSignal, such as that of an AbortController, not ${kindOf(signal)}`)
    }
    if (timeout !== undefined && timeout !== 0) this.timeout(timeout)
    if (this.#err) throw this.#refusal(this.#err)
    const { config, transport, rateLimiter, group, baseUrl, decoder } = this.#options
    const { resource = '', name = '' } = this.#parts
    if (preflight) this.#refuseEmptyNamespace()
    return {
      method: this.#method,
      url: this.url(),
      basePath: baseUrl.pathname,
      headers: this.#headers,
      body: this.#body,
      config,
      transport,
      limiter: rateLimiter,
      timeout: this.#timeout,
      maxRetries: this.#maxRetries,
      warningHandler: this.#warningHandler,
      decoder,
      target: { group, resource, name },
    }
  }

  /** What is wrong, and where: the message alone is Go's, and does not say. */
  #refusal(err: Error): Error {
    const call = [this.#method, this.#parts.resource].filter(Boolean).join(' ')
    return new TypeError(`${call}: ${err.message}`, { cause: err })
  }

  /** All namespaces are good for lists and watches; no object is in all of them. */
  #refuseEmptyNamespace(): void {
    const { namespace, name } = this.#parts
    const method = this.#method
    if (namespace !== '') return
    if (method === 'POST') throw this.#refusal(new TypeError('an empty namespace may not be set during creation'))
    if (name !== undefined && (method === 'GET' || method === 'PUT' || method === 'DELETE')) {
      throw this.#refusal(new TypeError('an empty namespace may not be set when a resource name is provided'))
    }
  }

  /** Sets a part of the path. Of an empty text only the namespace is set: it is then all of them. */
  #setOnce(part: Part, segments: readonly string[]): this {
    const what = partNames[part]
    if (this.#areNoStrings(what, segments)) return this
    const path = part === 'subresource' ? joinPath(...segments) : (segments[0] as string)
    const current = this.#parts[part]
    if (current !== undefined) {
      return this.#fail(`${what} already set to ${goQuote(current)}, cannot change to ${goQuote(path)}`)
    }
    for (const segment of segments) {
      const problems = pathSegmentNameProblems(segment)
      if (problems.length === 0) continue
      return this.#fail(`invalid ${what} ${goQuote(segment)}: [${problems.join(' ')}]`)
    }
    this.#parts[part] = path === '' && part !== 'namespace' ? undefined : path
    return this
  }

  /** Whether there is a mistake, now or from before. */
  #areNoStrings(what: string, segments: readonly unknown[]): boolean {
    for (const segment of segments) {
      if (typeof segment !== 'string') this.#fail(`the ${what} must be a string, not ${kindOf(segment)}`)
    }
    return this.#err !== undefined
  }

  #setHeader(name: string, value: string | readonly string[]): this {
    this.#headers = { ...this.#headers, [name]: value }
    return this
  }

  #fail(message: string): this {
    this.#err ??= new TypeError(message)
    return this
  }
}

/** The two parts that count of a URI, which may be a whole URL. */
function pathAndQuery(uri: string): { path: string; query: string } {
  const pattern = /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/(?!\/)[^/?#]*)?([^?#]*)(?:\?([^#]*))?/is
  const [, path = '', query = ''] = pattern.exec(uri) ?? []
  return { path, query }
}

/** Whether it can end a call; one of another realm, or of a library, can too. */
function isSignal(signal: unknown): boolean {
  if (signal === undefined || signal instanceof AbortSignal) return true
  const { aborted, addEventListener } = (signal ?? {}) as Partial<AbortSignal>
  return typeof aborted === 'boolean' && typeof addEventListener === 'function'
}
