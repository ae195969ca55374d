// Tells those who count what becomes of credential plugins: whether they may run, how runs end, and what they gave.

import { channel } from 'node:diagnostics_channel'
import { validityOf } from '../../certificate-validity.js'

/** client-go's words for how a run ended. */
export type PluginCallStatus =
  | 'no_error'
  | 'plugin_execution_error'
  | 'plugin_not_found_error'
  | 'client_internal_error'

/** What is published on the diagnostics channel `kubewright:rest:exec-plugin`, once for each run. */
export interface PluginCall {
  /** The plugin's, or 1 where it has none. */
  readonly exitCode: number
  readonly status: PluginCallStatus
}

/** What is published on `kubewright:rest:exec-plugin-policy`, before each run. client-go's `ExecPluginPolicyCalls`. */
export interface PluginPolicyCall {
  readonly status: 'allowed' | 'denied'
}

/**
 * What is published on `kubewright:rest:client-certificate` each time that a plugin has given credentials. client-go's
 * `ClientCertExpiry`, which is the earliest of all sources, and `ClientCertRotationAge`.
 */
export interface ClientCertificateEvent {
  /** Stands for the plugin of one user of one cluster: the same object each time, to be the key of a WeakMap. */
  readonly source: object
  /** When the certificate expires, in milliseconds since 1970; undefined: they have none. */
  readonly expiresAt: number | undefined
  /** Milliseconds since the certificate that this one replaces became valid; undefined: it replaces none. */
  readonly replacedAgeMs: number | undefined
}

const calls = channel('kubewright:rest:exec-plugin')
const policyCalls = channel('kubewright:rest:exec-plugin-policy')
const certificates = channel('kubewright:rest:client-certificate')

/** Tells of a run that has ended, or could not begin. */
export function publishPluginCall(call: PluginCall): void {
  calls.publish(call)
}

/** Tells what the policy said. */
export function publishPolicyCall(call: PluginPolicyCall): void {
  policyCalls.publish(call)
}

/** Tells of credentials. Reads the certificates only where somebody listens. */
export function publishCertificate(
  source: object,
  { now, current, replaced }: { now: number; current: string | undefined; replaced: string | undefined },
): void {
  if (!certificates.hasSubscribers) return
  const replacedFrom = replaced === undefined ? undefined : validityOf(replaced)?.from
  certificates.publish({
    source,
    expiresAt: current === undefined ? undefined : validityOf(current)?.to,
    replacedAgeMs: replacedFrom === undefined ? undefined : now - replacedFrom,
  } satisfies ClientCertificateEvent)
}
