// Where kubectl keeps what it knows of servers.

import { join } from 'node:path'
import { recommendedConfigDir } from '../clientcmd/index.js'

/** `KUBECACHEDIR` of the environment, else `.kube/cache` in the home directory. */
export function defaultCacheDir(): string {
  return process.env.KUBECACHEDIR || join(recommendedConfigDir(), 'cache')
}

/**
 * The directory of a server below `parentDir`, usually `~/.kube/cache/discovery`: `computeDiscoverCacheDir(dir,
 * 'https://10.0.0.1:6443')` ends in `10.0.0.1_6443`, as kubectl names it. A user name and password in the host do not go
 * into it.
 */
export function computeDiscoverCacheDir(parentDir: string, host: string): string {
  const schemeless = host.replace('https://', '').replace('http://', '')
  const name = schemeless.replace(/^[^/]*@/, '').replace(/[^(\w/.)]/gu, '_')
  // None of its parts leads out of the parent.
  return join(parentDir, name.replace(/(^|\/)\.+(?=\/|$)/g, '$1_'))
}
