// The Config that a program most likely wants, on a desk and in a pod alike.

import { goQuote } from '../meta/index.js'
import { type Config, copyConfig } from '../rest/index.js'
import type { ClientConfig } from './client-config.js'
import { DirectClientConfig } from './direct-client-config.js'
import { ConfigurationInvalidError, ContextNotFoundError, EmptyConfigError, NoContextError } from './errors.js'
import type { ReadOptions } from './files.js'
import type { Env } from './home-dir.js'
import { InClusterClientConfig, type PossibleClientConfig } from './in-cluster-client-config.js'
import { newDefaultClientConfigLoadingRules } from './loading-rules.js'
import type { ConfigOverrides } from './overrides.js'
import { listNames, suggest } from './suggest.js'
import type { KubeConfig } from './types.js'

/** Options of {@link getConfig}. */
export interface GetConfigOptions extends ReadOptions {
  /** Read this file, and no other source. */
  kubeconfig?: string | undefined
  /** Use this context of the kubeconfig. @defaultValue its current context */
  context?: string | undefined
  /** Laid over what the kubeconfig, or the pod, says. */
  overrides?: ConfigOverrides | undefined
  /** @defaultValue the process's environment */
  env?: Env | undefined
  /** The pod's Config, for tests. @defaultValue the service account of the pod that this process runs in */
  inCluster?: PossibleClientConfig | undefined
}

interface Source {
  readonly client: ClientConfig
  /** For messages: where it comes from. */
  readonly origin: string
}

/**
 * The Config of, in this order:
 * 1. the file `kubeconfig`, when it is given;
 * 2. the files that the environment variable `KUBECONFIG` lists, merged, when it is set;
 * 3. the service account, when this process runs in a pod (and no context was asked for);
 * 4. `.kube/config` in the home directory.
 *
 * The environment variable `KUBEWRIGHT_V`, a whole number, becomes the Config's `verbosity`: 6 logs each request.
 *
 * `buildConfigFromFlags('', '')`, client-go's function, stops after the pod: it reads neither `KUBECONFIG` nor the
 * home directory.
 *
 * @throws KubeconfigError when a file cannot be read or is no kubeconfig; ContextNotFoundError and NoContextError, which
 * list the contexts there are; ConfigurationInvalidError when the context's cluster or user is missing or wrong;
 * EmptyConfigError when none of the sources is there.
 */
export async function getConfig(options: GetConfigOptions = {}): Promise<Config> {
  const { client, origin } = await findSource(options)
  try {
    return withVerbosity(await client.clientConfig({ signal: options.signal }), options.env ?? process.env)
  } catch (err) {
    if (err instanceof ConfigurationInvalidError) throw new ConfigurationInvalidError(err.errors, ` (${origin})`)
    throw err
  }
}

function withVerbosity(config: Config, { KUBEWRIGHT_V: text = '' }: Env): Config {
  if (text === '') return config
  if (/^\d+$/.test(text)) return copyConfig(config, { verbosity: Number(text) })
  config.logger.warn('KUBEWRIGHT_V is no whole number; going on without it', { KUBEWRIGHT_V: text })
  return config
}

/**
 * The namespace that goes with the Config of {@link getConfig}: the override's, the context's, in a pod the pod's own;
 * `default` where none is named.
 *
 * @throws what {@link getConfig} throws.
 */
export async function getNamespace(options: GetConfigOptions = {}): Promise<string> {
  const asked = options.overrides?.context?.namespace
  if (asked) return asked
  const { client } = await findSource(options)
  return (await client.namespace({ signal: options.signal })).namespace
}

