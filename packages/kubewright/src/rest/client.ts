// RESTClient: makes requests to one group-version of a server. Typed and dynamic clients are built on it.

import type { RateLimiter } from '../flowcontrol/index.js'
import type { GroupVersion } from '../meta/index.js'
import { Config, type ConfigOptions } from './config.js'
import type { ObjectDecoder } from './object-decoder.js'
import { rateLimiterFor } from './rate-limit.js'
import { Request, type RequestOptions } from './request.js'
import type { Transport } from './transport/transport.js'
import { transportFor } from './transport/transport-for.js'
import { defaultServerUrlFor, escapePath, joinPath } from './url.js'
import { urlBackoffFromEnvironment, withURLBackoff } from './url-backoff.js'
import { userAgentOf } from './user-agent.js'

/** Options of {@link RESTClient}. */
export interface RESTClientOptions {
  /** Clients made from the same {@link Config} object share its transport; plain options make a Config of their own. */
  config: ConfigOptions
  /** The group-version that relative requests go to. Without it only `absPath` and `requestURI` make sense. */
  groupVersion?: GroupVersion | undefined
  /** @defaultValue the Config's; else `/api` for the core group and `/apis` for the others */
  apiPath?: string | undefined
  /** Shared with other clients. @defaultValue a limiter of its own, from the Config's `rateLimiter`, `qps` and `burst` */
  rateLimiter?: RateLimiter | undefined
  /** Of items of lists and events of watches. @defaultValue they are decoded as JSON */
  decoder?: ObjectDecoder<unknown> | undefined
}

/**
 * Makes {@link Request}s to a server.
 *
 * Clients made from the same {@link Config} object share one transport; `transportFor(config).close()` ends it.
 *
 * With `KUBE_CLIENT_BACKOFF_BASE` and `KUBE_CLIENT_BACKOFF_DURATION` (whole seconds, both) in the environment, requests wait
 * that long, and up to that long, after a server has answered 429 or 500 and above.
 */
export class RESTClient {
  /** As given, or made of the options. */
  readonly config: Config
  /** What relative requests go to; undefined: only `absPath` and `requestURI` make sense. */
  readonly groupVersion: GroupVersion | undefined
  /** Undefined when the Config turns limiting off with a negative `qps`. */
  readonly rateLimiter: RateLimiter | undefined
  /** The server's URL with its path prefix, ending in `/`; without the user name and password that the Config's may have. */
  readonly baseUrl: URL
  /** `/api/v1`, `/apis/apps/v1`: appended to the base URL's path. */
  readonly versionedApiPath: string
  readonly #options: RESTClientOptions
  /** What its requests have in common. */
  readonly #requests: RequestOptions

  /** @throws Error when the Config's fields contradict each other or its host is none. */
  constructor(options: RESTClientOptions) {
    const { groupVersion, apiPath, rateLimiter } = options
    const config = Config.from(options.config)
    this.#options = options
    const { baseUrl, versionedApiPath } = defaultServerUrlFor(config, groupVersion, apiPath)
    this.config = config
    this.groupVersion = groupVersion
    this.baseUrl = printableBase(baseUrl)
    this.versionedApiPath = versionedApiPath
    this.rateLimiter = rateLimiter ?? rateLimiterFor(config)
    const backoff = urlBackoffFromEnvironment(process.env, config.clock)
    this.#requests = {
      transport: withURLBackoff(withCredentialsOf(baseUrl, transportFor(config)), backoff, config.clock),
      config,
      baseUrl: this.baseUrl,
      pathPrefix: joinPath(baseUrl.pathname, escapePath(versionedApiPath)),
      rateLimiter: this.rateLimiter,
      group: groupVersion?.group,
      decoder: options.decoder,
      // The user agent is set here already, so that the transport has no headers to copy for it.
      headers: { accept: 'application/json', 'user-agent': userAgentOf(config) },
    }
  }

  /** A request with any HTTP method, in capitals. */
  verb(method: string): Request {
    return new Request(method, this.#requests)
  }

  /** The same client, limiter included, whose lists and watches give what this decoder makes of them. */
  withDecoder(decoder: ObjectDecoder<unknown>): RESTClient {
    const { config, rateLimiter } = this
    return new RESTClient({ ...this.#options, config, rateLimiter, decoder })
  }

  /** Reads an object or a list, or watches. */
  get(): Request {
    return this.verb('GET')
  }

  /** Creates an object, or calls a subresource that is one for an action. */
  post(): Request {
    return this.verb('POST')
  }

  /** Replaces an object. */
  put(): Request {
    return this.verb('PUT')
  }

  /** A patch whose body is of this media type, such as a {@link Patch}'s `contentType`. */
  patch(contentType: string): Request {
    return this.verb('PATCH').setHeader('content-type', contentType)
  }

  /** Deletes an object, or a collection of them. */
  delete(): Request {
    return this.verb('DELETE')
  }
}

function printableBase(url: URL): URL {
  const printable = new URL(url)
  printable.username = ''
  printable.password = ''
  return printable
}

/** The host's user name and password go into a request's URL on its way to the transport, where nobody prints it. */
function withCredentialsOf({ username, password }: URL, inner: Transport): Transport {
  if (username === '' && password === '') return inner
  return {
    close: () => inner.close(),
    roundTrip(request) {
      const url = new URL(request.url)
      url.username = username
      url.password = password
      return inner.roundTrip({ ...request, url })
    },
  }
}

/**
 * A client of one group-version: `restClientFor(config, { group: 'apps', version: 'v1' })`.
 *
 * @throws Error when the version is empty, or as {@link RESTClient} does.
 */
export function restClientFor(config: ConfigOptions, groupVersion: GroupVersion): RESTClient {
  if (!groupVersion.version) throw new Error('GroupVersion is required when initializing a RESTClient')
  return new RESTClient({ config, groupVersion })
}

/** A client for paths that belong to no version, such as `/version`: use `absPath` or `requestURI`. */
export function unversionedRestClientFor(config: ConfigOptions): RESTClient {
  return new RESTClient({ config })
}
