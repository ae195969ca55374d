// The files that programs such as `kubectl config` read and write: client-go's PathOptions.

import type { ConfigAccess } from './config-access.js'
import { firstExisting, type ReadOptions } from './files.js'
import { type Env, type HomeDirOptions, recommendedHomeFile, splitPathList } from './home-dir.js'
import { type ClientConfigLoadingRules, newDefaultClientConfigLoadingRules } from './loading-rules.js'
import type { KubeConfig } from './types.js'

/** The fields of {@link PathOptions}. */
export interface PathOptionsFields {
  /** The file where neither an explicit one nor the environment names others. */
  globalFile: string
  /** The environment variable that lists files; `''`: none. */
  envVar: string
  /** How files are read; its explicit file comes before all others, its own list does not count. */
  loadingRules: ClientConfigLoadingRules
  /** @defaultValue the process's environment */
  env?: Env | undefined
  /** @defaultValue the machine's */
  platform?: string | undefined
}

/**
 * The explicit file; else those that an environment variable lists; else one file.
 *
 * **Caveats**: unlike {@link ClientConfigLoadingRules}, a new stanza goes into the *last* file of the list where none of
 * them exists, and the list is read anew each time.
 *
 * @example
 * ```ts
 * const paths = newDefaultPathOptions({ explicitPath: values.kubeconfig })
 * const config = await paths.getStartingConfig()
 * config.currentContext = 'other'
 * await modifyConfig(paths, config)
 * ```
 */
export class PathOptions implements ConfigAccess {
  readonly globalFile: string
  readonly envVar: string
  readonly loadingRules: ClientConfigLoadingRules
  readonly #env: Env
  readonly #platform: string

  constructor({ globalFile, envVar, loadingRules, env = process.env, platform = process.platform }: PathOptionsFields) {
    this.globalFile = globalFile
    this.envVar = envVar
    this.loadingRules = loadingRules
    this.#env = env
    this.#platform = platform
  }

  /** The files that the environment variable lists, each once. */
  getEnvVarFiles(): string[] {
    return splitPathList(this.#env[this.envVar] ?? '', this.#platform)
  }

  /** The files that are read, first the one that wins. */
  getLoadingPrecedence(): string[] {
    if (this.isExplicitFile()) return [this.getExplicitFile()]
    const files = this.getEnvVarFiles()
    return files.length > 0 ? files : [this.globalFile]
  }

  /** Throws as {@link ClientConfigLoadingRules.load} does, but not for a missing file. */
  getStartingConfig(options: ReadOptions = {}): Promise<KubeConfig> {
    return this.loadingRules.with({ precedence: this.getLoadingPrecedence() }).getStartingConfig(options)
  }

  /** The explicit file; else the first file of the list that exists; else the last of the list; else the global file. */
  async getDefaultFilename(): Promise<string> {
    if (this.isExplicitFile()) return this.getExplicitFile()
    const files = this.getEnvVarFiles()
    return (await firstExisting(files)) ?? files.at(-1) ?? this.globalFile
  }

  isExplicitFile(): boolean {
    return this.loadingRules.isExplicitFile()
  }

  getExplicitFile(): string {
    return this.loadingRules.getExplicitFile()
  }
}

/** Options of {@link newDefaultPathOptions}. */
export interface DefaultPathOptions extends HomeDirOptions {
  /** What `--kubeconfig` names. */
  explicitPath?: string | undefined
}

/** The usual files: those of `KUBECONFIG`, else `.kube/config` in the home directory. Paths in them stay as they stand. */
export function newDefaultPathOptions({ explicitPath, ...home }: DefaultPathOptions = {}): PathOptions {
  return new PathOptions({
    globalFile: recommendedHomeFile(home),
    envVar: 'KUBECONFIG',
    loadingRules: newDefaultClientConfigLoadingRules({ ...home, explicitPath, doNotResolvePaths: true }),
    env: home.env,
    platform: home.platform,
  })
}
