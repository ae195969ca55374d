// A hundred watches whose connections break: what they opened is given back.

import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { describeWithControlPlane } from '../control-plane/fixture.js'
import { eventually } from './eventually.js'
import { proxiedClientset } from './proxied.js'

/** Files and sockets that this process has open. */
const descriptors = (): number => readdirSync('/proc/self/fd').length

describeWithControlPlane('connections that break', () => {
  it('a hundred times under a watch leave no descriptor behind', async () => {
    const { clientset, proxy, close } = await proxiedClientset()
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
      await close()
    }
  })
})
