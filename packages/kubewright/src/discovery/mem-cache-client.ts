// MemCacheClient: groups and resources, asked for once and kept in memory.

import { SingleFlight } from '../clock/index.js'
import { type CallOptions, goQuote } from '../meta/index.js'
import { type Logger, noLogger, type RESTClient } from '../rest/index.js'
import { newCachedOpenAPIClient } from './openapi/cached.js'
import type { OpenAPIV2Document } from './openapi/documents.js'
import type { OpenAPIClient } from './openapi/types.js'
import {
  asError,
  forEachInParallel,
  groupsAndMaybeResources,
  groupVersionsOf,
  serverGroupsAndResources,
  serverPreferredNamespacedResources,
  serverPreferredResources,
} from './server-resources.js'
import { isTransientError } from './transient-error.js'
import type {
  AggregatedDiscoveryInterface,
  APIGroupList,
  APIResourceList,
  CachedDiscoveryInterface,
  DiscoveryInterface,
  GroupsAndMaybeResources,
  ServerGroupsAndResources,
  ServerResources,
} from './types.js'
import type { VersionInfo } from './version-info.js'

/** A cache of discovery knows no such group-version. Invalidate it when the group-version may be newer than the cache. */
export class CacheNotFoundError extends Error {
  override readonly name: string = 'CacheNotFoundError'
  readonly groupVersion: string

  constructor(groupVersion: string) {
    super(`the group-version ${goQuote(groupVersion)} was not found in the discovery cache`)
    this.groupVersion = groupVersion
  }
}

/** A group-version without resources; metrics servers that have just started answer so. */
export class EmptyResponseError extends Error {
  override readonly name: string = 'EmptyResponseError'
  readonly groupVersion: string

  constructor(groupVersion: string) {
    super(`received empty response for: ${groupVersion}`)
    this.groupVersion = groupVersion
  }
}

/** Options of {@link MemCacheClient}. */
export interface MemCacheClientOptions {
  /** Told of group-versions that cannot be asked. @defaultValue the logger of the client's Config */
  readonly logger?: Logger | undefined
}

/** What is known of a group-version. */
type Entry =
  | { readonly list: APIResourceList; readonly error?: never }
  | { readonly list?: never; readonly error: Error; again?: SingleFlight<Entry> }

interface Known {
  readonly groupList: APIGroupList
  readonly entries: Map<string, Entry>
  /** All of it came at once. */
  readonly isAggregated: boolean
}

/**
 * Remembers what another discovery client answered, until it is invalidated.
 *
 * **Guarantees**
 * - It asks at the first call, and once for all who wait; a call that is given up leaves the others undisturbed.
 * - What was asked for before {@link MemCacheClient.invalidate} is not remembered after it.
 * - Failures to find out the groups are not remembered. Of a group-version, a failure that may be over (see
 *   {@link isTransientError}) is tried again when it is asked for; others stay.
 *
 * **Caveats**: answers are shared: not to be changed. A CustomResourceDefinition that is made later is not seen until it is
 * invalidated. Where a call waits for requests of another, that one's `timeout` counts.
 */
export class MemCacheClient implements AggregatedDiscoveryInterface, CachedDiscoveryInterface {
  readonly #delegate: DiscoveryInterface
  readonly #logger: Logger
  #known: Known | undefined
  #loading = this.#newFlight()
  /** Of the call that starts the requests. */
  #timeout: number | undefined
  #openAPI: OpenAPIClient | undefined

  constructor(delegate: DiscoveryInterface, { logger }: MemCacheClientOptions = {}) {
    this.#delegate = delegate
    this.#logger = logger ?? delegate.restClient?.config.logger ?? noLogger
  }

  get restClient(): RESTClient | undefined {
    return this.#delegate.restClient
  }

  fresh(): boolean {
    return this.#known !== undefined
  }

