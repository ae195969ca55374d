// Request: builds one call step by step, then makes it. The first mistake is kept and thrown when the call is made.

import type { RateLimiter } from '../flowcontrol/index.js'
import type { Watch } from '../meta/index.js'
import type { Config, WarningHandler } from './config.js'
import { encodeJSON } from './encode.js'
import { type ByteStream, callDo, callDoRaw, callStream, callWatch, type PreparedCall } from './execute.js'
import { formatGoDuration } from './go-duration.js'
import { isValidPathSegmentName } from './path-segment.js'
import { encodeQuery, optionParams, type ParamValue } from './query.js'
import type { Result } from './result.js'
import type { Transport } from './transport/transport.js'
import { escapePath, joinPath } from './url.js'
import { defaultMaxRetries } from './with-retry.js'

/** What a client hands to its requests. */
export interface RequestOptions {
  method: string
  transport: Transport
  config: Config
  baseUrl: URL
  versionedApiPath: string
  rateLimiter: RateLimiter | undefined
  /** Group of the resources, for messages. */
  group?: string | undefined
}

/** Options of the calls that end a {@link Request}'s building. */
export interface RequestCallOptions {
  /** Cancels the call: it rejects with the signal's reason and its stream or socket is released at once. */
  signal?: AbortSignal | undefined
}

