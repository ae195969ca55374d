// DiscoveryClient: what a server is and offers.

import type { CallOptions } from '../meta/index.js'
import { type ConfigOptions, type RESTClient, unversionedRestClientFor } from '../rest/index.js'
import type { VersionInfo } from './version-info.js'

/** What a discovery client can be asked; fakes implement it too. */
export interface DiscoveryInterface {
  /**
   * The server's version. Needs no permission on most clusters, so it is a good first question.
   *
   * @throws ApiError, ConnectionError, RequestTimeoutError
   */
  serverVersion(opts?: CallOptions): Promise<VersionInfo>
}

/** Asks a server about itself. */
export class DiscoveryClient implements DiscoveryInterface {
  readonly restClient: RESTClient

  /** @throws Error when the Config's fields contradict each other. */
  constructor(config: ConfigOptions) {
    this.restClient = unversionedRestClientFor(config)
  }

  async serverVersion({ signal, timeout }: CallOptions = {}): Promise<VersionInfo> {
    const result = await this.restClient.get().absPath('/version').do<VersionInfo>({ signal, timeout })
    return result.object
  }
}
