// A clientset whose connections can be watched and cut: they go through a proxy.

import { Clientset, getConfig } from 'kubewright'
import { controlPlane } from '../control-plane/fixture.js'
import { startTcpProxy, type TcpProxy } from '../faults/tcp-proxy.js'

/** A clientset, and what its connections go through. */
export interface Proxied {
  readonly clientset: Clientset
  readonly proxy: TcpProxy
  /** Closes the clientset and stops the proxy. */
  close(): Promise<void>
}

/** The administrator's clientset, without a rate limit, behind a proxy of its own. */
export async function proxiedClientset(): Promise<Proxied> {
  const { url, kubeconfigPath } = controlPlane()
  const { hostname, port } = new URL(url)
  const proxy = await startTcpProxy({ host: hostname, port: Number(port) })
  const config = await getConfig({ kubeconfig: kubeconfigPath })
  const clientset = new Clientset({ ...config, host: `https://127.0.0.1:${proxy.port}`, qps: -1 })
  return {
    clientset,
    proxy,
    async close() {
      await clientset.close()
      await proxy.stop()
    },
  }
}
