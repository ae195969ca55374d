/// <reference lib="esnext.disposable" preserve="true" />
// The typed client of every built-in resource, made at run time from the generated table.

import { DiscoveryClient } from '../discovery/index.js'
import type { RateLimiter } from '../flowcontrol/index.js'
import type { ClientsetInterface } from '../gen/clientset.js'
import { type GroupVersionFacts, resourceTable } from '../gen/table.js'
import { formatGroupVersion } from '../meta/index.js'
import { Config, type ConfigOptions, RESTClient, rateLimiterFor, transportFor } from '../rest/index.js'
import { expansions } from './expansion-methods.js'
import { ResourceClientImpl } from './resource-client.js'

/** The accessors of all group-versions: `clientset.appsV1()`, `clientset.coreV1()`, … */
export interface Clientset extends ClientsetInterface {}

/**
 * Typed clients of all built-in resources: client-go's Clientset.
 *
 * ```ts
 * const clientset = new Clientset(await getConfig())
 * const pods = await clientset.coreV1().pods('default').list()
 * ```
 *
 * **Guarantees**: a Clientset never changes what it talks to or as whom; making one does no I/O; one made from the same
 * Config as another shares its connections. An idle Clientset does not keep the program alive.
 *
 * **Caveats**: requests are limited on the client's side, by default to 5 a second with bursts of 10 for each
 * group-version, as in client-go; `qps` and `burst` of the Config change that (`qps: -1`: no limit), and when `qps` is
 * set, all group-versions share one limiter. Watches do not count.
 */
export class Clientset {
  /** What it talks to, and as whom: the Config it was made from, or a new one of the options. */
  readonly config: Config
  readonly #groupVersions = new Map<string, object>()
  readonly #rateLimiter: RateLimiter | undefined
  #discovery: DiscoveryClient | undefined

  /** @throws Error when the Config contradicts itself: token and password together, a CA and `insecure`, a bad host, … */
  constructor(options: ConfigOptions) {
    const config = Config.from(options)
    this.config = config
    // client-go: one limiter for all when qps is set, else one for each group-version.
    const rateLimiter = config.rateLimiter ?? ((config.qps ?? 0) > 0 ? rateLimiterFor(config) : undefined)
    this.#rateLimiter = rateLimiter
    // Made now, so that a Config that cannot work fails here and not at the first call.
    transportFor(config)
    for (const [accessor, facts] of Object.entries(resourceTable)) {
      const client = (): object => {
        let made = this.#groupVersions.get(accessor)
        if (!made) {
          made = groupVersionClient(accessor, facts, new RESTClient({ config, groupVersion: facts, rateLimiter }))
          this.#groupVersions.set(accessor, made)
        }
        return made
      }
      Object.defineProperty(this, accessor, { value: client })
    }
  }

  /** What the server is and offers. */
  discovery(): DiscoveryClient {
    const { config } = this
    const rateLimiter = this.#rateLimiter
    this.#discovery ??= new DiscoveryClient(
      config,
      rateLimiter && { restClient: new RESTClient({ config, rateLimiter }) },
    )
    return this.#discovery
  }

  /**
   * Closes the connections of this Clientset's Config, and so of every client made from that same Config object;
   * calls under way fail. Only needed to end them early: idle connections do not keep a program alive.
   */
  async close(): Promise<void> {
    await transportFor(this.config).close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}

/** `clientset.appsV1()`: one method a resource, which makes that resource's client. */
function groupVersionClient(accessor: string, facts: GroupVersionFacts, rest: RESTClient): object {
  const apiVersion = formatGroupVersion(facts)
  const client: Record<string, unknown> = { restClient: () => rest }
  for (const [method, resource] of Object.entries(facts.resources)) {
    const expand = expansions[`${accessor}.${method}`]
    client[method] = (namespace?: string) => {
      const made = new ResourceClientImpl(rest, apiVersion, resource, resource.namespaced ? namespace : undefined)
      return expand ? Object.assign(made, expand(made)) : made
    }
  }
  return client
}
