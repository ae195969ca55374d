// DiscoveryClient: what a server is and offers, asked anew at each call.

import { type CallOptions, checkGroupVersion, isNotFound, parseGroupVersion } from '../meta/index.js'
import { Config, type ConfigOptions, copyConfig, RESTClient, rateLimiterFor } from '../rest/index.js'
import { splitGroupsAndResources } from './aggregated.js'
import { discoveryAccept, isAggregatedDiscovery } from './content-type.js'
import { asAggregated, asGroupList, asResourceList, asVersions, fieldsOf } from './decode.js'
import { newOpenAPIClient } from './openapi/client.js'
import type { OpenAPIV2Document } from './openapi/documents.js'
import type { OpenAPIClient } from './openapi/types.js'
import { discoveryRequest } from './request.js'
import {
  serverGroupsAndResources,
  serverPreferredNamespacedResources,
  serverPreferredResources,
  withRetries,
} from './server-resources.js'
import type {
  AggregatedDiscoveryInterface,
  APIGroup,
  APIGroupList,
  APIResourceList,
  GroupsAndMaybeResources,
  ServerGroupsAndResources,
  ServerResources,
} from './types.js'
import type { VersionInfo } from './version-info.js'

/** Requests at once when the Config says nothing: without the aggregated form, a client asks for each group-version. */
const defaultBurst = 300
/** How often a call is made when something is missing from its answer. */
const tries = 2

/** Options of {@link DiscoveryClient}. */
export interface DiscoveryClientOptions {
  /** Ask for the older form only, with a request for each group-version. @defaultValue false */
  readonly useLegacyDiscovery?: boolean | undefined
  /** Ask for what the one server that answers has itself, leaving out what its peers have. @defaultValue false */
  readonly noPeerDiscovery?: boolean | undefined
  /** Path of the core group; `''` when it is among the others. @defaultValue `/api` */
  readonly legacyPrefix?: string | undefined
  /** Ask through this client instead of one of its own. */
  readonly restClient?: RESTClient | undefined
}

/**
 * Asks a server about itself.
 *
 * Groups and resources take two requests: servers since 1.27 answer with all of it at `/api` and `/apis`. Others are asked
 * for each group-version.
 *
 * **Caveats**: each call asks the server; `MemCacheClient` and `CachedDiscoveryClient` remember. Requests take 32 seconds at
 * most unless the Config's or the call's `timeout` says otherwise; 300 may be sent at once unless the Config has a `burst`.
 */
export class DiscoveryClient implements AggregatedDiscoveryInterface {
  readonly restClient: RESTClient
  readonly #options: DiscoveryClientOptions

  /** @throws Error when the Config's fields contradict each other. */
  constructor(config: ConfigOptions, options: DiscoveryClientOptions = {}) {
    this.restClient = options.restClient ?? restClientOf(Config.from(config))
    this.#options = options
  }

  async groupsAndMaybeResources(opts: CallOptions = {}): Promise<GroupsAndMaybeResources> {
    const core = await this.#core(opts)
    const others = await this.#groups('/apis', opts, (answer, what) => asGroupList(answer, what))
    const groups = [...core.groupList.groups, ...others.groupList.groups]
    const isWhole = core.resources !== undefined && others.resources !== undefined
    return {
      groupList: { kind: 'APIGroupList', apiVersion: 'v1', groups },
      resources: isWhole ? new Map([...(core.resources ?? []), ...(others.resources ?? [])]) : undefined,
      failed: new Map([...core.failed, ...others.failed]),
    }
  }

  async serverGroups(opts: CallOptions = {}): Promise<APIGroupList> {
    return (await this.groupsAndMaybeResources(opts)).groupList
  }

