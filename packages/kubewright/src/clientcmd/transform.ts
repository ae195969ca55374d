// Kubeconfigs made smaller, self-contained, or fit to be shown. Each gives a new one and leaves the old one alone.

import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ReadOptions } from './files.js'
import { baseDirectory } from './paths.js'
import { hideSecrets } from './secrets.js'
import type { AuthInfo, Cluster, KubeConfig } from './types.js'

/**
 * Only the current context, its cluster and its user: for a Secret, say.
 *
 * @throws Error when there is no current context, or one of them is missing.
 */
export function minifyConfig(config: KubeConfig): KubeConfig {
  const name = config.currentContext
  if (name === '') throw new Error('current-context must exist in order to minify')
  const context = config.contexts.get(name)
  if (context === undefined) throw new Error(`cannot locate context ${name}`)
  return {
    ...config,
    contexts: new Map([[name, context]]),
    clusters: only('cluster', config.clusters, context.cluster),
    users: only('user', config.users, context.user),
  }
}

function only<T>(kind: string, entries: ReadonlyMap<string, T>, name: string | undefined): Map<string, T> {
  if (!name) return new Map()
  const found = entries.get(name)
  if (found === undefined) throw new Error(`cannot locate ${kind} ${name}`)
  return new Map([[name, found]])
}

function mapEntries<T>(entries: ReadonlyMap<string, T>, change: (entry: T) => T): Map<string, T> {
  return new Map([...entries].map(([name, entry]) => [name, change(entry)]))
}

async function inline<T extends { locationOfOrigin?: string | undefined }>(
  stanza: T,
  fields: readonly (readonly [keyof T, keyof T])[],
  { signal }: ReadOptions,
): Promise<T> {
  const flat = { ...stanza }
  for (const [pathField, dataField] of fields) {
    const path = flat[pathField] as string | undefined
    if (!path) continue
    if (flat[dataField]) throw new Error('cannot have values for both path and contents')
    const content = await readFile(resolve(baseDirectory(stanza.locationOfOrigin ?? ''), path), signal && { signal })
    flat[dataField] = content.toString('base64') as T[keyof T]
    delete flat[pathField]
  }
  return flat
}

/**
 * The kubeconfig with the content of its certificate and key files in it; relative paths are resolved against the file
 * a stanza came from. Token files stay files.
 *
 * @throws Error when a stanza has a path and data, or a file cannot be read.
 */
export async function flattenConfig(config: KubeConfig, options: ReadOptions = {}): Promise<KubeConfig> {
  const users = new Map<string, AuthInfo>()
  for (const [name, user] of config.users) {
    const fields = [
      ['client-certificate', 'client-certificate-data'],
      ['client-key', 'client-key-data'],
    ] as const
    users.set(name, hideSecrets(await inline(user, fields, options)))
  }
  const clusters = new Map<string, Cluster>()
  for (const [name, cluster] of config.clusters) {
    const fields = [['certificate-authority', 'certificate-authority-data']] as const
    clusters.set(name, await inline(cluster, fields, options))
  }
  return { ...config, users, clusters }
}

/** The fields that are set, each with this value. */
function replaced<T extends object>(stanza: T, fields: readonly (keyof T)[], value: string): T {
  const changed = { ...stanza }
  for (const field of fields) if (changed[field]) changed[field] = value as T[keyof T]
  return changed
}

/** For a person to read: certificates and keys as `DATA+OMITTED`, tokens as `REDACTED`. */
export function shortenConfig(config: KubeConfig): KubeConfig {
  const omitted = 'DATA+OMITTED'
  return {
    ...config,
    users: mapEntries(config.users, (user) =>
      hideSecrets(
        replaced(replaced(user, ['client-key-data', 'client-certificate-data'], omitted), ['token'], 'REDACTED'),
      ),
    ),
    clusters: mapEntries(config.clusters, (cluster) => replaced(cluster, ['certificate-authority-data'], omitted)),
  }
}

/** With every token, password, private key and setting of an auth-provider replaced by `REDACTED`. */
export function redactSecrets(config: KubeConfig): KubeConfig {
  const redact = (user: AuthInfo): AuthInfo => {
    const changed = replaced(user, ['token', 'password'], 'REDACTED')
    if (changed['client-key-data']) changed['client-key-data'] = Buffer.from('REDACTED').toString('base64')
    const provider = changed['auth-provider']
    if (provider?.config) {
      const settings = Object.keys(provider.config).map((key) => [key, 'REDACTED'])
      changed['auth-provider'] = { ...provider, config: Object.fromEntries(settings) }
    }
    return hideSecrets(changed)
  }
  return { ...config, users: mapEntries(config.users, redact) }
}
