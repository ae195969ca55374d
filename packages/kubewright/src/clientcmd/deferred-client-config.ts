// A Config from files that are read when it is first asked for, with the pod's own as the fallback.

import type { Config } from '../rest/index.js'
import type { ChosenNamespace, ClientConfig } from './client-config.js'
import type { ConfigAccess } from './config-access.js'
import type { CredentialReader } from './credential-reader.js'
import { DirectClientConfig } from './direct-client-config.js'
import { isEmptyConfig } from './errors.js'
import type { ReadOptions } from './files.js'
import type { Env } from './home-dir.js'
import { InClusterClientConfig, type PossibleClientConfig } from './in-cluster-client-config.js'
import type { ClientConfigLoader } from './loading-rules.js'
import type { ConfigOverrides } from './overrides.js'
import type { KubeConfig } from './types.js'

/** Options of {@link DeferredLoadingClientConfig}. */
export interface DeferredLoadingOptions {
  /** Win over what the kubeconfig says. @defaultValue none */
  overrides?: ConfigOverrides | undefined
  /** @defaultValue the process's environment */
  env?: Env | undefined
  /** What to fall back to. @defaultValue the service account of the pod that this process runs in */
  inCluster?: PossibleClientConfig | undefined
  /** Asks the user for a name and a password where the kubeconfig has no credentials. @defaultValue nobody is asked */
  reader?: CredentialReader | undefined
}

type Outcome<T> = { readonly value: T } | { readonly error: unknown }

/** What came of it, where finding nothing configured is an answer too; any other failure is thrown. */
async function unlessEmpty<T>(promise: Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await promise }
  } catch (error) {
    if (!isEmptyConfig(error)) throw error
    return { error }
  }
}

function settle<T>(outcome: Outcome<T>): T {
  if ('error' in outcome) throw outcome.error
  return outcome.value
}

/**
 * What rules load, overrides applied; in a pod, when nothing is configured, the service account. The files are read on
 * first use, and once.
 *
 * **Guarantees**: a kubeconfig that is wrong is an error; only an empty one makes way for the service account.
 */
export class DeferredLoadingClientConfig implements ClientConfig {
  readonly #loader: ClientConfigLoader
  readonly #overrides: ConfigOverrides
  readonly #inCluster: PossibleClientConfig
  readonly #reader: CredentialReader | undefined
  #loaded: ClientConfig | undefined

  constructor(loader: ClientConfigLoader, { overrides = {}, env, inCluster, reader }: DeferredLoadingOptions = {}) {
    this.#loader = loader
    this.#overrides = overrides
    this.#reader = reader
    this.#inCluster = inCluster ?? new InClusterClientConfig({ overrides, env })
  }

  async rawConfig(options: ReadOptions = {}): Promise<KubeConfig> {
    return (await this.#load(options)).rawConfig(options)
  }

  /** @throws what {@link DirectClientConfig.clientConfig} throws, and what loading the files throws. */
  async clientConfig(options: ReadOptions = {}): Promise<Config> {
    const loaded = await this.#load(options)
    const outcome = await unlessEmpty(loaded.clientConfig(options))
    if ('value' in outcome && !(await this.#loader.isDefaultConfig(outcome.value))) return outcome.value
    return (await this.#inCluster.possible()) ? this.#inCluster.clientConfig(options) : settle(outcome)
  }

  /**
   * The namespace of an override, or of the chosen context; in a pod, where neither names one, the pod's own.
   *
   * @throws what loading the files throws, and ConfigurationInvalidError when the chosen context is not usable.
   */
  async namespace(options: ReadOptions = {}): Promise<ChosenNamespace> {
    const loaded = await this.#load(options)
    const outcome = await unlessEmpty(loaded.namespace(options))
    if ('value' in outcome && outcome.value.overridden) return outcome.value
    if (!(await this.#inCluster.possible())) return settle(outcome)
    if ('value' in outcome && (await this.#isExplicit(loaded, outcome.value.namespace))) return outcome.value
    return this.#inCluster.namespace(options)
  }

  /** Whether the context names the namespace, which then counts even when it is `default`. */
  async #isExplicit(loaded: ClientConfig, namespace: string): Promise<boolean> {
    if (namespace !== 'default') return namespace !== ''
    const raw = await loaded.rawConfig()
    return Boolean(raw.contexts.get(this.#overrides.currentContext || raw.currentContext)?.namespace)
  }

  configAccess(): ConfigAccess {
    return this.#loader
  }

  async #load(options: ReadOptions): Promise<ClientConfig> {
    if (this.#loaded) return this.#loaded
    const config = await this.#loader.load(options)
    this.#loaded ??= new DirectClientConfig(config, {
      contextName: this.#overrides.currentContext,
      overrides: this.#overrides,
      configAccess: this.#loader,
      reader: this.#reader,
    })
    return this.#loaded
  }
}
