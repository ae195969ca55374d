// Kubeconfig files for the control plane's users, with everything inside, so that they can be copied anywhere.
import { writeFile } from 'node:fs/promises'

export interface KubeconfigOptions {
  url: string
  /** PEM. */
  ca: string
  user: string
  /** A bearer token, or else a client certificate and its key in PEM. */
  token?: string | undefined
  certificate?: string | undefined
  key?: string | undefined
}

/** Writes a kubeconfig with one cluster, one user and one context, readable by its owner only. */
export async function writeKubeconfig(path: string, options: KubeconfigOptions): Promise<void> {
  const { url, ca, user, token, certificate, key } = options
  const data = (pem: string): string => Buffer.from(pem).toString('base64')
  const quoted = JSON.stringify
  const lines = [
    'apiVersion: v1',
    'kind: Config',
    'current-context: control-plane',
    'clusters:',
    '- name: control-plane',
    '  cluster:',
    `    server: ${quoted(url)}`,
    `    certificate-authority-data: ${data(ca)}`,
    'contexts:',
    '- name: control-plane',
    '  context:',
    '    cluster: control-plane',
    `    user: ${quoted(user)}`,
    'users:',
    `- name: ${quoted(user)}`,
    '  user:',
    ...(token === undefined ? [] : [`    token: ${quoted(token)}`]),
    ...(certificate === undefined ? [] : [`    client-certificate-data: ${data(certificate)}`]),
    ...(key === undefined ? [] : [`    client-key-data: ${data(key)}`]),
  ]
  await writeFile(path, `${lines.join('\n')}\n`, { mode: 0o600 })
}
