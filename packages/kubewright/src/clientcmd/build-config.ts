// client-go's way from two command line flags to a Config.

import type { Config } from '../rest/index.js'
import { DeferredLoadingClientConfig } from './deferred-client-config.js'
import type { ReadOptions } from './files.js'
import type { Env } from './home-dir.js'
import { InClusterClientConfig } from './in-cluster-client-config.js'
import { ClientConfigLoadingRules } from './loading-rules.js'

/** Options of {@link buildConfigFromFlags}. */
export interface BuildConfigOptions extends ReadOptions {
  /** @defaultValue the process's environment */
  env?: Env | undefined
  /** The pod's Config, for tests. @defaultValue the service account of the pod that this process runs in */
  inCluster?: InClusterClientConfig | undefined
}

/**
 * The Config of the flags `--master` and `--kubeconfig`, by client-go's rules: with both empty, the pod's own;
 * otherwise that kubeconfig file alone, `masterUrl` replacing its server.
 *
 * **Caveats**: unlike {@link getConfig} and `kubectl` it never reads `KUBECONFIG` nor `~/.kube/config`. Outside of a
 * cluster, with both empty, it fails.
 *
 * @throws KubeconfigError when the file cannot be read, ConfigurationInvalidError when it cannot be used or when there
 * is no configuration at all.
 */
export async function buildConfigFromFlags(
  masterUrl: string,
  kubeconfigPath: string,
  { signal, env, inCluster = new InClusterClientConfig({ env }) }: BuildConfigOptions = {},
): Promise<Config> {
  const rules = new ClientConfigLoadingRules({ explicitPath: kubeconfigPath })
  const overrides = { clusterInfo: { server: masterUrl } }
  const deferred = new DeferredLoadingClientConfig(rules, { overrides, env, inCluster })
  if (masterUrl !== '' || kubeconfigPath !== '') return deferred.clientConfig({ signal })
  try {
    return await inCluster.clientConfig({ signal })
  } catch (cause) {
    signal?.throwIfAborted()
    return deferred.clientConfig({ signal }).catch((err: Error) => {
      err.cause ??= cause
      throw err
    })
  }
}
