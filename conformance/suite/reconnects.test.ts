// A hundred watches whose connections break: what they opened is given back.

import { readdirSync } from 'node:fs'
import { Clientset, getConfig } from 'kubewright'
import { copyConfig } from 'kubewright/rest'
import { expect, it } from 'vitest'
import { controlPlane, describeWithControlPlane } from '../control-plane/fixture.js'
import { startTcpProxy } from '../faults/tcp-proxy.js'
import { eventually } from './eventually.js'

/** Files and sockets that this process has open. */
const descriptors = (): number => readdirSync('/proc/self/fd').length

describeWithControlPlane('connections that break', () => {
  it('a hundred times under a watch leave no descriptor behind', async () => {
    const server = new URL(controlPlane().url)
    const proxy = await startTcpProxy({ host: server.hostname, port: Number(server.port) })
    const config = await getConfig({ kubeconfig: controlPlane().kubeconfigPath })
    const clientset = new Clientset(copyConfig(config, { host: `https://127.0.0.1:${proxy.port}`, qps: -1 }))
    const once = async (): Promise<void> => {
      const watch = await clientset.coreV1().configMaps('default').watch({ allowWatchBookmarks: true })
      const ended = (async () => {
        for await (const _ of watch);
      })()
      expect(proxy.cut()).toBeGreaterThan(0)
      await ended
    }
    try {
      for (let i = 0; i < 5; i++) await once()
      await eventually(() => proxy.open === 0)
      const before = descriptors()
      for (let i = 0; i < 100; i++) await once()
      await eventually(() => proxy.open === 0)
      await eventually(() => descriptors() <= before)
      expect(proxy.accepted).toBe(105)
    } finally {
      await clientset.close()
      await proxy.stop()
    }
  })
})
