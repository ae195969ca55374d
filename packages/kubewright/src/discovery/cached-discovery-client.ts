// CachedDiscoveryClient: groups and resources in files, which kubectl and later runs of the program read and write too.

import { join } from 'node:path'
import { type Clock, realClock, SingleFlight } from '../clock/index.js'
import type { CallOptions } from '../meta/index.js'
import {
  Config,
  type ConfigOptions,
  copyConfig,
  type Logger,
  noLogger,
  type RESTClient,
  type Transport,
} from '../rest/index.js'
import { computeDiscoverCacheDir, defaultCacheDir } from './cache-dir.js'
import { readCacheFile, writeCacheFile } from './cache-file.js'
import { asGroupList, asResourceList } from './decode.js'
import { DiscoveryClient } from './discovery-client.js'
import { newCacheTransport } from './http-cache.js'
import { isCached, MemCacheClient } from './mem-cache-client.js'
import { newCachedOpenAPIClient } from './openapi/cached.js'
import type { OpenAPIV2Document } from './openapi/documents.js'
import type { OpenAPIClient } from './openapi/types.js'
import {
  serverGroupsAndResources,
  serverPreferredNamespacedResources,
  serverPreferredResources,
} from './server-resources.js'
import type {
  APIGroupList,
  APIResourceList,
  CachedDiscoveryInterface,
  DiscoveryInterface,
  ServerGroupsAndResources,
  ServerResources,
} from './types.js'
import type { VersionInfo } from './version-info.js'

/** kubectl's. */
const defaultTtlMs = 6 * 60 * 60 * 1000

/** Options of {@link CachedDiscoveryClient}. */
export interface CachedDiscoveryClientOptions {
  /** The files' directory, of one server: see {@link computeDiscoverCacheDir}. It is made when it is not there. */
  readonly cacheDirectory: string
  /** Milliseconds after which a file is not used any more. @defaultValue 6 hours */
  readonly ttl?: number | undefined
  /** @defaultValue the machine's */
  readonly clock?: Clock | undefined
  /** Told, as `debug`, of files that cannot be written. @defaultValue the logger of the client's Config */
  readonly logger?: Logger | undefined
}

/** Options of {@link CachedDiscoveryClient.forConfig}. */
export interface CachedDiscoveryClientForConfigOptions {
  /** @defaultValue the directory that kubectl has for the Config's host */
  readonly discoveryCacheDir?: string | undefined
  /**
   * Keep HTTP answers too, OpenAPI documents above all; see {@link newCacheTransport}. kubectl's is `~/.kube/cache/http`. The
   * client then has connections of its own.
   *
   * @defaultValue they are not kept
   */
  readonly httpCacheDir?: string | undefined
  /** Milliseconds. @defaultValue 6 hours */
  readonly ttl?: number | undefined
}

/** What is true between two invalidations. */
interface Epoch {
  /** Files that this client has written, and which writing of each is its last. */
  readonly ours: Map<string, string>
  /** Whether files of others are not to be used. */
  readonly onlyOurs: boolean
  /** Whether no file of others was used. */
  fresh: boolean
  /** What is under way, by file. */
  readonly flights: Map<string, SingleFlight<unknown>>
}

interface Document<T> {
  readonly file: string
  /** @throws Error when the file has something else in it */
  readonly decode: (value: unknown) => T
  readonly ask: (opts: CallOptions) => Promise<T>
  readonly isEmpty: (value: T) => boolean
}

/**
 * Remembers groups and resources in files, in kubectl's places and form: each uses what the other wrote.
 *
 * **Guarantees**
 * - Files are replaced in one step; those that are broken, too old or not readable are as good as none, and a directory that
 *   cannot be written costs only the memory of it.
 * - Failures and empty answers are not kept.
 * - After {@link CachedDiscoveryClient.invalidate} only files are used that this client has written since.
 *
 * **Caveats**: group-versions of aggregated servers that are missing are in no file, and so neither in the answer nor in its
 * `failed`; `DiscoveryClient` and `MemCacheClient` tell of them. Whoever can write the directory decides what the program
 * believes of the server. `timeout` counts for the requests of the call that makes them.
 */
export class CachedDiscoveryClient implements CachedDiscoveryInterface {
  readonly #delegate: DiscoveryInterface
  readonly #directory: string
  readonly #ttl: number
  readonly #clock: Clock
  readonly #logger: Logger
  #epoch = newEpoch({ onlyOurs: false })
  #openAPI: OpenAPIClient | undefined

  /** @throws TypeError when no directory is given; RangeError when `ttl` is no number, 0 or more. */
  constructor(delegate: DiscoveryInterface, options: CachedDiscoveryClientOptions) {
    const { cacheDirectory, ttl = defaultTtlMs, clock = realClock, logger } = options
    if (typeof cacheDirectory !== 'string' || cacheDirectory === '') {
      throw new TypeError('a CachedDiscoveryClient needs a cacheDirectory, such as computeDiscoverCacheDir gives')
    }
    if (!(ttl >= 0)) throw new RangeError(`the ttl of a cache is a number of milliseconds, 0 or more: got ${ttl}`)
    this.#delegate = delegate
    this.#directory = cacheDirectory
    this.#ttl = ttl
    this.#clock = clock
    this.#logger = logger ?? delegate.restClient?.config.logger ?? noLogger
  }