async function findSource(options: GetConfigOptions): Promise<Source> {
  const { kubeconfig, env = process.env, signal } = options
  const overrides = { ...options.overrides, ...(options.context && { currentContext: options.context }) }
  const inCluster = options.inCluster ?? new InClusterClientConfig({ overrides, env })
  const needsFile = kubeconfig || overrides.currentContext || overrides.context?.cluster || overrides.context?.user
  if (!needsFile && !env.KUBECONFIG && (await inCluster.possible())) {
    return { client: inCluster, origin: 'in-cluster' }
  }
  let missing: readonly string[] = []
  const rules = newDefaultClientConfigLoadingRules({
    env,
    explicitPath: kubeconfig,
    warnIfAllMissing: true,
    warner: (err) => {
      missing = err.missing
    },
  })
  const config = await rules.load({ signal })
  const serverGiven = Boolean(overrides.clusterInfo?.server)
  if (missing.length > 0 && !serverGiven) throw new EmptyConfigError(nothingFound(missing, env))
  const file = `kubeconfig ${filesOf(config, rules.getLoadingPrecedence()).join(', ')}`
  const contextName = checkContext(config, overrides, file)
  const client = new DirectClientConfig(config, { contextName, overrides, configAccess: rules })
  return { client, origin: `${file}, context ${goQuote(contextName)}` }
}

/** The files that the entries came from; where there are no entries, the files that were looked at. */
function filesOf({ contexts, clusters, users }: KubeConfig, files: readonly string[]): readonly string[] {
  const stanzas = [...contexts.values(), ...clusters.values(), ...users.values()]
  const origins = new Set(stanzas.map((stanza) => stanza.locationOfOrigin))
  const found = files.filter((file) => origins.has(file))
  return found.length > 0 ? found : files
}

function nothingFound(missing: readonly string[], env: Env): string {
  const files = env.KUBECONFIG
    ? `none of the files that KUBECONFIG lists exists: ${missing.join(', ')}`
    : `KUBECONFIG is not set and ${missing.join(', ')} does not exist`
  const pod = env.KUBERNETES_SERVICE_HOST
    ? 'there is no service account token, though KUBERNETES_SERVICE_HOST is set'
    : 'this process does not run in a cluster'
  const also = env.KUBECONFIG ? '' : `, and ${pod}`
  return `no configuration has been provided: ${files}${also}; name a kubeconfig, or set KUBECONFIG`
}

/**
 * The name of the context to use, after checking that it, its cluster and its user are there. Where an override names
 * the server, there may be no context.
 */
function checkContext(config: KubeConfig, overrides: ConfigOverrides, file: string): string {
  const name = overrides.currentContext || config.currentContext
  const serverGiven = Boolean(overrides.clusterInfo?.server)
  const contexts = listNames(config.contexts.keys())
  if (name === '') {
    if (serverGiven || overrides.context?.cluster) return name
    if (config.contexts.size === 0)
      throw new EmptyConfigError(`no configuration has been provided: ${file} has no contexts`)
    throw new NoContextError(
      `no context chosen: ${file} sets no current-context; choose one of its contexts: ${contexts}`,
    )
  }
  const context = config.contexts.get(name)
  if (context === undefined) {
    const near = suggest(name, config.contexts.keys())
    const hint = near === undefined ? '' : `; did you mean ${goQuote(near)}?`
    const message = `context was not found for specified context: ${name} (contexts of ${file}: ${contexts}${hint})`
    throw new ContextNotFoundError(name, message)
  }
  const { cluster = '', user = '' } = { ...context, ...dropEmpty(overrides.context) }
  const missingEntry = (kind: string, entry: string, names: Iterable<string>): ConfigurationInvalidError => {
    const what = entry === '' ? `${kind} was not specified` : `${kind} ${goQuote(entry)} was not found`
    const problem = new Error(`${what} for context ${goQuote(name)}`)
    return new ConfigurationInvalidError([problem], ` (${kind}s of ${file}: ${listNames(names)})`)
  }
  if (!config.clusters.has(cluster) && !serverGiven) throw missingEntry('cluster', cluster, config.clusters.keys())
  // A context without a user is an anonymous one.
  if (user !== '' && !config.users.has(user)) throw missingEntry('user', user, config.users.keys())
  return name
}

/** The fields that say something. */
function dropEmpty<T extends object>(fields: T | undefined): Partial<T> {
  return Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value)) as Partial<T>
}
