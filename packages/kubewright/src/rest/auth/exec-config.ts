// The `exec` stanza of a kubeconfig user: a program that prints credentials.

/** A variable of the program's environment. */
export interface ExecEnvVar {
  readonly name: string
  readonly value: string
}

/** How to run a credential plugin. */
export interface ExecConfig {
  /** A program's name, to be found along PATH, or its path. */
  readonly command: string
  readonly args?: readonly string[] | undefined
  /** Added to the environment that the program inherits. */
  readonly env?: readonly ExecEnvVar[] | undefined
  /** `client.authentication.k8s.io/v1` or `…/v1beta1`. */
  readonly apiVersion: string
  /** Told to the user when the command is not found. */
  readonly installHint?: string | undefined
  /** Tell the program about the cluster in `KUBERNETES_EXEC_INFO`. */
  readonly provideClusterInfo?: boolean | undefined
  /** Told to the program with the cluster: what the kubeconfig's cluster has for it, under the extension's name. */
  readonly config?: unknown
  /**
   * Whether the program may ask the user; `Always` fails where there is no terminal. Must be given: only in kubeconfigs, and
   * up to `…/v1beta1`, an absent one is `IfAvailable`.
   */
  readonly interactiveMode?: 'Never' | 'IfAvailable' | 'Always' | undefined
}
