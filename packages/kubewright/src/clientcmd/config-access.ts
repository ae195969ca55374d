// Which files a kubeconfig is read from and written to.

import type { ReadOptions } from './files.js'
import type { KubeConfig } from './types.js'

/** What functions need that change kubeconfig files. */
export interface ConfigAccess {
  /** The files that are read, first the one that wins. */
  getLoadingPrecedence(): string[]
  /** The kubeconfig to start a change from; empty when no file exists. */
  getStartingConfig(options?: ReadOptions): Promise<KubeConfig>
  /** The file that a new stanza goes into. */
  getDefaultFilename(): Promise<string>
  /** Whether one file was asked for, as opposed to the usual ones. */
  isExplicitFile(): boolean
  /** The file that was asked for, or an empty string. */
  getExplicitFile(): string
}