/** Options of {@link Request.do}. */
export interface RequestDoOptions extends RequestCallOptions {
  /** Have the content as it came too, in {@link Result.raw}. @defaultValue false */
  keepRaw?: boolean | undefined
}

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
  readonly #options: RequestOptions
  #err: Error | undefined
  #pathPrefix: string
  #suffix = ''
  #namespace: string | undefined
  #resource = ''
  #name = ''
  #subresource = ''
  readonly #params = new Map<string, string[]>()
  readonly #headers = new Map<string, string | readonly string[]>()
  #body: Uint8Array | string | AsyncIterable<Uint8Array> | undefined
  #timeout: number
  #maxRetries = defaultMaxRetries
  #warningHandler: WarningHandler | undefined

  constructor(options: RequestOptions) {
    this.#options = options
    this.#timeout = options.config.timeout ?? 0
    this.#pathPrefix = joinPath(options.baseUrl.pathname, escapePath(options.versionedApiPath))
    this.#headers.set('accept', 'application/json')
  }

  /** Path segments before the resource and the namespace. */
  prefix(...segments: readonly string[]): this {
    if (this.#err) return this
    this.#pathPrefix = joinPath(this.#pathPrefix, ...segments.map(escapePath))
    return this
  }

  /** Path segments at the end. */
  suffix(...segments: readonly string[]): this {
    if (this.#err) return this
    this.#suffix = joinPath(this.#suffix, ...segments.map(escapePath))
    return this
  }

  /** The resource's plural: `pods`. */
  resource(resource: string): this {
    return this.#once('resource', this.#resource, [resource], (segment) => {
      this.#resource = segment
    })
  }

  /** A subresource, such as `status`; more names make a longer path. */
  subResource(...subresources: readonly string[]): this {
    return this.#once('subresource', this.#subresource, subresources, (path) => {
      this.#subresource = path
    })
  }

  /** The object's name. */
  name(name: string): this {
    if (name === '') return this.#fail('resource name may not be empty')
    return this.#once('resource name', this.#name, [name], (segment) => {
      this.#name = segment
    })
  }

  /** The namespace; `''` is all of them. */
  namespace(namespace: string): this {
    return this.#once('namespace', this.#namespace ?? '', [namespace], (segment) => {
      this.#namespace = segment
    })
  }

  /** The namespace, when the resource has one. */
  namespaceIfScoped(namespace: string, { scoped }: { scoped: boolean }): this {
    return scoped ? this.namespace(namespace) : this
  }

  /** Replaces the path below the server's URL: `absPath('/healthz')`. A single segment keeps its slash at the end. */
  absPath(...segments: readonly string[]): this {
    if (this.#err) return this
    const joined = joinPath(this.#options.baseUrl.pathname, ...segments.map(escapePath))
    const keepSlash = segments.length === 1 && (segments[0]?.length ?? 0) > 1 && segments[0]?.endsWith('/')
    this.#pathPrefix = keepSlash ? `${joined}/` : joined
    return this
  }

  /** Replaces path and parameters by those of a URI such as `/api/v1/pods?limit=5`. */
  requestURI(uri: string): this {
    if (this.#err) return this
    if (!URL.canParse(uri, 'http://x')) return this.#fail(`cannot parse the request URI ${JSON.stringify(uri)}`)
    const { pathname, searchParams } = new URL(uri, 'http://x')
    const joined = joinPath(this.#options.baseUrl.pathname, pathname)
    this.#pathPrefix = pathname.length > 1 && pathname.endsWith('/') ? `${joined}/` : joined
    this.#params.clear()
    for (const [name, value] of searchParams) this.param(name, value)
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
    const [first] = values
    this.#headers.set(name.toLowerCase(), values.length === 1 && first !== undefined ? first : values)
    return this
  }

  /** Milliseconds for the call; also sent to the server. See {@link CallOptions}. 0: none. */
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
    if (typeof body === 'string' || body instanceof Uint8Array || Symbol.asyncIterator in body) {
      this.#body = body as Uint8Array | string | AsyncIterable<Uint8Array>
      return this
    }
    if (typeof body !== 'object') return this.#fail(`unknown type used for body: ${typeof body}`)
    try {
      this.#body = encodeJSON(body)
    } catch (err) {
      this.#err = err as Error
      return this
    }
    if (!this.#headers.has('content-type')) this.#headers.set('content-type', 'application/json')
    return this
  }

  /** Receives this request's warnings instead of the Config's handler. */
  warningHandler(handler: WarningHandler): this {
    this.#warningHandler = handler
    return this
  }

  /** The mistake made while building, if any. */
  get error(): Error | undefined {
    return this.#err
  }

  /** The URL as it stands: parameters sorted by name, `timeout` written Go's way. */
  url(): URL {
    let path = this.#pathPrefix
    if (this.#namespace) path = joinPath(path, 'namespaces', escapePath(this.#namespace))
    if (this.#resource !== '') path = joinPath(path, escapePath(this.#resource.toLowerCase()))
    if (this.#name !== '' || this.#suffix !== '' || this.#subresource !== '') {
      path = joinPath(path, escapePath(this.#name), escapePath(this.#subresource), this.#suffix)
    }
    const url = new URL(this.#options.baseUrl)
    url.pathname = path
    const params = new Map(this.#params)
    if (this.#timeout !== 0) params.set('timeout', [formatGoDuration(this.#timeout)])
    url.search = encodeQuery(params)
    return url
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
  async do<T = unknown>({ signal, keepRaw = false }: RequestDoOptions = {}): Promise<Result<T>> {
    return callDo<T>(this.#prepare({ preflight: true }), { signal: shareable(signal), keepRaw })
  }

  /** As {@link Request.do}, and gives the content as it came, without decoding it. */
  async doRaw({ signal }: RequestCallOptions = {}): Promise<Uint8Array> {
    return callDoRaw(this.#prepare({ preflight: true }), shareable(signal))
  }

  /** Makes the call; the content is to be read from what it gives, which must be read or closed. Throws as {@link Request.do}. */
  async stream({ signal }: RequestCallOptions = {}): Promise<ByteStream> {
    return callStream(this.#prepare({ preflight: false }), shareable(signal))
  }

  /**
   * Makes the call and reads the answer as a stream of events. Takes no token of the client's limit.
   *
   * Resolves when the server has accepted the watch. When the connection cannot be kept up through all retries, gives
   * a watch that has ended. Throws as {@link Request.do}.
   */
  async watch<T>({ signal }: RequestCallOptions = {}): Promise<Watch<T>> {
    return callWatch<T>(this.#prepare({ preflight: false }), shareable(signal))
  }

  #prepare({ preflight }: { preflight: boolean }): PreparedCall {
    if (this.#err) throw this.#err
    const { method, config, transport, rateLimiter, group, baseUrl } = this.#options
    if (preflight && this.#namespace === '') this.#refuseEmptyNamespace(method)
    return {
      method,
      url: this.url(),
      basePath: baseUrl.pathname,
      headers: Object.fromEntries(this.#headers),
      body: this.#body,
      config,
      transport,
      limiter: rateLimiter,
      timeout: this.#timeout,
      maxRetries: this.#maxRetries,
      warningHandler: this.#warningHandler,
      target: { group, resource: this.#resource, name: this.#name },
    }
  }

  #refuseEmptyNamespace(method: string): void {
    if (method === 'POST') throw new TypeError('an empty namespace may not be set during creation')
    if (this.#name !== '' && (method === 'GET' || method === 'PUT' || method === 'DELETE')) {
      throw new TypeError('an empty namespace may not be set when a resource name is provided')
    }
  }

  #once(what: string, current: string, segments: readonly string[], set: (path: string) => void): this {
    if (this.#err) return this
    const path = segments.join('/')
    if (current !== '') {
      return this.#fail(`${what} already set to ${JSON.stringify(current)}, cannot change to ${JSON.stringify(path)}`)
    }
    for (const segment of segments) {
      const problems = isValidPathSegmentName(segment)
      if (problems.length === 0) continue
      return this.#fail(`invalid ${what} ${JSON.stringify(segment)}: [${problems.join(' ')}]`)
    }
    set(path)
    return this
  }

  #fail(message: string): this {
    this.#err ??= new TypeError(message)
    return this
  }
}

/** Many calls may share a signal. Each listens while it lasts, which is no leak that node should warn of. */
function shareable(signal: AbortSignal | undefined): AbortSignal | undefined {
  if (signal instanceof EventTarget) process.getBuiltinModule('node:events').setMaxListeners(0, signal)
  return signal
}
