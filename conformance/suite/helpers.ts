// What the suites share: a clientset on the server under test, and small objects.

import { Clientset, getConfig } from 'kubewright'
import type { DeploymentInput } from 'kubewright/api/apps/v1'
import { controlPlane } from '../control-plane/fixture.js'

/** A client without a rate limit, as the administrator unless another kubeconfig is named. */
export async function clientsetFor(kubeconfig: string = controlPlane().kubeconfigPath): Promise<Clientset> {
  const config = await getConfig({ kubeconfig })
  return new Clientset({ ...config, qps: -1 })
}

/** A Deployment that the server accepts; `name` is its name, label and selector. */
export function deployment(
  name: string,
  { replicas = 1, labels = {} }: { replicas?: number; labels?: Record<string, string> } = {},
): DeploymentInput {
  return {
    metadata: { name, labels: { app: name, ...labels } },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'nginx', image: 'nginx:1.27' }] },
      },
    },
  }
}
