// The Config that a pod's service account gives, for a ClientConfig to fall back to.

import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, copyConfig, inClusterConfig } from '../rest/index.js'
import type { ChosenNamespace, ClientConfig } from './client-config.js'
import type { ReadOptions } from './files.js'
import type { Env } from './home-dir.js'
import type { ConfigOverrides } from './overrides.js'
import type { KubeConfig } from './types.js'

const serviceAccountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount'

/** Options of {@link InClusterClientConfig}. */
export interface InClusterClientConfigOptions {
  /** Server, token, token file and certificate authority file win over the pod's; nothing else is looked at. */
  overrides?: ConfigOverrides | undefined
  /** @defaultValue the process's environment */
  env?: Env | undefined
  /** Where the file system begins; for tests. @defaultValue `/` */
  rootDirectory?: string | undefined
}

/** A ClientConfig that may turn out not to apply here. */
export interface PossibleClientConfig extends ClientConfig {
  /** Whether this process can use it. */
  possible(): Promise<boolean>
}

/** The Config and namespace of the pod that this process runs in. */
export class InClusterClientConfig implements PossibleClientConfig {
  readonly #overrides: ConfigOverrides
  readonly #env: Env
  readonly #rootDirectory: string

  constructor(options: InClusterClientConfigOptions = {}) {
    this.#overrides = options.overrides ?? {}
    this.#env = options.env ?? process.env
    this.#rootDirectory = options.rootDirectory ?? '/'
  }

  /** Both `KUBERNETES_SERVICE_HOST` and `KUBERNETES_SERVICE_PORT` are set and the token file is there. */
  async possible(): Promise<boolean> {
    if (!this.#env.KUBERNETES_SERVICE_HOST || !this.#env.KUBERNETES_SERVICE_PORT) return false
    return stat(this.#path('token')).then(
      (stats) => !stats.isDirectory(),
      () => false,
    )
  }

  /** @throws Error always: there is no kubeconfig in a pod. */
  async rawConfig(): Promise<KubeConfig> {
    throw new Error("inCluster environment config doesn't support multiple clusters")
  }

  /** @throws NotInClusterError outside of a pod; an error when the token cannot be read. */
  async clientConfig(_options?: ReadOptions): Promise<Config> {
    const config = inClusterConfig({ env: this.#env, rootDirectory: this.#rootDirectory })
    const { clusterInfo = {}, authInfo = {} } = this.#overrides
    const caFile = clusterInfo['certificate-authority']
    return copyConfig(config, {
      ...(clusterInfo.server && { host: clusterInfo.server }),
      ...((authInfo.token || authInfo.tokenFile) && {
        bearerToken: authInfo.token || undefined,
        bearerTokenFile: authInfo.tokenFile || undefined,
      }),
      ...(caFile && { tlsClientConfig: { ...config.tlsClientConfig, caFile } }),
    })
  }

  /** `POD_NAMESPACE`, else the service account's namespace, else `default`. */
  async namespace(): Promise<ChosenNamespace> {
    const fromEnv = this.#env.POD_NAMESPACE
    if (fromEnv) return { namespace: fromEnv, overridden: false }
    const file = await readFile(this.#path('namespace'), 'utf8').catch(() => '')
    return { namespace: file.trim() || 'default', overridden: false }
  }

  configAccess(): undefined {
    return undefined
  }

  #path(name: string): string {
    return join(this.#rootDirectory, serviceAccountDirectory, name)
  }
}
