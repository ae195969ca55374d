// Which files make up the kubeconfig, and how they are read together.

import { constants } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Config } from '../rest/index.js'
import type { ClientConfig } from './client-config.js'
import type { ConfigAccess } from './config-access.js'
import { aggregateMessage, KubeconfigError, MissingConfigError } from './errors.js'
import { fileErrorCode, firstExisting, type ReadOptions } from './files.js'
import { type HomeDirOptions, recommendedHomeFile, splitPathList } from './home-dir.js'
import { loadFromFile, unreadable } from './load.js'
import { mergeKubeConfigs } from './merge.js'
import { resolveLocalPaths } from './paths.js'
import { type KubeConfig, newKubeConfig } from './types.js'

/** Where a {@link ClientConfig} gets its kubeconfig from. */
export interface ClientConfigLoader extends ConfigAccess {
  /** Whether a Config is what the rules would give by default, so that a cluster's own one is to be preferred. */
  isDefaultConfig(config: Config): Promise<boolean>
  /** Reads and merges the files. */
  load(options?: ReadOptions): Promise<KubeConfig>
}

/** The fields of {@link ClientConfigLoadingRules}. */
export interface LoadingRulesOptions {
  /** Read this file only, and fail when it does not exist. */
  explicitPath?: string | undefined
  /** Read these files, first the one that wins; those that do not exist are skipped. @defaultValue none */
  precedence?: readonly string[] | undefined
  /** Old places of files by their new ones: a file that is missing is copied from its old place first. */
  migrationRules?: Readonly<Record<string, string>> | undefined
  /** Leave relative paths as they stand in the files. @defaultValue false */
  doNotResolvePaths?: boolean | undefined
  /** What is the default, for {@link ClientConfigLoader.isDefaultConfig}. */
  defaultClientConfig?: ClientConfig | undefined
  /** Tell `warner` when none of the files exists. @defaultValue false */
  warnIfAllMissing?: boolean | undefined
  /** @defaultValue says nothing */
  warner?: ((err: MissingConfigError) => void) | undefined
}

/** An explicit file, or a list of files read together: client-go's ClientConfigLoadingRules. */
export class ClientConfigLoadingRules implements ClientConfigLoader {
  /** `''`: none. */
  readonly explicitPath: string
  /** First the file that wins. */
  readonly precedence: readonly string[]
  readonly #rules: LoadingRulesOptions

  constructor(rules: LoadingRulesOptions = {}) {
    this.explicitPath = rules.explicitPath ?? ''
    this.precedence = rules.precedence ?? []
    this.#rules = rules
  }

  /** These rules with some of them changed. */
  with(changes: LoadingRulesOptions): ClientConfigLoadingRules {
    return new ClientConfigLoadingRules({ ...this.#rules, ...changes })
  }

  /**
   * The explicit file as it is, or the files of the list merged: the first file that has a cluster, user or context
   * gives the whole of it, and the first current context that is set counts. Relative paths become absolute.
   *
   * @throws KubeconfigError when the explicit file does not exist (`code` is `ENOENT`), or a file cannot be read or is
   * no kubeconfig; AggregateError of these when there are several.
   */
  async load(options: ReadOptions = {}): Promise<KubeConfig> {
    await this.#migrate()
    const files = this.getLoadingPrecedence().filter((file) => file !== '')
    const configs: KubeConfig[] = []
    const missing: string[] = []
    const errors: Error[] = []
    for (const file of files) {
      try {
        configs.push(await loadFromFile(file, options))
      } catch (err) {
        if (!(err instanceof KubeconfigError)) throw err
        if (err.code === 'ENOENT' && !this.isExplicitFile()) missing.push(file)
        else errors.push(err)
      }
    }
    if (errors.length > 1) throw new AggregateError(errors, aggregateMessage(errors))
    if (errors[0]) throw errors[0]
    if (this.#rules.warnIfAllMissing && missing.length > 0 && configs.length === 0) {
      this.#rules.warner?.(new MissingConfigError(missing))
    }
    const merged = mergeKubeConfigs(configs)
    return this.#rules.doNotResolvePaths ? merged : resolveLocalPaths(merged)
  }

  async #migrate(): Promise<void> {
    for (const [destination, source] of Object.entries(this.#rules.migrationRules ?? {})) {
      if ((await kindOfPath(destination)) !== 'missing') continue
      const kind = await kindOfPath(source)
      if (kind === 'directory') throw new Error(`cannot migrate ${source} to ${destination} because it is a directory`)
      if (kind === 'file') await copyFile(source, destination, constants.COPYFILE_EXCL)
    }
  }

  /** The files that are read: the explicit one, or the list. */
  getLoadingPrecedence(): string[] {
    return this.isExplicitFile() ? [this.explicitPath] : [...this.precedence]
  }

  /** As {@link load}, with an empty kubeconfig where the explicit file does not exist: what is changed and written back. */
  async getStartingConfig(options: ReadOptions = {}): Promise<KubeConfig> {
    try {
      return await this.load(options)
    } catch (err) {
      if (err instanceof KubeconfigError && err.code === 'ENOENT') return newKubeConfig()
      throw err
    }
  }

  /** The explicit file; else the first file of the list that exists; else the first of the list. */
  async getDefaultFilename(): Promise<string> {
    if (this.isExplicitFile()) return this.explicitPath
    return (await firstExisting(this.precedence)) ?? this.precedence[0] ?? ''
  }

  /** Whether one file alone is read, and has to be there. */
  isExplicitFile(): boolean {
    return this.explicitPath !== ''
  }

  /** `''`: none. */
  getExplicitFile(): string {
    return this.explicitPath
  }

  /** Whether a Config is the one that `defaultClientConfig` gives: nobody has said which cluster. */
  async isDefaultConfig(config: Config): Promise<boolean> {
    try {
      const standard = await this.#rules.defaultClientConfig?.clientConfig()
      return standard !== undefined && isDeepStrictEqual(config, standard)
    } catch {
      return false
    }
  }
}

/** What is at a path. A place that may not be looked at is left alone. */
async function kindOfPath(path: string): Promise<'file' | 'directory' | 'missing' | 'forbidden'> {
  try {
    return (await stat(path)).isDirectory() ? 'directory' : 'file'
  } catch (err) {
    const code = fileErrorCode(err)
    if (code === 'ENOENT') return 'missing'
    if (code === 'EACCES' || code === 'EPERM') return 'forbidden'
    throw unreadable(path, err)
  }
}

/**
 * The usual rules: the files that `KUBECONFIG` lists, else `.kube/config` in the home directory; the options change
 * single rules. When `KUBECONFIG` is set, the file in the home directory is not read.
 */
export function newDefaultClientConfigLoadingRules(
  options: HomeDirOptions & LoadingRulesOptions = {},
): ClientConfigLoadingRules {
  const { env = process.env, platform = process.platform, probe, ...rules } = options
  const fromEnv = splitPathList(env.KUBECONFIG ?? '', platform)
  const homeFile = recommendedHomeFile({ env, platform, probe })
  const oldName = platform === 'win32' ? 'config' : '.kubeconfig'
  return new ClientConfigLoadingRules({
    precedence: fromEnv.length > 0 ? fromEnv : [homeFile],
    migrationRules: { [homeFile]: join(env.HOME ?? '', '.kube', oldName) },
    warnIfAllMissing: fromEnv.length > 0,
    ...rules,
  })
}
