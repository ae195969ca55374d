// A Config from a kubeconfig that is already in memory.

import { SingleFlight } from '../clock/index.js'
import { goQuote } from '../meta/index.js'
import { Config, type ConfigOptions, isConfigTransportTLS } from '../rest/index.js'
import type { ChosenNamespace, ClientConfig } from './client-config.js'
import type { ConfigAccess } from './config-access.js'
import type { CredentialReader } from './credential-reader.js'
import { identification, impersonation } from './credentials.js'
import { ConfigurationInvalidError, ContextNotFoundError, EmptyClusterError, EmptyConfigError } from './errors.js'
import type { ReadOptions } from './files.js'
import { load } from './load.js'
import { mergeStanza } from './merge.js'
import type { ConfigOverrides } from './overrides.js'
import { persisterForUser } from './persister.js'
import { type PromptedCredentials, promptForCredentials } from './prompting-auth-loader.js'
import { hideSecrets } from './secrets.js'
import { parseTimeout } from './timeout.js'
import type { AuthInfo, Cluster, Context, KubeConfig } from './types.js'
import { validateAuthInfo, validateClusterInfo } from './validation.js'

/** Options of {@link DirectClientConfig}. */
export interface DirectClientConfigOptions {
  /** Use this context unless an override names one. @defaultValue the kubeconfig's current context */
  contextName?: string | undefined
  /** Win over what the kubeconfig says. @defaultValue none */
  overrides?: ConfigOverrides | undefined
  /** The files that the kubeconfig was read from, for those who write. */
  configAccess?: ConfigAccess | undefined
  /** Asks the user for a name and a password where the kubeconfig has no credentials. @defaultValue nobody is asked */
  reader?: CredentialReader | undefined
}

/** The fields of the override win as a pair or triple when it sets one of them: a file and data would conflict. */
function replaceTogether<T extends object>(merged: T, override: T | undefined, keys: readonly (keyof T)[]): T {
  if (!override || !keys.some((key) => override[key])) return merged
  const replaced = { ...merged }
  for (const key of keys) {
    if (override[key]) replaced[key] = override[key]
    else delete replaced[key]
  }
  return replaced
}

