// The files that a kubeconfig names, resolved against the file that names them.

import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { hideSecrets } from './secrets.js'
import type { AuthInfo, Cluster, KubeConfig } from './types.js'

type Change = (path: string, base: string) => string

const absolute: Change = (path, base) => (isAbsolute(path) ? path : join(base, path))

/** Relative to `base` when the file is below it; otherwise as it is. */
const relativeBelow: Change = (path, base) => {
  const below = relative(base, path)
  return below.startsWith(`..${sep}`) || isAbsolute(below) ? path : below
}

function changeFields<T extends object>(stanza: T, fields: readonly (keyof T)[], change: (path: string) => string): T {
  const changed = { ...stanza }
  for (const field of fields) if (changed[field]) changed[field] = change(changed[field] as string) as T[keyof T]
  return changed
}

const clusterPaths = ['certificate-authority'] as const
const userPaths = ['client-certificate', 'client-key', 'tokenFile'] as const

/** The cluster with `change` applied to each path in it. */
export function changeClusterPaths(cluster: Cluster, change: (path: string) => string): Cluster {
  return changeFields(cluster, clusterPaths, change)
}

/** The user with `change` applied to each path in it; a command without a separator is looked up in PATH, so it stays. */
export function changeAuthInfoPaths(user: AuthInfo, change: (path: string) => string): AuthInfo {
  const changed = changeFields(user, userPaths, change)
  const command = changed.exec?.command
  if (command?.includes(sep)) changed.exec = { ...changed.exec, command: change(command) }
  const provider = changed['auth-provider']
  const authority = provider?.config?.['idp-certificate-authority']
  if (authority) {
    const config = { ...provider.config, 'idp-certificate-authority': change(authority) }
    changed['auth-provider'] = { ...provider, config }
  }
  return hideSecrets(changed)
}

/** The directory that relative paths of a file start at. */
export function baseDirectory(file: string): string {
  return resolve(dirname(file))
}

/** The kubeconfig with the paths of every stanza that came from a file made absolute, relative to that file. */
export function resolveLocalPaths(config: KubeConfig): KubeConfig {
  const clusters = [...config.clusters].map(([name, cluster]): [string, Cluster] => {
    const file = cluster.locationOfOrigin
    return [name, file ? changeClusterPaths(cluster, (path) => absolute(path, baseDirectory(file))) : cluster]
  })
  const users = [...config.users].map(([name, user]): [string, AuthInfo] => {
    const file = user.locationOfOrigin
    return [name, file ? changeAuthInfoPaths(user, (path) => absolute(path, baseDirectory(file))) : user]
  })
  return { ...config, clusters: new Map(clusters), users: new Map(users) }
}

/**
 * A path as it should be written into `file`: relative when it is below the file's directory, otherwise absolute.
 * A relative path is taken to be relative to the file.
 */
export function relativizePath(path: string, file: string): string {
  const base = baseDirectory(file)
  return relativeBelow(absolute(path, base), base)
}