  invalidate(): void {
    this.#known = undefined
    this.#loading = this.#newFlight()
    this.#openAPI = undefined
    if (isCached(this.#delegate)) this.#delegate.invalidate()
  }

  async groupsAndMaybeResources(opts: CallOptions = {}): Promise<GroupsAndMaybeResources> {
    const { groupList, entries, isAggregated } = await this.#current(opts)
    if (!isAggregated) return { groupList, resources: undefined, failed: new Map() }
    const resources = new Map<string, APIResourceList>()
    const failed = new Map<string, Error>()
    for (const [groupVersion, { list, error }] of entries) {
      if (list) resources.set(groupVersion, list)
      else failed.set(groupVersion, error)
    }
    return { groupList, resources, failed }
  }

  async serverGroups(opts: CallOptions = {}): Promise<APIGroupList> {
    return (await this.#current(opts)).groupList
  }

  /**
   * @throws CacheNotFoundError for a group-version that the server did not name; EmptyResponseError for one without
   * resources; else as the client behind it
   */
  async serverResourcesForGroupVersion(groupVersion: string, opts: CallOptions = {}): Promise<APIResourceList> {
    const { entries } = await this.#current(opts)
    let entry = entries.get(groupVersion)
    if (!entry) throw new CacheNotFoundError(groupVersion)
    if (entry.error && isTransientError(entry.error)) {
      entry.again ??= new SingleFlight(async (signal) => {
        const found = await this.#fetch(groupVersion, { signal, timeout: opts.timeout })
        entries.set(groupVersion, found)
        return found
      })
      entry = await entry.again.run(opts.signal)
    }
    if (entry.list) return entry.list
    throw entry.error
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

  /** Its answers are remembered until {@link MemCacheClient.invalidate}; then ask for another one. */
  openAPIV3(): OpenAPIClient {
    this.#openAPI ??= newCachedOpenAPIClient(this.#delegate.openAPIV3())
    return this.#openAPI
  }

  /** Itself. */
  withLegacy(): this {
    return this
  }

  async #current({ signal, timeout }: CallOptions): Promise<Known> {
    signal?.throwIfAborted()
    if (this.#known) return this.#known
    this.#timeout = timeout
    return this.#loading.run(signal)
  }

  #newFlight(): SingleFlight<Known> {
    const flight: SingleFlight<Known> = new SingleFlight(async (signal) => {
      const known = await this.#load({ signal, timeout: this.#timeout })
      // A server that names no groups at all may do so in a moment.
      const isWorthKeeping = known.isAggregated || known.groupList.groups.length > 0
      if (this.#loading === flight && isWorthKeeping) this.#known = known
      return known
    })
    return flight
  }

  async #load(opts: CallOptions): Promise<Known> {
    const { groupList, resources, failed } = await groupsAndMaybeResources(this.#delegate, opts)
    const entries = new Map<string, Entry>()
    if (resources) {
      for (const [groupVersion, list] of resources) entries.set(groupVersion, { list })
      for (const [groupVersion, error] of failed) entries.set(groupVersion, { error })
      return { groupList, entries, isAggregated: true }
    }
    const groupVersions = groupVersionsOf(groupList).map(({ key }) => key)
    await forEachInParallel(groupVersions, async (groupVersion) => {
      entries.set(groupVersion, await this.#fetch(groupVersion, opts))
    })
    return { groupList, entries, isAggregated: false }
  }

  async #fetch(groupVersion: string, opts: CallOptions): Promise<Entry> {
    try {
      const list = await this.#delegate.serverResourcesForGroupVersion(groupVersion, opts)
      if (list.resources.length > 0) return { list }
      const error = new EmptyResponseError(groupVersion)
      this.#logger.debug(error.message)
      return { error }
    } catch (err) {
      opts.signal?.throwIfAborted()
      const error = asError(err)
      this.#logger.warn(`couldn't get resource list for ${groupVersion}: ${error.message}`)
      return { error }
    }
  }
}

/** Whether a discovery client remembers anything. */
export function isCached(client: DiscoveryInterface): client is CachedDiscoveryInterface {
  return 'invalidate' in client
}
