// The connections of informers that come and go.

import { expect, it } from 'vitest'
import { Pod } from '../gen/api/core/v1.js'
import { Clientset } from '../kubernetes/index.js'
import { Config, noLogger } from '../rest/index.js'
import { eventually, listenHttp, useServers } from '../rest/transport/servers.test-support.js'
import { SharedInformerFactory } from './index.js'

useServers()

it.each(['objects', 'bytes'] as const)('of %s leave one idle socket at most, and none that watches', async (store) => {
  let watching = 0
  const server = await listenHttp((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://server')
    response.setHeader('content-type', 'application/json')
    if (searchParams.has('sendInitialEvents')) {
      response.writeHead(422).end('{"kind":"Status","code":422,"reason":"Invalid"}')
    } else if (searchParams.has('watch')) {
      watching++
      response.on('close', () => watching--)
      response.flushHeaders()
    } else {
      response.end(
        '{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"5"},"items":[{"metadata":{"name":"a"}}]}',
      )
    }
  })
  const clientset = new Clientset(new Config({ host: server.url, qps: -1, logger: noLogger }))
  const factory = new SharedInformerFactory(clientset, { logger: noLogger })
  const acquire = () => (store === 'bytes' ? factory.acquire(Pod, { store }) : factory.acquire(Pod))
  for (let i = 0; i < 20; i++) {
    const handle = acquire()
    await handle.synced
    if (i % 2 > 0) await eventually(() => watching).toBe(1)
    expect(handle.informer.indexer.listKeys()).toEqual(['a'])
    await handle.release()
  }
  await eventually(() => watching).toBe(0)
  expect(server.sockets.size).toBeLessThanOrEqual(1)
  await factory.shutdown()
  await clientset.close()
  await eventually(() => server.sockets.size).toBe(0)
})
