// What a credential plugin is told: the ExecCredential in its environment.

/** The variable that it is in. */
export const execInfoVariable: string = 'KUBERNETES_EXEC_INFO'

/** Of ExecCredentials that are understood. */
export const execApiVersions: readonly string[] = [
  'client.authentication.k8s.io/v1',
  'client.authentication.k8s.io/v1beta1',
]

/** The cluster that credentials are wanted for; the field names are those of the API. */
export interface ExecCluster {
  readonly server: string
  readonly 'tls-server-name'?: string | undefined
  readonly 'insecure-skip-tls-verify'?: boolean | undefined
  /** Base64 of PEM text. */
  readonly 'certificate-authority-data'?: string | undefined
  readonly 'proxy-url'?: string | undefined
  readonly 'disable-compression'?: boolean | undefined
  /** What the cluster's extension `client.authentication.k8s.io/exec` holds. */
  readonly config?: unknown
}

/** The text of the variable. Fields that say nothing are left out. */
export function execInfo(apiVersion: string, interactive: boolean, cluster: ExecCluster | undefined): string {
  const told = cluster && Object.fromEntries(Object.entries(cluster).filter(([, value]) => value))
  return JSON.stringify({
    kind: 'ExecCredential',
    apiVersion,
    spec: { ...(told && { cluster: { ...told, server: cluster.server } }), interactive },
  })
}
