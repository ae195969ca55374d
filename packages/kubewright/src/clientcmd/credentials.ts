// The user and the trust of a Config, from the two stanzas that hold them.

import type {
  AuthProviderConfig,
  ConfigOptions,
  ExecConfig,
  ImpersonationConfig,
  TLSClientConfig,
} from '../rest/index.js'
import { UnsupportedAuthProviderError } from './errors.js'
import { fileProblem, type ReadOptions, readText } from './files.js'
import { cleanANSIEscapeCodes } from './install-hint.js'
import type { AuthInfo, AuthProviderStanza, Cluster, ExecStanza } from './types.js'

/** The cluster extension whose content is handed to an exec plugin. */
const execExtension = 'client.authentication.k8s.io/exec'

const replacements: Readonly<Record<string, string>> = {
  gcp: 'it has been removed from Kubernetes clients; use the exec plugin gke-gcloud-auth-plugin ("gcloud container clusters get-credentials" writes it into the kubeconfig)',
  azure:
    'it has been removed from Kubernetes clients; use the exec plugin kubelogin ("kubelogin convert-kubeconfig" writes it into the kubeconfig)',
}

function authProvider({ name = '', config }: AuthProviderStanza): AuthProviderConfig {
  if (name === 'oidc') return { name, config: config ?? {} }
  const reason = Object.hasOwn(replacements, name) ? replacements[name] : undefined
  const message = reason
    ? `cannot use auth-provider "${name}": ${reason}`
    : `no Auth Provider found for name "${name}"; use an exec plugin`
  throw new UnsupportedAuthProviderError(name, message)
}

/** The PEM text of a data field; undefined when it is empty. */
function pem(data: string | undefined): string | undefined {
  return data ? Buffer.from(data, 'base64').toString('utf8') : undefined
}

function execProvider(exec: ExecStanza, cluster: Cluster): ExecConfig {
  const extension = cluster.extensions?.find((item) => item.name === execExtension)
  return {
    command: exec.command ?? '',
    apiVersion: exec.apiVersion ?? '',
    args: exec.args,
    env: exec.env?.map(({ name = '', value = '' }) => ({ name, value })),
    installHint: exec.installHint && cleanANSIEscapeCodes(exec.installHint),
    provideClusterInfo: exec.provideClusterInfo ?? false,
    interactiveMode: exec.interactiveMode as ExecConfig['interactiveMode'],
    ...(extension && { config: extension.extension }),
  }
}

async function token(user: AuthInfo, options: ReadOptions): Promise<string | undefined> {
  if (user.token) return user.token
  if (!user.tokenFile) return undefined
  try {
    return await readText(user.tokenFile, options)
  } catch (cause) {
    options.signal?.throwIfAborted()
    throw new Error(`unable to read tokenFile: open ${user.tokenFile}: ${fileProblem(cause)}`, { cause })
  }
}

/** Whom to act as; undefined when the user does not say. */
export function impersonation(user: AuthInfo): ImpersonationConfig | undefined {
  if (!user.as) return undefined
  return { userName: user.as, uid: user['as-uid'], groups: user['as-groups'], extra: user['as-user-extra'] }
}

/**
 * The fields of a Config that say who the user is and whom to trust.
 *
 * @throws Error when `tokenFile` cannot be read; UnsupportedAuthProviderError for an
 * `auth-provider` other than `oidc`.
 */
export async function identification(user: AuthInfo, cluster: Cluster, options: ReadOptions): Promise<ConfigOptions> {
  const hasCertificate = user['client-certificate'] || user['client-certificate-data']
  const tls: TLSClientConfig = {
    insecure: cluster['insecure-skip-tls-verify'] || undefined,
    serverName: cluster['tls-server-name'] || undefined,
    caFile: cluster['certificate-authority'] || undefined,
    caData: pem(cluster['certificate-authority-data']),
    ...(hasCertificate && {
      certFile: user['client-certificate'] || undefined,
      certData: pem(user['client-certificate-data']),
      keyFile: user['client-key'] || undefined,
      keyData: pem(user['client-key-data']),
    }),
  }
  return {
    bearerToken: await token(user, options),
    bearerTokenFile: user.tokenFile || undefined,
    username: user.username || undefined,
    password: user.password || undefined,
    execProvider: user.exec && execProvider(user.exec, cluster),
    authProvider: user['auth-provider'] && authProvider(user['auth-provider']),
    tlsClientConfig: Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined)),
  }
}