  async serverResourcesForGroupVersion(groupVersion: string, opts: CallOptions = {}): Promise<APIResourceList> {
    if (groupVersion === '') throw new TypeError("groupVersion shouldn't be empty")
    checkGroupVersion(parseGroupVersion(groupVersion))
    const { legacyPrefix = '/api' } = this.#options
    const isCore = groupVersion === 'v1' && legacyPrefix !== ''
    const path = isCore ? `${legacyPrefix}/${groupVersion}` : `/apis/${groupVersion}`
    try {
      const { object } = await discoveryRequest(this.restClient, path).do<unknown>(opts)
      return asResourceList(object, groupVersion, `GET ${path}`)
    } catch (err) {
      // Aggregated API servers have no core group.
      if (groupVersion === 'v1' && isNotFound(err)) return asResourceList({}, groupVersion, `GET ${path}`)
      throw err
    }
  }

  serverGroupsAndResources(opts: CallOptions = {}): Promise<ServerGroupsAndResources> {
    return withRetries(tries, () => serverGroupsAndResources(this, opts))
  }

  serverPreferredResources(opts: CallOptions = {}): Promise<ServerResources> {
    return withRetries(tries, () => serverPreferredResources(this, opts))
  }

  serverPreferredNamespacedResources(opts: CallOptions = {}): Promise<ServerResources> {
    return serverPreferredNamespacedResources(this, opts)
  }

  async serverVersion(opts: CallOptions = {}): Promise<VersionInfo> {
    return this.#document<VersionInfo>('/version', opts)
  }

  /**
   * The OpenAPI v2 (Swagger) document of the whole API, some megabytes of JSON.
   *
   * **Caveats**: it knows less than the v3 documents, and API servers compute it when it is first asked for, which takes
   * seconds; prefer {@link DiscoveryClient.openAPIV3}.
   */
  async openAPISchema(opts: CallOptions = {}): Promise<OpenAPIV2Document> {
    return this.#document<OpenAPIV2Document>('/openapi/v2', opts)
  }

  openAPIV3(): OpenAPIClient {
    return newOpenAPIClient(this.restClient)
  }

  withLegacy(): DiscoveryClient {
    const { restClient } = this
    return new DiscoveryClient(restClient.config, { ...this.#options, restClient, useLegacyDiscovery: true })
  }

  async #document<T extends object>(path: string, opts: CallOptions): Promise<T> {
    const { object } = await discoveryRequest(this.restClient, path).do<T>(opts)
    fieldsOf(object, `GET ${path}`)
    return object
  }

  async #core(opts: CallOptions): Promise<GroupsAndMaybeResources> {
    try {
      return await this.#groups('/api', opts, (answer, what) => ({
        kind: 'APIGroupList',
        apiVersion: 'v1',
        groups: [coreGroup(asVersions(answer, what))],
      }))
    } catch (err) {
      if (!isNotFound(err)) throw err
      // Aggregated API servers have no core group. The resources are as complete as they will be.
      const groupList: APIGroupList = { kind: 'APIGroupList', apiVersion: 'v1', groups: [] }
      return { groupList, resources: new Map(), failed: new Map() }
    }
  }

  /** In whichever form the server answers; `unaggregated` reads the older one. */
  async #groups(
    path: string,
    opts: CallOptions,
    unaggregated: (answer: unknown, what: string) => APIGroupList,
  ): Promise<GroupsAndMaybeResources> {
    const { useLegacyDiscovery: legacy = false, noPeerDiscovery: noPeer = false } = this.#options
    const request = discoveryRequest(this.restClient, path).setHeader('accept', discoveryAccept({ legacy, noPeer }))
    const { object, contentType } = await request.do<unknown>(opts)
    const what = `GET ${path}`
    if (isAggregatedDiscovery(contentType)) return splitGroupsAndResources(asAggregated(object, what))
    return { groupList: unaggregated(object, what), resources: undefined, failed: new Map() }
  }
}

function coreGroup(versions: readonly string[]): APIGroup {
  const served = versions.map((version) => ({ groupVersion: version, version }))
  const [preferredVersion] = served
  return { name: '', versions: served, ...(preferredVersion && { preferredVersion }) }
}

/** On the Config's own connections, with a limiter that lets more through at once. */
function restClientOf(config: Config): RESTClient {
  const rateLimiter = rateLimiterFor(config.burst ? config : copyConfig(config, { burst: defaultBurst }))
  return new RESTClient({ config, rateLimiter })
}
