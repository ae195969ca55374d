// A credential plugin that gives no credentials.

/** Options of {@link ExecPluginError}. */
export interface ExecPluginErrorOptions {
  command: string
  exitCode?: number | undefined
  cause?: unknown
}

/**
 * The program that a user's `exec` stanza names could not be run, or gave no credentials.
 *
 * **Guarantees**: nothing that the program printed, and neither its arguments nor its environment, is in the message.
 */
export class ExecPluginError extends Error {
  override readonly name = 'ExecPluginError'
  /** As the kubeconfig has it. */
  readonly command: string
  /** What the program ended with, where it ran and failed; -1 after a signal. */
  readonly exitCode: number | undefined

  constructor(problem: string, { command, exitCode, cause }: ExecPluginErrorOptions) {
    super(`getting credentials: ${problem}`, cause === undefined ? undefined : { cause })
    this.command = command
    this.exitCode = exitCode
  }
}
