// The Config of a program that runs in a pod: from its environment and its service account.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../meta/index.js'
import { Config } from './config.js'
import type { Environment } from './environment.js'
import { type Logger, stderrLogger } from './logger.js'

const serviceAccountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount'

/** The program does not run in a cluster: client-go's ErrNotInCluster. */
export class NotInClusterError extends Error {
  override readonly name: string = 'NotInClusterError'

  constructor() {
    super(
      'unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined; ' +
        'outside a cluster, use a kubeconfig',
    )
  }
}

/** Options of {@link inClusterConfig}. */
export interface InClusterConfigOptions {
  /** @defaultValue `process.env` */
  env?: Environment | undefined
  /** Where the file system begins; for tests. @defaultValue `/` */
  rootDirectory?: string | undefined
  /** @defaultValue lines on standard error */
  logger?: Logger | undefined
}

/**
 * The Config for the cluster that this program's pod runs in, with its service account's token, which is renewed from
 * its file.
 *
 * @throws NotInClusterError when the environment names no server
 * @throws Error when the token cannot be read
 */
export function inClusterConfig(options: InClusterConfigOptions = {}): Config {
  const { env = process.env, rootDirectory = '/', logger } = options
  const host = env.KUBERNETES_SERVICE_HOST
  const port = env.KUBERNETES_SERVICE_PORT
  if (!host || !port) throw new NotInClusterError()
  const directory = join(rootDirectory, serviceAccountDirectory)
  const tokenFile = join(directory, 'token')
  const caFile = join(directory, 'ca.crt')
  let bearerToken: string
  try {
    bearerToken = readFileSync(tokenFile, 'utf8')
  } catch (cause) {
    throw new Error(
      `cannot read the service account's token: ${messageOf(cause)}; ` +
        'is automountServiceAccountToken turned off for the pod or its service account?',
      { cause },
    )
  }
  return new Config({
    host: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    tlsClientConfig: hasCertificates(caFile, logger ?? stderrLogger) ? { caFile } : {},
    bearerToken,
    bearerTokenFile: tokenFile,
    logger,
  })
}

function hasCertificates(caFile: string, logger: Logger): boolean {
  let problem = 'it holds no certificate'
  try {
    if (readFileSync(caFile, 'utf8').includes('-----BEGIN CERTIFICATE-----')) return true
  } catch (err) {
    problem = messageOf(err)
  }
  logger.error(`cannot load the cluster's CA; going on with the system's`, { file: caFile, problem })
  return false
}
