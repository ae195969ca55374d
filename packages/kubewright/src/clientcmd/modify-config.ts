// Changes to a kubeconfig, written back into the files that its parts came from.

import { mkdir, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { ConfigAccess } from './config-access.js'
import { writeToFile } from './encode.js'
import { KubeconfigError } from './errors.js'
import { fileErrorCode, fileProblem, type ReadOptions } from './files.js'
import { loadFromFile } from './load.js'
import { changeAuthInfoPaths, changeClusterPaths, relativizePath } from './paths.js'
import { type AuthInfo, type Cluster, type Context, type KubeConfig, newKubeConfig } from './types.js'

/** Options of {@link modifyConfig}. */
export interface ModifyConfigOptions extends ReadOptions {
  /** Write paths of changed stanzas relative to their file, where they are below it. @defaultValue false */
  relativizePaths?: boolean | undefined
  /** Whether to hold `<file>.lock` of each file meanwhile, so that two programs do not write at once. @defaultValue true */
  lock?: boolean | undefined
}

type Edit = (config: KubeConfig) => void
type Section = 'clusters' | 'users' | 'contexts'

/**
 * Writes what `changed` has other than the files say: a stanza into the file it came from, a new one into the default
 * file; everything else in the files stays. The current context goes into the default file; an empty one clears the
 * first file that sets it.
 *
 * **Guarantees**: each file is replaced in one step, so other programs that read meanwhile never see half of one.
 *
 * **Caveats**: files are rewritten, so comments are lost. When several files change, they do so one after the other.
 *
 * @throws KubeconfigError when a file cannot be read, or its lock is held.
 */
export async function modifyConfig(
  access: ConfigAccess,
  changed: KubeConfig,
  { relativizePaths = false, lock = true, signal }: ModifyConfigOptions = {},
): Promise<void> {
  const files = access.getLoadingPrecedence().filter((file) => file !== '')
  await withLocks(lock ? files.sort() : [], async () => {
    const starting = await access.getStartingConfig({ signal })
    const edits = new Map<string, Edit[]>()
    const edit = (file: string, change: Edit): void => {
      edits.set(file, [...(edits.get(file) ?? []), change])
    }
    const { currentContext, preferences } = changed
    if (starting.currentContext !== currentContext) {
      const file = await fileToSet(access, currentContext !== '', (config) => config.currentContext !== '', { signal })
      edit(file, (config) => {
        config.currentContext = currentContext
      })
    }
    if (!isDeepStrictEqual(starting.preferences ?? {}, preferences ?? {})) {
      const file = await fileToSet(access, preferences !== undefined, (config) => config.preferences !== undefined, {
        signal,
      })
      edit(file, (config) => {
        config.preferences = preferences
      })
    }
    const defaultFile = await access.getDefaultFilename()
    for (const section of ['clusters', 'contexts', 'users'] as const) {
      for (const [name, stanza] of changed[section]) {
        if (isDeepStrictEqual(stanza, starting[section].get(name))) continue
        const file = stanza.locationOfOrigin || defaultFile
        const written = relativizePaths ? relativized(section, stanza, file) : stanza
        edit(file, (config) => config[section].set(name, written))
      }
      for (const [name, stanza] of starting[section]) {
        const file = stanza.locationOfOrigin || defaultFile
        if (!changed[section].has(name)) edit(file, (config) => config[section].delete(name))
      }
    }
    for (const [file, changes] of edits) {
      const config = await loadOrEmpty(file, { signal })
      for (const change of changes) change(config)
      await writeToFile(config, file, { signal })
    }
  })
}

function relativized(section: Section, stanza: Cluster | AuthInfo | Context, file: string): typeof stanza {
  const change = (path: string): string => relativizePath(path, file)
  if (section === 'clusters') return changeClusterPaths(stanza, change)
  return section === 'users' ? changeAuthInfoPaths(stanza, change) : stanza
}

/** The file to set a value in; to clear it, the first one that sets it. */
async function fileToSet(
  access: ConfigAccess,
  setting: boolean,
  isSet: (config: KubeConfig) => boolean,
  options: ReadOptions,
): Promise<string> {
  if (access.isExplicitFile()) return access.getExplicitFile()
  if (setting) return access.getDefaultFilename()
  for (const file of access.getLoadingPrecedence()) if (isSet(await loadOrEmpty(file, options))) return file
  throw new Error('no config found to write context')
}

async function loadOrEmpty(file: string, options: ReadOptions): Promise<KubeConfig> {
  try {
    return await loadFromFile(file, options)
  } catch (err) {
    if (err instanceof KubeconfigError && err.code === 'ENOENT') return newKubeConfig()
    throw err
  }
}

/** Runs `change` while it holds the lock of each file; they are taken in one order everywhere, so nobody waits in a ring. */
async function withLocks(files: readonly string[], change: () => Promise<void>): Promise<void> {
  const held: string[] = []
  try {
    for (const file of files) held.push(await lockFile(file))
    await change()
  } finally {
    for (const lock of held) await rm(lock, { force: true })
  }
}

async function lockFile(file: string): Promise<string> {
  const lock = `${file}.lock`
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o755 })
    await (await open(lock, 'wx', 0o600)).close()
    return lock
  } catch (err) {
    const code = fileErrorCode(err)
    const hint = code === 'EEXIST' ? '; another program is changing the file: remove the lock when none is' : ''
    throw new KubeconfigError(`open ${lock}: ${fileProblem(err)}${hint}`, { file, code })
  }
}
