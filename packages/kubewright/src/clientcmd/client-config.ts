// What every source of a Config has in common.

import type { Config } from '../rest/index.js'
import type { ConfigAccess } from './config-access.js'
import type { ReadOptions } from './files.js'
import type { KubeConfig } from './types.js'

/** A namespace to work in, and whether it was asked for by an override. */
export interface ChosenNamespace {
  /** `default` when nothing names one. */
  readonly namespace: string
  /** Whether an override asked for it, rather than the kubeconfig. */
  readonly overridden: boolean
}

/** Makes a Config, and tells the namespace that goes with it: client-go's ClientConfig. */
export interface ClientConfig {
  /** The kubeconfig, without overrides. */
  rawConfig(options?: ReadOptions): Promise<KubeConfig>
  /** The Config of the chosen context, overrides applied. */
  clientConfig(options?: ReadOptions): Promise<Config>
  /** The namespace of the chosen context; `default` when it names none. */
  namespace(options?: ReadOptions): Promise<ChosenNamespace>
  /** The files behind it, where there are any. */
  configAccess(): ConfigAccess | undefined
}