/** A server with a path prefix cannot have a query. */
function hostOf(server: string): string {
  return server.replace(/^([a-z][a-z0-9+.-]*:\/\/[^/?#]*\/[^?#]+)[?#].*$/is, '$1')
}

/**
 * A kubeconfig, a context of it, and overrides: client-go's DirectClientConfig.
 *
 * **Caveats**: as in client-go, credentials and trust are used for `https://` servers only. A server without a scheme
 * is taken for http, so the user's credentials are not sent to it.
 */
export class DirectClientConfig implements ClientConfig {
  readonly #config: KubeConfig
  readonly #contextName: string
  readonly #overrides: ConfigOverrides
  readonly #access: ConfigAccess | undefined
  /** What the user said, for all Configs of this. */
  #prompted: PromptedCredentials | undefined
  readonly #prompt: SingleFlight<PromptedCredentials> | undefined

  constructor(
    config: KubeConfig,
    { contextName = '', overrides = {}, configAccess, reader }: DirectClientConfigOptions = {},
  ) {
    this.#config = config
    this.#contextName = contextName
    this.#overrides = overrides
    this.#access = configAccess
    this.#prompt =
      reader && new SingleFlight(async (signal) => (this.#prompted = await promptForCredentials(reader, { signal })))
  }

  async rawConfig(): Promise<KubeConfig> {
    return this.#config
  }

  /**
   * The kubeconfig with the overrides written into the chosen context, its cluster and its user.
   *
   * @throws ConfigurationInvalidError when these are not usable.
   */
  async mergedRawConfig(): Promise<KubeConfig> {
    await this.#confirmUsable()
    this.#requireOverridden()
    const contextName = this.#chosenContext()
    return {
      ...this.#config,
      users: new Map(this.#config.users).set(this.#userName(), this.#user()),
      contexts: new Map(this.#config.contexts).set(contextName, this.#context()),
      clusters: new Map(this.#config.clusters).set(this.#clusterName(), this.#cluster()),
      currentContext: contextName,
    }
  }

  /**
   * The Config of the chosen context.
   *
   * @throws Error when an override names a context, user or cluster that does not exist, ConfigurationInvalidError with
   * all that is wrong with the chosen ones, UnsupportedAuthProviderError for an `auth-provider` other than `oidc`.
   */
  async clientConfig(options: ReadOptions = {}): Promise<Config> {
    this.#requireOverridden()
    await this.#confirmUsable()
    const user = this.#user()
    const cluster = this.#cluster()
    const connection: ConfigOptions = {
      host: hostOf(cluster.server ?? ''),
      proxyUrl: cluster['proxy-url'] || undefined,
      disableCompression: cluster['disable-compression'] || undefined,
      timeout: this.#overrides.timeout ? parseTimeout(this.#overrides.timeout) : undefined,
      impersonate: impersonation(user),
    }
    if (!isTLS(connection)) return new Config(connection)
    const identity = await this.#complete(await identification(user, cluster, options), options)
    const authConfigPersister =
      identity.authProvider && this.#access && persisterForUser(this.#access, this.#userName())
    return new Config({ ...connection, ...identity, authConfigPersister })
  }

  /** With what the user says, where there are no credentials and somebody to ask. */
  async #complete(identity: ConfigOptions, options: ReadOptions): Promise<ConfigOptions> {
    const { username, bearerToken, authProvider, execProvider, tlsClientConfig: tls = {} } = identity
    const isKnown = username || bearerToken || authProvider || execProvider || tls.certFile || tls.certData
    if (isKnown || this.#prompt === undefined) return identity
    const { user, password } = this.#prompted ?? (await this.#prompt.run(options.signal))
    return { ...identity, username: user, password }
  }

  /** An override's namespace as it is, even where the rest is not usable; else the context's; else `default`. */
  async namespace(): Promise<ChosenNamespace> {
    const override = this.#overrides.context?.namespace
    if (override) return { namespace: override, overridden: true }
    await this.#confirmUsable()
    return { namespace: this.#context().namespace || 'default', overridden: false }
  }

  configAccess(): ConfigAccess | undefined {
    return this.#access
  }

  /** What an override names must be there; what the kubeconfig names is another question. */
  #requireOverridden(): void {
    const { currentContext, context: { user, cluster } = {} } = this.#overrides
    const { contexts, users, clusters } = this.#config
    const missing = (kind: string, name: string): string => `${kind} ${goQuote(name)} does not exist`
    if (user && !users.has(user)) throw new Error(missing('auth info', user))
    if (currentContext && !contexts.has(currentContext)) {
      throw new ContextNotFoundError(currentContext, missing('context', currentContext))
    }
    if (cluster && !clusters.has(cluster)) throw new Error(missing('cluster', cluster))
  }

  async #confirmUsable(): Promise<void> {
    const { contexts, clusters } = this.#config
    const contextName = this.#contextName || this.#config.currentContext
    const errors: Error[] = []
    if (contextName && !contexts.has(contextName)) errors.push(new ContextNotFoundError(contextName))
    errors.push(...(await validateAuthInfo(this.#userName(), this.#user())))
    const demanded = this.#overrides.context?.cluster
    if (demanded && !clusters.has(demanded)) {
      errors.push(new Error(`no server found for cluster ${goQuote(demanded)}`))
    } else errors.push(...(await validateClusterInfo(this.#clusterName(), this.#cluster())))
    if (errors.length === 1 && errors[0] instanceof EmptyClusterError) {
      throw new ConfigurationInvalidError([new EmptyConfigError()])
    }
    if (errors.length > 0) throw new ConfigurationInvalidError(errors)
  }

  #chosenContext(): string {
    return this.#overrides.currentContext || this.#contextName || this.#config.currentContext
  }

  #context(): Context {
    return mergeStanza(this.#config.contexts.get(this.#chosenContext()) ?? {}, this.#overrides.context)
  }

  #userName(): string {
    return this.#context().user ?? ''
  }

  #user(): AuthInfo {
    const override = this.#overrides.authInfo
    const merged = mergeStanza(this.#config.users.get(this.#userName()) ?? {}, override)
    const key = replaceTogether(merged, override, ['client-key', 'client-key-data'])
    return hideSecrets(replaceTogether(key, override, ['client-certificate', 'client-certificate-data']))
  }

  #clusterName(): string {
    return this.#context().cluster ?? ''
  }

  #cluster(): Cluster {
    const { clusterInfo: override, clusterDefaults = {} } = this.#overrides
    const named = mergeStanza(clusterDefaults, this.#config.clusters.get(this.#clusterName()))
    const merged = replaceTogether(mergeStanza(named, override), override, [
      'insecure-skip-tls-verify',
      'certificate-authority',
      'certificate-authority-data',
    ])
    // The kubeconfig's name was that of its own server; a server of the override has the override's or none.
    const replaced = override?.server || override?.['tls-server-name']
    return replaced ? { ...merged, 'tls-server-name': override['tls-server-name'] } : merged
  }
}

/** A host that makes no URL is told by the client that is made from the Config. */
function isTLS(connection: ConfigOptions): boolean {
  try {
    return isConfigTransportTLS(connection)
  } catch {
    return false
  }
}

/** A {@link DirectClientConfig} of a kubeconfig's text. */
export async function newClientConfigFromText(text: string): Promise<DirectClientConfig> {
  return new DirectClientConfig(await load(text))
}

/**
 * The Config of the current context of a kubeconfig's text: for one that comes from a Secret, say.
 *
 * @throws KubeconfigError when the text is no kubeconfig, ConfigurationInvalidError when it cannot be used.
 */
export async function restConfigFromKubeConfig(text: string, options: ReadOptions = {}): Promise<Config> {
  return (await newClientConfigFromText(text)).clientConfig(options)
}
