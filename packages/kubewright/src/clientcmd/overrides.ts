// What a program's flags change of a kubeconfig.

import type { AuthInfo, Cluster, Context } from './types.js'

/** Fields that win over the kubeconfig's. One that is empty changes nothing. */
export interface ConfigOverrides {
  /** Use this context; it must exist. */
  readonly currentContext?: string | undefined
  /** Use this cluster or user of the kubeconfig, which must exist, or this namespace. */
  readonly context?: Readonly<Context> | undefined
  /** Laid over the cluster. */
  readonly clusterInfo?: Readonly<Cluster> | undefined
  /** Laid under the cluster: for what the kubeconfig leaves out. */
  readonly clusterDefaults?: Readonly<Cluster> | undefined
  /** Laid over the user. */
  readonly authInfo?: Readonly<AuthInfo> | undefined
  /** For each request: a whole number of seconds, or a Go duration such as `1m30s`. `0`: none. */
  readonly timeout?: string | undefined
}