  /**
   * A client of a Config's server, with kubectl's directory and lifetime unless told otherwise. What is not in files it asks
   * through a {@link MemCacheClient}.
   */
  static forConfig(
    options: ConfigOptions,
    { discoveryCacheDir, httpCacheDir, ttl }: CachedDiscoveryClientForConfigOptions = {},
  ): CachedDiscoveryClient {
    const config = httpCacheDir === undefined ? Config.from(options) : cachingConfig(options, httpCacheDir)
    const cacheDirectory =
      discoveryCacheDir ?? computeDiscoverCacheDir(join(defaultCacheDir(), 'discovery'), config.host)
    const live = new MemCacheClient(new DiscoveryClient(config))
    return new CachedDiscoveryClient(live, { cacheDirectory, ttl, clock: config.clock })
  }

  get restClient(): RESTClient | undefined {
    return this.#delegate.restClient
  }

  fresh(): boolean {
    return this.#epoch.fresh
  }

  invalidate(): void {
    this.#epoch = newEpoch({ onlyOurs: true })
    this.#openAPI = undefined
    if (isCached(this.#delegate)) this.#delegate.invalidate()
  }

  serverGroups(opts: CallOptions = {}): Promise<APIGroupList> {
    return this.#cached(opts, {
      file: join(this.#directory, 'servergroups.json'),
      decode: (value) => asGroupList(ofKind('APIGroupList', value), 'servergroups.json'),
      ask: (options) => this.#delegate.serverGroups(options),
      isEmpty: ({ groups }) => groups.length === 0,
    })
  }

  async serverResourcesForGroupVersion(groupVersion: string, opts: CallOptions = {}): Promise<APIResourceList> {
    const ask = (options: CallOptions) => this.#delegate.serverResourcesForGroupVersion(groupVersion, options)
    if (!isFileName(groupVersion)) return ask(opts)
    return this.#cached(opts, {
      file: join(this.#directory, groupVersion, 'serverresources.json'),
      decode: (value) => asResourceList(ofKind('APIResourceList', value), groupVersion, 'serverresources.json'),
      ask,
      isEmpty: ({ resources }) => resources.length === 0,
    })
  }

  serverGroupsAndResources(opts: CallOptions = {}): Promise<ServerGroupsAndResources> {
    return serverGroupsAndResources(this, opts)
  }

  serverPreferredResources(opts: CallOptions = {}): Promise<ServerResources> {
    return serverPreferredResources(this, opts)
  }

  serverPreferredNamespacedResources(opts: CallOptions = {}): Promise<ServerResources> {
    return serverPreferredNamespacedResources(this, opts)
  }

  /** Not remembered. */
  serverVersion(opts: CallOptions = {}): Promise<VersionInfo> {
    return this.#delegate.serverVersion(opts)
  }

  /** Not remembered. */
  openAPISchema(opts: CallOptions = {}): Promise<OpenAPIV2Document> {
    return this.#delegate.openAPISchema(opts)
  }

  /** Its answers are remembered, in memory, until {@link CachedDiscoveryClient.invalidate}; then ask for another one. */
  openAPIV3(): OpenAPIClient {
    this.#openAPI ??= newCachedOpenAPIClient(this.#delegate.openAPIV3())
    return this.#openAPI
  }

  /** Itself. */
  withLegacy(): this {
    return this
  }

  async #cached<T>({ signal, timeout }: CallOptions, document: Document<T>): Promise<T> {
    const epoch = this.#epoch
    const { file } = document
    let flight = epoch.flights.get(file) as SingleFlight<T> | undefined
    if (!flight) {
      flight = new SingleFlight(async (shared) => {
        try {
          return (await this.#read(epoch, document)) ?? (await this.#ask(epoch, document, { signal: shared, timeout }))
        } finally {
          epoch.flights.delete(file)
        }
      })
      epoch.flights.set(file, flight)
    }
    return flight.run(signal)
  }

  async #read<T>(epoch: Epoch, { file, decode }: Document<T>): Promise<T | undefined> {
    if (epoch.onlyOurs && !epoch.ours.has(file)) return undefined
    const found = await readCacheFile(file, { notBefore: this.#clock.now() - this.#ttl })
    if (!found) return undefined
    // Others, and requests from before an invalidation, write the same files.
    const isOurs = epoch.ours.get(file) === found.writing
    if (epoch.onlyOurs && !isOurs) return undefined
    try {
      const value = decode(JSON.parse(new TextDecoder().decode(found.bytes)))
      epoch.fresh &&= isOurs
      return value
    } catch {
      return undefined
    }
  }

  async #ask<T>(epoch: Epoch, { file, ask, isEmpty }: Document<T>, opts: CallOptions): Promise<T> {
    const value = await ask(opts)
    if (isEmpty(value) || epoch !== this.#epoch) return value
    try {
      epoch.ours.set(file, await writeCacheFile(file, `${JSON.stringify(value)}\n`))
    } catch (err) {
      this.#logger.debug(`failed to write cache to ${file} due to ${err}`)
    }
    return value
  }
}

function cachingConfig(options: ConfigOptions, cacheDirectory: string): Config {
  const { wrapTransport = (transport: Transport) => transport, clock } = options
  return copyConfig(options, {
    wrapTransport: (inner) => newCacheTransport(wrapTransport(inner), { cacheDirectory, clock }),
  })
}

function newEpoch({ onlyOurs }: Pick<Epoch, 'onlyOurs'>): Epoch {
  return { ours: new Map(), onlyOurs, fresh: true, flights: new Map() }
}

function ofKind(kind: string, value: unknown): unknown {
  const found = value as { kind?: unknown; apiVersion?: unknown } | null
  if (found?.kind === kind && found.apiVersion === 'v1') return value
  throw new Error(`no ${kind}`)
}

/** Servers name group-versions: none may lead out of the directory. */
function isFileName(groupVersion: string): boolean {
  return groupVersion.split('/').every((part) => /^[^\\:\0]+$/.test(part) && part !== '.' && part !== '..')
}
