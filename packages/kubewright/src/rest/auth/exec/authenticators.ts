// Who shares an authenticator: all who would run the same plugin in the same way.

import type { Clock } from '../../../clock/index.js'
import { SharedByKey } from '../keyed-sharing.js'
import { ExecAuthenticator, type ExecAuthenticatorOptions } from './authenticator.js'

/**
 * Gives one authenticator to all who ask for the same plugin, arguments, environment, cluster and policy, so that
 * twenty clients of a kubeconfig run its plugin once.
 *
 * **Guarantees**: keeps no authenticator alive that nobody uses.
 */
export class ExecAuthenticators {
  readonly #byClock = new WeakMap<Clock, SharedByKey<ExecAuthenticator>>()

  /** @throws Error when the options are not valid, as the authenticator's constructor does. */
  get(options: Omit<ExecAuthenticatorOptions, 'surroundings'>): ExecAuthenticator {
    const { config, cluster, policy, stdinUnavailable, clock } = options
    let shared = this.#byClock.get(clock)
    if (shared === undefined) {
      shared = new SharedByKey()
      this.#byClock.set(clock, shared)
    }
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
    return shared.getOrCreate(key, () => new ExecAuthenticator(options))
  }
}

/** Of the process: the default, see {@link ExecPluginOptions}. */
export const sharedAuthenticators: ExecAuthenticators = new ExecAuthenticators()
