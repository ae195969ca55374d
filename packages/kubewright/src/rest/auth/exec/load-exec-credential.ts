// For programs that are credential plugins themselves: what they were told, and a Config of the cluster they were told of.

import { goQuote, isObject, messageOf } from '../../../meta/index.js'
import { Config } from '../../config.js'
import type { Environment } from '../../environment.js'
import { kindOf } from '../../kind-of.js'
import { type ExecCluster, execApiVersions, execInfoVariable } from './exec-info.js'

/** The request that a credential plugin gets. */
export interface ExecCredentialRequest {
  /** That of the answer too: `client.authentication.k8s.io/v1` or `…/v1beta1`. */
  readonly apiVersion: string
  readonly kind: 'ExecCredential'
  readonly spec: {
    /** Whether the plugin may ask the user something, on standard input. */
    readonly interactive: boolean
    readonly cluster: ExecCluster
  }
}

/** What {@link loadExecCredential} gives. */
export interface LoadedExecCredential {
  /** As the plugin was given it. */
  readonly credential: ExecCredentialRequest
  /** Reaches the cluster as nobody: the plugin has no credentials for it yet. */
  readonly config: Config
}

/**
 * {@link loadExecCredential} of the environment variable `KUBERNETES_EXEC_INFO`, which a credential plugin is started
 * with.
 *
 * @param env @defaultValue `process.env`
 * @throws Error when it is not set, or as {@link loadExecCredential} does.
 */
export function loadExecCredentialFromEnv(env: Environment = process.env): LoadedExecCredential {
  const text = env[execInfoVariable]
  if (!text) throw new Error(`${execInfoVariable} env var is unset or empty`)
  return loadExecCredential(text)
}

/**
 * Reads an ExecCredential as a plugin is given it.
 *
 * @throws Error when it is none, or tells of no cluster: that takes `provideClusterInfo: true` in the user's stanza.
 */
export function loadExecCredential(text: string): LoadedExecCredential {
  const { apiVersion, kind, spec } = decode(text)
  const { cluster, interactive } = asObject(spec, 'spec')
  if (cluster === undefined || cluster === null) {
    throw new Error('ExecCredential does not contain cluster information; provideClusterInfo of the user asks for it')
  }
  const told = asObject(cluster, 'spec.cluster') as unknown as ExecCluster
  let config: Config
  try {
    config = configOf(told)
  } catch (cause) {
    throw new Error(`cannot create rest.Config: ${messageOf(cause)}`, { cause })
  }
  return { credential: { apiVersion, kind, spec: { interactive: interactive === true, cluster: told } }, config }
}

const group = 'client.authentication.k8s.io'

function decode(text: string): { apiVersion: string; kind: 'ExecCredential'; spec: unknown } {
  let decoded: unknown
  try {
    decoded = JSON.parse(text)
  } catch (cause) {
    throw new Error('decode: it is not JSON', { cause })
  }
  const { apiVersion, kind, spec } = asObject(decoded, 'it')
  if (typeof kind !== 'string' || kind === '') throw new Error("decode: Object 'Kind' is missing")
  if (typeof apiVersion !== 'string' || apiVersion === '') throw new Error("decode: Object 'apiVersion' is missing")
  const found = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
  if (kind !== 'ExecCredential' || found !== group) {
    const got = found === '' ? kind : `${kind}.${found}`
    throw new Error(`invalid group/kind: wanted ExecCredential.${group}, got ${got}`)
  }
  if (!execApiVersions.includes(apiVersion)) {
    throw new Error(`decode: no kind "ExecCredential" is registered for version ${goQuote(apiVersion)}`)
  }
  return { apiVersion, kind, spec: spec ?? {} }
}

function configOf(cluster: ExecCluster): Config {
  const {
    server,
    'tls-server-name': serverName,
    'insecure-skip-tls-verify': insecure,
    'certificate-authority-data': authority,
    'proxy-url': proxyUrl,
    'disable-compression': disableCompression,
  } = cluster
  if (proxyUrl && !URL.canParse(proxyUrl)) throw new Error('cannot parse proxy URL')
  const caData = authority ? Buffer.from(authority, 'base64').toString('utf8') : undefined
  return new Config({
    host: server,
    tlsClientConfig: { insecure, serverName, caData },
    proxyUrl: proxyUrl || undefined,
    disableCompression,
  })
}

function asObject(value: unknown, what: string): Record<string, unknown> {
  if (isObject(value)) return value
  throw new Error(`decode: ${what} must be an object, not ${kindOf(value)}`)
}
