// Who shares an authenticator: all who would run the same plugin in the same way.

import { SharedByClock } from '../keyed-sharing.js'
import { ExecAuthenticator, type ExecAuthenticatorOptions } from './authenticator.js'

/**
 * Gives one authenticator to all who ask for the same plugin, arguments, environment, cluster and policy, so that
 * twenty clients of a kubeconfig run its plugin once.
 *
 * **Guarantees**: keeps no authenticator alive that nobody uses.
 */
export class ExecAuthenticators {
  readonly #shared = new SharedByClock<ExecAuthenticator>()

  /** @throws Error when the options are not valid, as the authenticator's constructor does. */
  get(options: Omit<ExecAuthenticatorOptions, 'surroundings'>): ExecAuthenticator {
    const { config, cluster, policy, stdinUnavailable, clock } = options
    const key = [
      config.command,
      config.args ?? [],
      (config.env ?? []).map(({ name, value }) => [name, value]),
      config.apiVersion,
      config.installHint,
      config.provideClusterInfo ? cluster : undefined,
      config.interactiveMode,
      policy?.policyType,
      policy?.allowlist?.map(({ command }) => command),
      stdinUnavailable,
    ]
    return this.#shared.of(clock).getOrCreate(key, () => new ExecAuthenticator(options))
  }
}

/** Of the process: the default, see {@link ExecPluginOptions}. */
export const sharedAuthenticators: ExecAuthenticators = new ExecAuthenticators()
