// Where the user's own kubeconfig is.

import { accessSync, constants, statSync } from 'node:fs'
import { posix, win32 } from 'node:path'

/** Environment variables by name. */
export type Env = Readonly<Record<string, string | undefined>>

/** What the rules for Windows ask about a path. */
export type ProbePath = (path: string) => { readonly writableDirectory: boolean } | undefined

/** The surroundings that decide where the home directory is. */
export interface HomeDirOptions {
  /** @defaultValue the process's environment */
  env?: Env | undefined
  /** `process.platform`'s names. @defaultValue the machine's */
  platform?: string | undefined
  /** What is at a path, or undefined; asked on Windows only. @defaultValue looks at the file system */
  probe?: ProbePath | undefined
}

const probePath: ProbePath = (path) => {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  try {
    accessSync(path, constants.W_OK)
    return { writableDirectory: stats.isDirectory() }
  } catch {
    return { writableDirectory: false }
  }
}

/**
 * The home directory, or an empty string when the environment names none.
 *
 * It is `HOME`. On Windows it is the first of `HOME`, `HOMEDRIVE` + `HOMEPATH`, `USERPROFILE` with a `.kube\config` in
 * it; otherwise, of `HOME`, `USERPROFILE`, `HOMEDRIVE` + `HOMEPATH`, the first that can be written to, that exists,
 * that is set.
 */
export function homeDir({
  env = process.env,
  platform = process.platform,
  probe = probePath,
}: HomeDirOptions = {}): string {
  const home = env.HOME ?? ''
  if (platform !== 'win32') return home
  const profile = env.USERPROFILE ?? ''
  const drivePath = env.HOMEDRIVE && env.HOMEPATH ? env.HOMEDRIVE + env.HOMEPATH : ''
  const withConfig = [home, drivePath, profile].find((dir) => dir && probe(win32.join(dir, '.kube', 'config')))
  if (withConfig !== undefined) return withConfig
  const set = [home, profile, drivePath].filter((dir) => dir !== '')
  const existing = set.filter((dir) => probe(dir))
  return existing.find((dir) => probe(dir)?.writableDirectory) ?? existing[0] ?? set[0] ?? ''
}

/** `.kube` in the home directory. */
export function recommendedConfigDir(options: HomeDirOptions = {}): string {
  const { join } = (options.platform ?? process.platform) === 'win32' ? win32 : posix
  return join(homeDir(options), '.kube')
}

/** `.kube/config` in the home directory: where a kubeconfig is when `KUBECONFIG` does not say otherwise. */
export function recommendedHomeFile(options: HomeDirOptions = {}): string {
  const { join } = (options.platform ?? process.platform) === 'win32' ? win32 : posix
  return join(recommendedConfigDir(options), 'config')
}

/** The paths in a list such as `KUBECONFIG`, each once; `;` separates them on Windows, where one may be in quotes. */
export function splitPathList(list: string, platform: string = process.platform): string[] {
  if (list === '') return []
  if (platform !== 'win32') return [...new Set(list.split(':'))]
  const parts = list.match(/(?:"[^"]*"?|[^;"])+|(?<=^|;)(?=;|$)/g) ?? []
  return [...new Set(parts.map((part) => part.replaceAll('"', '')))]
}
