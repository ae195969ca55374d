// Connections that the server ends all the time, as kube-apiserver does to spread its clients over its replicas.

import net from 'node:net'
import { getConfig } from 'kubewright'
import type { ConfigMap } from 'kubewright/api/core/v1'
import { copyConfig, RESTClient, transportFor } from 'kubewright/rest'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithControlPlane } from '../control-plane/fixture.js'
import { type ControlPlane, startControlPlane } from '../control-plane/index.js'

const gets = 10_000
const writes = 100
const workers = 10

describeWithControlPlane('a server that sends GOAWAY for one request in fifty', () => {
  let server: ControlPlane
  beforeAll(async () => {
    server = await startControlPlane({ controllers: false, apiServerFlags: ['--goaway-chance=0.02'] })
  })
  afterAll(() => server?.stop())

  it(`${gets} GETs, ${writes} writes and a watch, none of which fails or is sent again by anyone but the transport`, async () => {
    let connections = 0
    const config = copyConfig(await getConfig({ kubeconfig: server.kubeconfigPath }), {
      qps: -1,
      dial: async ({ host, port }) => {
        connections++
        return net.connect(port, host)
      },
    })
    const client = new RESTClient({ config, groupVersion: { group: '', version: 'v1' } })
    const configMaps = (verb: string) => client.verb(verb).namespace('default').resource('configmaps').maxRetries(0)
    try {
      const seen: string[] = []
      const watch = await client
        .get()
        .namespace('default')
        .resource('configmaps')
        .param('watch', 'true')
        .param('labelSelector', 'goaway=true')
        .watch<ConfigMap>()
      const watched = (async () => {
        for await (const { object } of watch) {
          seen.push((object as ConfigMap).metadata.name)
          if (seen.length === writes) return
        }
      })()

      const jobs: (() => Promise<unknown>)[] = Array.from({ length: gets }, (_, i) => async () => {
        const { object } = await client.get().absPath('/api/v1/namespaces/default').maxRetries(0).do()
        expect(object).toMatchObject({ metadata: { name: 'default' } })
        if (i % (gets / writes) > 0) return
        const name = `goaway-${i}`
        await configMaps('POST')
          .body({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { goaway: 'true' } } })
          .do()
      })
      const next = jobs.values()
      await Promise.all(
        Array.from({ length: workers }, async () => {
          for (const job of next) await job()
        }),
      )
      await watched
      expect(new Set(seen).size).toBe(writes)
      // What the test is about did happen.
      expect(connections).toBeGreaterThan(10)
    } finally {
      await transportFor(config).close()
    }
  }, 180_000)
})
