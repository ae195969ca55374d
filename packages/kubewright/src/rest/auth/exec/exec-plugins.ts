// What a program says about the credential plugins that its kubeconfig asks for.

import type { ExecAuthenticators } from './authenticators.js'
import type { ExecPluginPolicy } from './policy.js'

/** How credential plugins are run. */
export interface ExecPluginOptions {
  /** @defaultValue all may run */
  readonly policy?: ExecPluginPolicy | undefined
  /**
   * Standard input is in use by the program itself, so plugins cannot ask the user; a text says by what.
   *
   * @defaultValue false
   */
  readonly stdinUnavailable?: boolean | string | undefined
  /** Who shares runs and credentials with whom. @defaultValue all of the process */
  readonly authenticators?: ExecAuthenticators | undefined
}
