// What the suites share: a clientset on the server under test, small objects, and waiting for a state to be reached.

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
  { replicas = 1, labels = {} as Record<string, string> } = {},
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

/**
 * Calls `probe` until it returns something other than undefined, null or false; fails with the last error or value
 * after `withinMs`. For states that another process reaches in its own time.
 */
export async function eventually<T>(
  probe: () => T | Promise<T>,
  { withinMs = 30_000, everyMs = 50 } = {},
): Promise<NonNullable<T>> {
  const deadline = performance.now() + withinMs
  for (;;) {
    let last: unknown
    try {
      const value = await probe()
      if (value !== undefined && value !== null && value !== false) return value as NonNullable<T>
      last = value
    } catch (err) {
      last = err
    }
    if (performance.now() > deadline) {
      throw last instanceof Error ? last : new Error(`not reached within ${withinMs} ms; last seen: ${String(last)}`)
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
