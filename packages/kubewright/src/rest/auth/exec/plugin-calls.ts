// Tells those who count how runs of credential plugins end.

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

export function publishPluginCall(call: PluginCall): void {
  const channel = process.getBuiltinModule('node:diagnostics_channel').channel('kubewright:rest:exec-plugin')
  channel.publish(call)
}
