// Clients of any resource, by its name or its kind's descriptor: what dynamic and metadata clients share.

import {
  formatGroupVersion,
  type GroupVersion,
  type GroupVersionResource,
  goQuote,
  type Kind,
  type KubernetesObject,
  pathSegmentNameProblems,
} from '../meta/index.js'
import { Config, type ConfigOptions, RESTClient, rateLimiterFor, transportFor } from '../rest/index.js'
import { ResourceClientImpl, type ResourceTarget } from './resource-client.js'

/**
 * Makes a {@link ResourceClientImpl} for any resource of a server; all of them share one limiter.
 *
 * **Caveats**: for libraries that make clients of their own; programs use a DynamicClient.
 */
export class ResourceClients {
  readonly config: Config
  readonly #restClients = new Map<string, RESTClient>()
  readonly #rateLimiter: RESTClient['rateLimiter']

  /** @throws Error when the Config contradicts itself. */
  constructor(options: ConfigOptions) {
    this.config = Config.from(options)
    this.#rateLimiter = rateLimiterFor(this.config)
    // Made now, so that a Config that cannot work fails here and not at the first call.
    transportFor(this.config)
  }

  /**
   * The client of a resource in all namespaces; `more` goes before what the resource says of itself.
   *
   * @throws TypeError when the name of group, version or resource can be none
   */
  client(of: Kind | GroupVersionResource, more: Partial<ResourceTarget> = {}): ResourceClientImpl<KubernetesObject> {
    checkNamed(of)
    const target = { ...targetOf(of), ...more }
    const names = { group: of.group, version: of.version, resource: target.plural }
    for (const [what, name] of Object.entries(names)) checkName(what, name)
    return new ResourceClientImpl(this.#restClient(of), formatGroupVersion(of), target)
  }

  #restClient({ group, version }: GroupVersion): RESTClient {
    const name = formatGroupVersion({ group, version })
    let client = this.#restClients.get(name)
    if (!client) {
      const groupVersion = { group, version }
      client = new RESTClient({ config: this.config, groupVersion, rateLimiter: this.#rateLimiter })
      this.#restClients.set(name, client)
    }
    return client
  }
}

/** What a client has to know, of a kind's descriptor or of a resource's mere name. */
function targetOf(of: Kind | GroupVersionResource): ResourceTarget {
  if ('resource' in of) return { plural: of.resource }
  const { plural, kind, namespaced, subresources } = of
  const scale = subresources['scale']?.kind
  return { plural, kind, namespaced, ...(scale && { scale: formatGroupVersion(scale) }) }
}

/** What is neither, past the types; above all a kind without its descriptor. */
function checkNamed(of: unknown): void {
  const { plural, resource } = (of ?? {}) as { plural?: unknown; resource?: unknown }
  if (plural !== undefined || resource !== undefined) return
  throw new TypeError(
    "a client of which resource? its resource is not given as text: give a kind's descriptor or { group, version, resource }; a RESTMapper knows the resource of a kind",
  )
}

/** What would make another path of the request's. */
function checkName(what: string, name: unknown): void {
  if (typeof name !== 'string') throw new TypeError(`a client of which resource? its ${what} is not given as text`)
  if (name === '' && what !== 'group') throw new TypeError(`a client of which resource? its ${what} is empty`)
  const problems = pathSegmentNameProblems(name)
  if (problems.length > 0) throw new TypeError(`invalid ${what} ${goQuote(name)}: [${problems.join(' ')}]`)
}
