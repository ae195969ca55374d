// DynamicClient: any resource of a server by its name, and any kind by its descriptor.

import { ResourceClients } from '../kubernetes/index.js'
import type { GroupVersionResource, Kind } from '../meta/index.js'
import type { Config, ConfigOptions } from '../rest/index.js'
import type { DynamicInterface, NamespaceableKindClient, NamespaceableResourceInterface } from './types.js'

/**
 * Clients of any resource: built in, custom or of an aggregated API; client-go's dynamic client.
 *
 * ```ts
 * const client = new DynamicClient(await getConfig())
 * const deployments = client.resource({ group: 'apps', version: 'v1', resource: 'deployments' }).namespace('default')
 * const web = await deployments.get('web')
 * console.log(nestedInt64(web, 'spec', 'replicas'))
 * ```
 *
 * **Guarantees**: making one, and a client of it, does no I/O; one made from the same Config as another client shares its
 * connections. An idle one does not keep the program alive.
 *
 * **Caveats**: all its requests share one limit, by default 5 a second with bursts of 10; watches do not count.
 */
export class DynamicClient implements DynamicInterface {
  /** What it talks to, and as whom: the Config it was made from, or a new one of the options. */
  readonly config: Config
  readonly #clients: ResourceClients

  /** @throws Error when the Config contradicts itself: token and password together, a CA and `insecure`, a bad host, … */
  constructor(options: ConfigOptions) {
    this.#clients = new ResourceClients(options)
    this.config = this.#clients.config
  }

  /**
   * The client of a kind, typed as the kind is: `client.resource(Deployment).namespace('default')`, with a built-in
   * descriptor such as `Deployment` of `kubewright/api/apps/v1`, or one of {@link defineResource}.
   */
  resource<T extends object, W extends object, S extends string>(kind: Kind<T, W, S>): NamespaceableKindClient<T, W, S>
  /**
   * The client of a resource by its name.
   *
   * @throws TypeError when the name of group, version or resource can be none
   */
  resource(resource: GroupVersionResource): NamespaceableResourceInterface
  resource(of: Kind | GroupVersionResource): object {
    return this.#clients.client(of)
  }
}
