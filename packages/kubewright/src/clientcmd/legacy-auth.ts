// Credentials in a JSON file of their own, which programs from before kubeconfigs have: client-go's tools/auth.

import { type Config, type ConfigOptions, copyConfig } from '../rest/index.js'
import { KubeconfigError } from './errors.js'
import { type ReadOptions, readText } from './files.js'
import { unreadable } from './load.js'

/** Who to be and whom to trust. */
export interface LegacyAuth {
  user?: string | undefined
  password?: string | undefined
  /** Path of a PEM file, as are the two below it. */
  caFile?: string | undefined
  certFile?: string | undefined
  keyFile?: string | undefined
  bearerToken?: string | undefined
  /** Do not verify the server's certificate. */
  insecure?: boolean | undefined
}

/** Their names in the file, which are read in any case. */
export const legacyAuthNames: Readonly<Record<keyof LegacyAuth, string>> = {
  user: 'User',
  password: 'Password',
  caFile: 'CAFile',
  certFile: 'CertFile',
  keyFile: 'KeyFile',
  bearerToken: 'BearerToken',
  insecure: 'Insecure',
}

/**
 * Reads the file; what it has beside the fields known is left out.
 *
 * @throws KubeconfigError naming the file: it cannot be read (`code` tells why), or is no JSON of such fields.
 */
export async function loadLegacyAuth(path: string, options: ReadOptions = {}): Promise<LegacyAuth> {
  let text: string
  try {
    text = await readText(path, options)
  } catch (err) {
    options.signal?.throwIfAborted()
    throw unreadable(path, err)
  }
  let decoded: unknown
  try {
    decoded = JSON.parse(text)
  } catch {
    // The parser's own message quotes the text, which holds secrets.
    decoded = undefined
  }
  if (typeof decoded !== 'object' || decoded === null) {
    throw new KubeconfigError('it is no JSON object with credentials', { file: path })
  }
  const found = new Map(Object.entries(decoded).map(([name, value]) => [name.toLowerCase(), value]))
  const auth: Record<string, unknown> = {}
  for (const [field, name] of Object.entries(legacyAuthNames)) {
    const value: unknown = found.get(name.toLowerCase()) ?? undefined
    if (value === undefined) continue
    const wanted = field === 'insecure' ? 'boolean' : 'string'
    if (typeof value === wanted) auth[field] = value
    else throw new KubeconfigError(`${name} must be a ${wanted}, not ${typeof value}`, { file: path })
  }
  return auth
}

/** A Config with the credentials and the trust of a file in place of its own; `insecure` only where the file says so. */
export function mergeLegacyAuth(config: ConfigOptions, auth: LegacyAuth): Config {
  const { user, password, caFile, certFile, keyFile, bearerToken, insecure } = auth
  const tlsClientConfig = { ...config.tlsClientConfig, caFile, certFile, keyFile }
  return copyConfig(config, {
    username: user,
    password,
    bearerToken,
    tlsClientConfig: insecure === undefined ? tlsClientConfig : { ...tlsClientConfig, insecure },
  })
}

/** Whether it says who to be. */
export function isLegacyAuthComplete({ user, certFile, bearerToken }: LegacyAuth): boolean {
  return Boolean(user || certFile || bearerToken)
}
