// The `exec` stanza of a kubeconfig user: a program that prints credentials.

/** A variable of the program's environment. */
export interface ExecEnvVar {
  readonly name: string
  readonly value: string
}

/** How to run a credential plugin. */
export interface ExecConfig {
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
  readonly interactiveMode?: 'Never' | 'IfAvailable' | 'Always' | undefined
}
