// What makes a kubeconfig unusable. Nothing stops at the first mistake: all that is wrong is told at once.

import { dns1123LabelProblems, goQuote as quote } from '../meta/index.js'
import {
  ConfigurationInvalidError,
  ContextNotFoundError,
  EmptyClusterError,
  EmptyConfigError,
  NoContextError,
} from './errors.js'
import { openProblem } from './files.js'
import { isEmpty } from './is-empty.js'
import { proxyUrlProblem, withoutUserInfo } from './proxy-url.js'
import { type AuthInfo, type Cluster, type Context, isConfigEmpty, type KubeConfig } from './types.js'

const interactiveModes = ['Never', 'IfAvailable', 'Always']

/** The mistakes of a cluster, its files looked at. */
export async function validateClusterInfo(name: string, cluster: Cluster): Promise<Error[]> {
  if (Object.values(cluster).every(isEmpty)) return [new EmptyClusterError()]
  const problems: string[] = []
  if (!cluster.server) {
    problems.push(name === '' ? 'default cluster has no server defined' : `no server found for cluster ${quote(name)}`)
  }
  const proxy = cluster['proxy-url']
  const proxyProblem = proxy && proxyUrlProblem(proxy)
  if (proxyProblem) {
    problems.push(`invalid 'proxy-url' ${quote(withoutUserInfo(proxy))} for cluster ${quote(name)}: ${proxyProblem}`)
  }
  const ca = cluster['certificate-authority']
  if (ca && cluster['certificate-authority-data']) {
    problems.push(
      `certificate-authority-data and certificate-authority are both specified for ${name}. certificate-authority-data will override.`,
    )
  }
  const unreadable = ca && (await openProblem(ca))
  if (unreadable) problems.push(`unable to read certificate-authority ${ca} for ${name} due to ${unreadable}`)
  return problems.map((problem) => new Error(problem))
}

async function clientCertificateProblems(name: string, user: AuthInfo): Promise<string[]> {
  const { 'client-certificate': cert, 'client-certificate-data': certData } = user
  const { 'client-key': key, 'client-key-data': keyData } = user
  if (!cert && !certData) return []
  const problems: string[] = []
  if (cert && certData) {
    problems.push(`client-cert-data and client-cert are both specified for ${name}. client-cert-data will override.`)
  }
  if (key && keyData) {
    problems.push(`client-key-data and client-key are both specified for ${name}; client-key-data will override`)
  }
  if (!key && !keyData) {
    problems.push(
      `client-key-data or client-key must be specified for ${name} to use the clientCert authentication method.`,
    )
  }
  const certProblem = cert && (await openProblem(cert))
  if (certProblem) problems.push(`unable to read client-cert ${cert} for ${name} due to ${certProblem}`)
  const keyProblem = key && (await openProblem(key))
  if (keyProblem) problems.push(`unable to read client-key ${key} for ${name} due to ${keyProblem}`)
  return problems
}

function execProblems(name: string, user: AuthInfo): string[] {
  const exec = user.exec
  if (!exec) return []
  const use = 'to use exec authentication plugin'
  const problems: string[] = []
  if (user['auth-provider']) {
    problems.push(`authProvider cannot be provided in combination with an exec plugin for ${name}`)
  }
  if (!exec.command) problems.push(`command must be specified for ${name} ${use}`)
  if (!exec.apiVersion) problems.push(`apiVersion must be specified for ${name} ${use}`)
  for (const variable of exec.env ?? []) {
    if (!variable.name) problems.push(`env variable name must be specified for ${name} ${use}`)
  }
  if (!exec.interactiveMode) problems.push(`interactiveMode must be specified for ${name} ${use}`)
  else if (!interactiveModes.includes(exec.interactiveMode)) {
    problems.push(`invalid interactiveMode for ${name}: ${quote(exec.interactiveMode)}`)
  }
  return problems
}

/** The mistakes of a user, its files looked at. */
export async function validateAuthInfo(name: string, user: AuthInfo): Promise<Error[]> {
  const problems = [...(await clientCertificateProblems(name, user)), ...execProblems(name, user)]
  if (user.token && (user.username || user.password)) {
    problems.push(`more than one authentication method found for ${name}; found [token basicAuth], only one is allowed`)
  }
  const details = user['as-uid'] || user['as-groups']?.length || Object.keys(user['as-user-extra'] ?? {}).length
  if (details && !user.as) {
    problems.push(`requesting uid, groups or user-extra for ${name} without impersonating a user`)
  }
  return problems.map((problem) => new Error(problem))
}

/** The mistakes of a context; those of its cluster and user are not among them. */
export function validateContext(name: string, context: Context, config: KubeConfig): Error[] {
  const problems: string[] = []
  const { cluster, user, namespace } = context
  if (name === '')
    problems.push(`empty context name for ${JSON.stringify({ cluster, user, namespace })} is not allowed`)
  if (!user) problems.push(`user was not specified for context ${quote(name)}`)
  else if (!config.users.has(user)) problems.push(`user ${quote(user)} was not found for context ${quote(name)}`)
  if (!cluster) problems.push(`cluster was not specified for context ${quote(name)}`)
  else if (!config.clusters.has(cluster)) {
    problems.push(`cluster ${quote(cluster)} was not found for context ${quote(name)}`)
  }
  if (namespace && dns1123LabelProblems(namespace).length > 0) {
    problems.push(
      `namespace ${quote(namespace)} for context ${quote(name)} does not conform to the kubernetes DNS_LABEL rules`,
    )
  }
  return problems.map((problem) => new Error(problem))
}

function throwIfAny(errors: readonly Error[]): void {
  if (errors.length > 0) throw new ConfigurationInvalidError(errors)
}

/**
 * Checks every entry of a kubeconfig.
 *
 * @throws ConfigurationInvalidError with all that is wrong; {@link isEmptyConfig} tells the one of an empty kubeconfig.
 */
export async function validate(config: KubeConfig): Promise<void> {
  if (isConfigEmpty(config)) throw new ConfigurationInvalidError([new EmptyConfigError()])
  const errors: Error[] = []
  const { currentContext } = config
  if (currentContext && !config.contexts.has(currentContext)) errors.push(new ContextNotFoundError(currentContext))
  for (const [name, context] of config.contexts) errors.push(...validateContext(name, context, config))
  for (const [name, user] of config.users) errors.push(...(await validateAuthInfo(name, user)))
  for (const [name, cluster] of config.clusters) errors.push(...(await validateClusterInfo(name, cluster)))
  throwIfAny(errors)
}

/**
 * Checks one context, its user and its cluster; mistakes elsewhere in the kubeconfig do not count.
 *
 * @param contextName - an empty name stands for the current context.
 * @throws ConfigurationInvalidError with all that is wrong; NoContextError when there is no name at all.
 */
export async function confirmUsable(config: KubeConfig, contextName = ''): Promise<void> {
  if (isConfigEmpty(config)) throw new ConfigurationInvalidError([new EmptyConfigError()])
  const name = contextName || config.currentContext
  if (name === '') throw new NoContextError()
  const context = config.contexts.get(name)
  if (!context) throw new ConfigurationInvalidError([new ContextNotFoundError(name)])
  const { user = '', cluster = '' } = context
  const errors = [
    ...validateContext(name, context, config),
    ...(await validateAuthInfo(user, config.users.get(user) ?? {})),
    ...(config.clusters.has(cluster)
      ? await validateClusterInfo(cluster, config.clusters.get(cluster) as Cluster)
      : []),
  ]
  throwIfAny(errors)
}
